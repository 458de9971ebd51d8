"""The pages of organisers and captains of a tournament, by role: from the draft to the podium, with invalid input."""

import html
import re
from datetime import timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from tock_league.accounts.permissions import SITE
from tock_league.accounts.services import create_player, create_user
from tock_league.clubs import services as clubs
from tock_league.common import clock
from tock_league.competitions.models import CheckIn, Competition, CompetitionRole, Entry, Match, Stage
from tock_league.competitions.selectors.seasons import next_step
from tock_league.competitions.services.entries import registration, withdrawals
from tock_league.competitions.services.seasons import lifecycle, roles

from .world import a_club, a_plan, a_player, a_team, a_tournament, play_on

pytestmark = pytest.mark.django_db
BACKEND = "allauth.account.auth_backends.AuthenticationBackend"


@pytest.fixture
def club(db):
    return a_club()


@pytest.fixture
def sign_in(client):
    def _as(player):
        if player.user is None:
            player.user = create_user(email=f"{player.slug}@example.org")
            player.save()
        client.force_login(player.user, backend=BACKEND)
        return client

    return _as


@pytest.fixture
def organiser(club):
    person = create_player(display_name="Gaston Pronovost")
    clubs.join(by=SITE, club=club, player=person)
    clubs.give_role(by=SITE, club=club, player=person, name="organiser")
    return person


def text(answer):
    return html.unescape(answer.content.decode())


def address(name, *args):
    return reverse(f"competitions:{name}", args=args)


def captain_of(entry):
    return entry.roster.get(role="starter", slot=1, left=None).player


def partner_of(entry):
    return entry.roster.get(role="starter", slot=2, left=None).player


def local(**ahead):
    return timezone.localtime(clock.now() + timedelta(**ahead)).strftime("%Y-%m-%dT%H:%M")


def settings_form(club, /, **changes):
    values = {
        "name": "Coupe des Chutes",
        "club": club.pk,
        "kind": "groups_knockout",
        "size": 8,
        "groups": 2,
        "qualify": 2,
        "legs": 1,
        "rounds": 5,
        "clubs": "off",
        "third_place": "on",
        "best_of_group": 1,
        "best_of_knockout": 1,
        "best_of_final": 3,
        "rules": "shawinigan/1:4",
        "clocks": "on",
        "referee_wait": 300,
        "on_paper": "tables",
        "starts_at": local(days=3),
        "entries_close_at": local(days=2),
        "check_in_from": local(days=2, hours=22),
        "check_in_until": local(days=2, hours=23),
        "seeding": "rating",
        "pause": 5,
        "auto": "on",
    }
    return {key: value for key, value in (values | changes).items() if value is not None}


# settings


def test_one_form_makes_a_tournament(sign_in, organiser, club):
    client = sign_in(organiser)
    assert client.get(address("new_tournament")).status_code == 200
    answer = client.post(address("new_tournament"), settings_form(club))
    made = Competition.objects.get()
    assert answer.url == address("organise", made.slug)
    assert (made.plan["kind"], made.plan["groups"], made.plan["best_of"]["final"]) == ("groups_knockout", 2, 3)
    assert made.regulations.body["referee_wait_s"] == 300
    assert made.check_in_until is not None
    assert client.get(answer.url).status_code == 200
    assert client.get(address("edit_tournament", made.slug)).status_code == 200


@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"name": "<b>Coupe</b>"}, "name"),
        ({"name": "C" * 1_000_000}, "name"),
        ({"name": "Coupe\x00"}, "name"),
        ({"groups": 0}, "groups"),
        ({"groups": ""}, "groups"),
        ({"qualify": 99}, "qualify"),
        ({"groups": 1, "qualify": 1}, "qualify"),
        ({"kind": "swiss", "rounds": 21}, "rounds"),
        ({"kind": "swiss", "rounds": ""}, "rounds"),
        ({"kind": "ladder"}, "kind"),
        ({"size": 1}, "size"),
        ({"size": 3}, "size"),
        ({"size": 10**30}, "size"),
        ({"best_of_final": 2}, "best_of_final"),
        ({"rules": "chess/1"}, "rules"),
        ({"pause": -1}, "pause"),
        ({"pause": 5000}, "pause"),
        ({"starts_at": "2020-01-01T19:00"}, "starts_at"),
        ({"starts_at": "yesterday"}, "starts_at"),
        ({"starts_at": "2027-03-14T02:30"}, "starts_at"),  # an hour that the clocks skip
        ({"check_in_until": ""}, "check_in_until"),
        ({"seeding": "friends"}, "seeding"),
        ({"club": 999_999}, "club"),
    ],
)
def test_a_bad_setting_comes_back_beside_its_field_and_nothing_is_made(changes, field, sign_in, organiser, club):
    answer = sign_in(organiser).post(address("new_tournament"), settings_form(club, **changes))
    assert answer.status_code == 200
    assert field in answer.context["form"].errors
    assert not Competition.objects.exists()


def test_the_page_works_out_what_the_settings_make_and_makes_nothing(sign_in, organiser, club):
    answer = sign_in(organiser).post(address("new_tournament"), settings_form(club) | {"preview": "1"})
    # two groups of four: 12 matches, two semi-finals, third place and final
    assert answer.context["costs"]["made"].matches == 16
    assert answer.context["costs"]["made"].rounds == 5
    assert not Competition.objects.exists()


def test_only_organisers_make_tournaments_and_only_for_their_club(sign_in, organiser, club, client):
    assert client.get(address("new_tournament")).status_code == 302
    other = a_club("Les Pieux", town="Grand-Mère")
    answer = sign_in(organiser).post(address("new_tournament"), settings_form(other))
    assert "club" in answer.context["form"].errors
    assert sign_in(a_player()).get(address("new_tournament")).status_code == 403


def test_settings_change_until_the_draw(sign_in, organiser, club, hand):
    made = a_tournament(4, club=club, state="closed")
    client = sign_in(organiser)
    form = settings_form(club, kind="knockout", name="Coupe du printemps", check_in_from="", check_in_until="")
    assert client.post(address("edit_tournament", made.slug), form).status_code == 302
    made.refresh_from_db()
    assert made.name == "Coupe du printemps"
    drawn = a_tournament(4, club=a_club("Les Pieux"))
    clubs.join(by=SITE, club=drawn.club, player=organiser, home=False)
    clubs.give_role(by=SITE, club=drawn.club, player=organiser, name="organiser")
    refused = client.post(address("edit_tournament", drawn.slug), form)
    assert refused.context["form"].non_field_errors()


# permissions


@pytest.mark.parametrize(
    ("role", "status"), [("visitor", 302), ("player", 403), ("captain", 403), ("referee", 403), ("organiser", 200)]
)
def test_the_desk_is_the_organisers(role, status, sign_in, client, organiser, club, hand):
    made = a_tournament(4, club=club, state="closed")
    person = {"player": a_player, "captain": lambda: captain_of(made.entries.first()), "organiser": lambda: organiser}
    if role == "referee":
        referee = a_player("Sylvie Doucet")
        CompetitionRole.objects.create(competition=made, player=referee, name="referee", since=clock.now())
        sign_in(referee)
    elif role != "visitor":
        sign_in(person[role]())
    entry = made.entries.first()
    assert client.get(address("organise", made.slug)).status_code == status
    assert client.get(address("people", made.slug)).status_code == status
    posts = {
        "step": {"code": "draw"},
        "give_seeds": {"how": "lots"},
        "register_team": {"team": "x"},
        "discard_draw": {},
        "settle": {"how": "lots"},
        "give_role": {"player": entry.slug, "name": "referee"},
        "end_role": {"role": 1},
    }
    for name, data in posts.items():
        answer = client.post(address(name, made.slug), data)
        assert (answer.status_code == status) if status != 200 else answer.status_code in (302, 404, 409, 422), name
    for name in ("admit", "refuse_entry"):
        answer = client.post(address(name, made.slug, entry.slug), {"reason": "Trop tard"})
        assert (answer.status_code == status) if status != 200 else answer.status_code in (302, 409, 422)


def test_a_draft_is_hidden_from_others(sign_in, client, organiser, club, hand):
    made = a_tournament(0, club=club, state="draft")
    for name in ("register", "organise"):
        assert sign_in(a_player()).get(address(name, made.slug)).status_code == 404
    assert sign_in(organiser).get(address("organise", made.slug)).status_code == 200


# captains and partners


def test_a_captain_registers_and_the_partner_confirms(sign_in, club, hand):
    made = a_tournament(0, club=club, state="open")
    team = a_team("Draveurs", club=club)
    captain, partner = (spell.player for spell in team.spells.order_by("slot"))
    client = sign_in(captain)
    assert "Draveurs" in text(client.get(address("register", made.slug)))
    answer = client.post(address("register", made.slug), {"team": team.slug})
    entry = Entry.objects.get()
    assert answer.url == address("entry", entry.slug)
    assert entry.state == "pending"
    client = sign_in(partner)
    assert made.name in text(client.get(reverse("pages:home")))
    client.post(address("answer_entry", entry.slug), {"accept": "yes"})
    entry.refresh_from_db()
    assert entry.state == "accepted"
    assert client.get(address("entry", entry.slug)).status_code == 200


def test_a_partner_who_declines_frees_the_team(sign_in, club, hand):
    made = a_tournament(0, club=club, state="open")
    team = a_team("Draveurs", club=club)
    captain, partner = (spell.player for spell in team.spells.order_by("slot"))
    entry = registration.register(by=captain, competition=made, team=team)
    sign_in(partner).post(address("answer_entry", entry.slug), {"accept": "no"})
    entry.refresh_from_db()
    assert entry.state == "refused"


def test_registering_is_refused_with_its_reason(sign_in, club, hand):
    made = a_tournament(1, club=club, state="open")
    entered = made.entries.get()
    captain = captain_of(entered)
    alone = clubs.found_team(by=captain, name="Tout seul")
    second = clubs.found_team(by=captain, name="Deuxième")
    clubs.answer(
        by=partner_of(entered),
        invitation=clubs.invite(by=captain, team=second, player=partner_of(entered), slot=2),
        accept=True,
    )
    client = sign_in(captain)
    for team, word in ((alone, "Tout seul"), (second, entered.team.name), (entered.team, "")):
        answer = client.post(address("register", made.slug), {"team": team.slug})
        assert answer.status_code == 422
        assert word in text(answer)
    strangers = a_team("Les Pieux", club=club)
    assert client.post(address("register", made.slug), {"team": strangers.slug}).status_code == 422
    assert client.post(address("register", made.slug), {"team": "x" * 1_000_000}).status_code == 422
    assert made.entries.count() == 1


def test_registering_before_and_after_the_time_is_refused(sign_in, club, hand):
    team = a_team("Draveurs", club=club)
    captain = team.spells.get(slot=1).player
    client = sign_in(captain)
    for number, state in enumerate(("closed", "running")):
        made = a_tournament(4, club=a_club(f"Club {number}"), state=state)
        assert client.get(address("register", made.slug)).status_code == 200
        assert client.post(address("register", made.slug), {"team": team.slug}).status_code == 409


def test_only_the_roster_answers_for_itself(sign_in, club, hand):
    made = a_tournament(0, club=club, state="open")
    team = a_team("Draveurs", club=club)
    captain = team.spells.get(slot=1).player
    entry = registration.register(by=captain, competition=made, team=team)
    client = sign_in(a_player("Réjean"))
    for accept in ("yes", "no"):
        assert client.post(address("answer_entry", entry.slug), {"accept": accept}).status_code == 403
    assert client.post(address("answer_entry", "nowhere1"), {"accept": "yes"}).status_code == 404
    entry.refresh_from_db()
    assert entry.state == "pending"


# check-in


def test_partners_check_in_on_their_phones(sign_in, club, hand):
    made = a_tournament(2, club=club, state="closed", check_in=True)
    entry = made.entries.first()
    captain, partner = captain_of(entry), partner_of(entry)
    client = sign_in(captain)
    early = client.post(address("check_in", entry.slug), {"player": captain.slug, "here": "yes"})
    assert early.status_code == 409
    hand.advance(minutes=45)
    assert 'aria-pressed="false"' in text(client.get(address("entry", entry.slug)))
    assert made.name in text(client.get(reverse("pages:home")))
    client.post(address("check_in", entry.slug), {"player": captain.slug, "here": "yes"})
    assert 'id="waiting"' not in text(client.get(reverse("pages:home")))
    sign_in(partner).post(address("check_in", entry.slug), {"player": partner.slug, "here": "yes"})
    entry.refresh_from_db()
    assert entry.state == "checked_in"
    client.post(address("check_in", entry.slug), {"player": partner.slug, "here": "no"})
    entry.refresh_from_db()
    assert entry.state == "accepted"
    hand.advance(hours=1)
    late = client.post(address("check_in", entry.slug), {"player": partner.slug, "here": "yes"})
    assert late.status_code == 409


def test_nobody_checks_a_stranger_in(sign_in, club, hand):
    made = a_tournament(2, club=club, state="closed", check_in=True)
    hand.advance(minutes=45)
    first, second = made.entries.all()
    client = sign_in(captain_of(second))
    answer = client.post(address("check_in", first.slug), {"player": captain_of(first).slug, "here": "yes"})
    assert answer.status_code == 403
    wrong = client.post(address("check_in", second.slug), {"player": captain_of(first).slug, "here": "yes"})
    assert wrong.status_code == 422
    assert not CheckIn.objects.exists()


def test_the_way_back_never_leads_off_the_site(sign_in, organiser, club, hand):
    made = a_tournament(2, club=club, state="closed", check_in=True)
    hand.advance(minutes=45)
    entry = made.entries.first()
    client = sign_in(organiser)
    for wanted in ("https://example.org/", "//example.org/", "javascript:alert(1)"):
        data = {"player": captain_of(entry).slug, "here": "yes", "next": wanted}
        assert client.post(address("check_in", entry.slug), data).url == address("entry", entry.slug)
    data["next"] = address("organise", made.slug)
    assert client.post(address("check_in", entry.slug), data).url == data["next"]


# the desk


def press(client, made):
    """Press the desk's button; return the name of the step that was done."""
    page = client.get(address("organise", made.slug))
    step = page.context["step"]
    assert step.label, step
    answer = client.post(address("step", made.slug), {"code": step.code})
    assert answer.status_code == 302, text(answer)
    return step.kind


def test_a_team_that_was_refused_when_entries_closed_is_brought_back_at_the_desk(sign_in, organiser, club):
    made = a_tournament(2, club=club, state="open")
    guests = a_team("Les Visiteurs", club=a_club("Club de Grand-Mère"))
    captain = guests.spells.get(slot=1).player
    entry = registration.register(by=captain, competition=made, team=guests)
    free = a_team("Sans club")
    client = sign_in(organiser)
    assert press(client, made) == "close"
    entry.refresh_from_db()
    assert entry.state == "refused"
    offered = list(client.get(address("organise", made.slug)).context["teams"])
    assert offered == [guests, free]
    assert client.post(address("register_team", made.slug), {"team": guests.slug}).status_code == 302
    entry.refresh_from_db()
    assert entry.state == "accepted"
    assert list(client.get(address("organise", made.slug)).context["teams"]) == [free]


def test_one_button_leads_from_the_draft_to_the_podium(sign_in, organiser, club, hand):
    made = a_tournament(0, club=club, state="draft", plan=a_plan("knockout", auto=False))
    client = sign_in(organiser)
    done = [press(client, made), press(client, made)]
    for number in range(4):
        team = a_team(f"Équipe {number}", club=club)
        assert client.post(address("register_team", made.slug), {"team": team.slug}).status_code == 302
    done += [press(client, made), press(client, made), press(client, made)]
    assert done == ["publish", "open", "close", "draw", "start"]
    referee = a_player("Sylvie Doucet")
    assert client.post(address("give_role", made.slug), {"player": referee.slug, "name": "referee"}).status_code == 302
    for _round in range(2):
        if client.get(address("organise", made.slug)).context["step"].kind == "next":
            press(client, made)
        for match in Match.objects.filter(competition=made, state="called"):
            answer = sign_in(referee).post(
                address("paper", match.slug), {"winner_1": "0", "margin_1": "3", "seen": "0", "act": "certify"}
            )
            assert answer.status_code == 302, text(answer)
        client = sign_in(organiser)
    assert press(client, made) == "finish"
    made.refresh_from_db()
    assert made.state == "finished"
    assert client.get(address("organise", made.slug)).context["step"].kind == "done"


def test_the_same_click_twice_does_one_step(sign_in, organiser, club, hand):
    made = a_tournament(4, club=club, state="closed")
    client = sign_in(organiser)
    assert client.post(address("step", made.slug), {"code": "draw"}).status_code == 302
    assert client.post(address("step", made.slug), {"code": "draw"}).status_code == 409
    assert Stage.objects.filter(competition=made).count() == 1
    for code in ("", "finish", "x" * 1000):
        assert client.post(address("step", made.slug), {"code": code}).status_code == 409


def test_closing_the_check_in_drops_who_is_late_and_names_them_before(sign_in, organiser, club, hand):
    made = a_tournament(3, club=club, state="closed", check_in=True)
    hand.advance(minutes=45)
    client = sign_in(organiser)
    for entry in made.entries.all()[:2]:
        for spot in entry.roster.all():
            client.post(address("check_in", entry.slug), {"player": spot.player.slug, "here": "yes"})
    page = client.get(address("organise", made.slug))
    late = made.entries.last()
    assert page.context["step"].missing == (str(late),)
    assert press(client, made) == "check_in_close"
    late.refresh_from_db()
    assert (late.state, bool(late.reason)) == ("dropped", True)
    assert client.post(address("admit", made.slug, late.slug)).status_code == 302
    late.refresh_from_db()
    assert late.state == "checked_in"


def test_refusing_a_team_needs_a_reason_that_everybody_reads(sign_in, organiser, club, hand):
    made = a_tournament(2, club=club, state="open")
    entry = made.entries.first()
    client = sign_in(organiser)
    for reason in ("", "<b>non</b>", "n" * 1_000_000, "no\x07n"):
        assert client.post(address("refuse_entry", made.slug, entry.slug), {"reason": reason}).status_code == 422
    assert (
        client.post(address("refuse_entry", made.slug, entry.slug), {"reason": "Inscrite deux fois"}).status_code == 302
    )
    client.logout()
    assert "Inscrite deux fois" in text(client.get(address("entry", entry.slug)))


def test_an_entry_of_another_tournament_is_not_found_on_this_desk(sign_in, organiser, club, hand):
    made, other = a_tournament(2, club=club, state="open"), a_tournament(2, club=a_club("Les Pieux"), state="open")
    client = sign_in(organiser)
    for name in ("admit", "refuse_entry"):
        answer = client.post(address(name, made.slug, other.entries.first().slug), {"reason": "Non"})
        assert answer.status_code == 404


@pytest.mark.parametrize(
    ("numbers", "status"),
    [(("2", "1", "3"), 302), (("1", "1", "2"), 422), (("1", "", "2"), 422), (("1", "9", "2"), 422)],
)
def test_seeds_by_hand_are_each_given_once(numbers, status, sign_in, organiser, club, hand):
    made = a_tournament(3, club=club, state="closed")
    entries = list(made.entries.order_by("pk"))
    data = {"how": "hand"} | {f"seed-{entry.slug}": number for entry, number in zip(entries, numbers, strict=True)}
    answer = sign_in(organiser).post(address("give_seeds", made.slug), data)
    assert answer.status_code == status
    if status == 302:
        assert [Entry.objects.get(pk=entry.pk).seed for entry in entries] == [2, 1, 3]


def test_the_draw_is_taken_back_before_the_start(sign_in, organiser, club, hand):
    made = a_tournament(4, club=club, state="closed")
    client = sign_in(organiser)
    assert press(client, made) == "draw"
    assert client.post(address("discard_draw", made.slug)).status_code == 302
    assert not Stage.objects.filter(competition=made).exists()
    assert press(client, made) == "draw"


def test_offices_are_named_and_ended(sign_in, organiser, club, hand):
    made = a_tournament(2, club=club, state="open")
    sylvie = a_player("Sylvie Doucet")
    client = sign_in(organiser)
    assert "Sylvie Doucet" in text(client.get(address("people", made.slug) + "?q=sylv"))
    for name in ("referee", "head_referee"):
        assert client.post(address("give_role", made.slug), {"player": sylvie.slug, "name": name}).status_code == 302
    assert client.post(address("give_role", made.slug), {"player": sylvie.slug, "name": "king"}).status_code == 422
    assert client.post(address("give_role", made.slug), {"player": "nobody", "name": "referee"}).status_code == 404
    role = CompetitionRole.objects.get(name="referee")
    assert client.post(address("end_role", made.slug), {"role": role.pk}).status_code == 302
    role.refresh_from_db()
    assert role.until is not None
    assert client.post(address("end_role", made.slug), {"role": 10**30}).status_code == 404


def test_a_suspension_needs_its_reason_and_the_desk_goes_on_afterwards(sign_in, organiser, club, hand):
    made = a_tournament(4, club=club)
    client = sign_in(organiser)
    assert client.post(address("set_state", made.slug), {"to": "suspended"}).status_code == 422
    assert client.post(address("set_state", made.slug), {"to": "suspended", "reason": "Panne"}).status_code == 302
    assert press(client, made) == "resume"


# results on paper, absences, leaving


def a_called_match(club):
    made = a_tournament(4, club=club)
    match = Match.objects.filter(competition=made, state="called").order_by("number").first()
    return made, match, [captain_of(side.entry) for side in match.side_rows.order_by("position")]


def paper(**games):
    return {"winner_1": "0", "margin_1": "3", "seen": "0", "act": "report"} | games


def test_one_captain_reports_and_the_other_accepts(sign_in, club, hand):
    _made, match, (home, away) = a_called_match(club)
    assert sign_in(home).post(address("paper", match.slug), paper()).status_code == 302
    match.refresh_from_db()
    assert match.state == "reported"
    client = sign_in(away)
    page = client.get(address("paper", match.slug))
    assert page.context["to_accept"]
    seen = page.context["sheet"].version
    assert client.post(address("paper", match.slug), {"act": "accept", "seen": seen}).status_code == 302
    match.refresh_from_db()
    assert match.state == "confirmed"
    assert client.post(address("paper", match.slug), paper(winner_1="1", seen=seen)).status_code == 409


def test_two_captains_who_disagree_wait_for_a_referee(sign_in, club, hand):
    made, match, (home, away) = a_called_match(club)
    sign_in(home).post(address("paper", match.slug), paper())
    client = sign_in(away)
    seen = client.get(address("paper", match.slug)).context["sheet"].version
    assert client.post(address("paper", match.slug), paper(winner_1="1", seen=seen)).status_code == 302
    match.refresh_from_db()
    assert match.state == "contested"
    referee = a_player("Sylvie Doucet")
    CompetitionRole.objects.create(competition=made, player=referee, name="referee", since=clock.now())
    client = sign_in(referee)
    seen = client.get(address("paper", match.slug)).context["sheet"].version
    assert client.post(address("paper", match.slug), paper(seen=seen, act="certify")).status_code == 302
    match.refresh_from_db()
    assert match.state == "confirmed"


@pytest.mark.parametrize(
    "games", [{"winner_1": ""}, {"winner_1": "7"}, {"margin_1": "9"}, {"margin_1": "-1"}, {"margin_1": "many"}]
)
def test_an_impossible_paper_comes_back_with_its_field(games, sign_in, club, hand):
    _made, match, (home, _away) = a_called_match(club)
    answer = sign_in(home).post(address("paper", match.slug), paper(**games))
    assert answer.status_code == 422
    assert answer.context["form"].errors
    match.refresh_from_db()
    assert match.state == "called"


def test_strangers_report_nothing_and_nobody_decides_an_absence_for_others(sign_in, client, club, hand):
    _made, match, (home, _away) = a_called_match(club)
    assert client.get(address("paper", match.slug)).status_code == 302
    client = sign_in(a_player("Réjean"))
    for name in ("paper", "absent"):
        assert client.get(address(name, match.slug)).status_code == 403
        assert client.post(address(name, match.slug), paper()).status_code == 403
    client = sign_in(home)
    other = client.post(address("absent", match.slug), {"what": "forfeit:1", "reason": "Ils dorment"})
    assert other.status_code == 422
    assert client.post(address("absent", match.slug), {"what": "forfeit:0", "reason": "Malade"}).status_code == 302
    match.refresh_from_db()
    assert match.state == "awarded"


def test_the_organiser_notes_who_did_not_come(sign_in, organiser, club, hand):
    _made, match, _captains = a_called_match(club)
    client = sign_in(organiser)
    assert client.post(address("absent", match.slug), {"what": "no_show:1", "reason": ""}).status_code == 422
    assert client.post(address("absent", match.slug), {"what": "no_show:1", "reason": "Pas là"}).status_code == 302
    match.refresh_from_db()
    assert match.state == "awarded"


def test_a_team_withdraws_before_the_draw_without_a_reason(sign_in, club, hand):
    made = a_tournament(3, club=club, state="open")
    entry = made.entries.first()
    client = sign_in(captain_of(entry))
    assert client.get(address("leave", entry.slug)).status_code == 200
    assert client.post(address("leave", entry.slug), {"how": "withdrawal", "reason": ""}).status_code == 302
    entry.refresh_from_db()
    assert entry.state == "withdrawn"
    assert client.post(address("leave", entry.slug), {"how": "withdrawal"}).status_code in (403, 409)


def test_leaving_after_the_draw_shows_what_changes_first(sign_in, organiser, club, hand):
    _made, match, _captains = a_called_match(club)
    entry = match.side_rows.get(position=0).entry
    client = sign_in(organiser)
    page = client.get(address("leave", entry.slug))
    digest = page.context["preview"].digest
    assert page.context["preview"].rows
    blind = client.post(address("leave", entry.slug), {"how": "withdrawal", "reason": "Partis"})
    assert blind.status_code == 409
    data = {"how": "withdrawal", "reason": "Partis", "digest": digest}
    assert client.post(address("leave", entry.slug), data).status_code == 302
    match.refresh_from_db()
    assert match.state == "awarded"
    assert client.get(address("leave", entry.slug)).status_code == 409


def test_only_referees_disqualify(sign_in, organiser, club, hand):
    made, match, _captains = a_called_match(club)
    entry = match.side_rows.get(position=0).entry
    assert sign_in(organiser).get(address("leave", entry.slug)).context["ways"] == ["withdrawal"]
    referee = a_player("Sylvie Doucet")
    CompetitionRole.objects.create(competition=made, player=referee, name="head_referee", since=clock.now())
    client = sign_in(referee)
    page = client.get(address("leave", entry.slug) + "?how=disqualification")
    data = {"how": "disqualification", "reason": "Triche", "digest": page.context["preview"].digest}
    assert client.post(address("leave", entry.slug), data).status_code == 302
    entry.refresh_from_db()
    assert entry.state == "disqualified"
    assert sign_in(a_player("Réjean")).get(address("leave", entry.slug)).status_code == 403


def test_the_desk_takes_as_many_queries_for_many_teams_as_for_few(sign_in, organiser, club, hand):
    made = a_tournament(3, club=club, state="open")
    client = sign_in(organiser)

    def queries():
        with CaptureQueriesContext(connection) as caught:
            client.get(address("organise", made.slug))
        return len(caught)

    few = queries()
    for number in range(6):
        registration.register(by=SITE, competition=made, team=a_team(f"Encore {number}", club=club))
    assert queries() == few


def test_a_substitute_plays_by_the_captains_click_and_by_nobody_elses(sign_in, club, hand):
    made = a_tournament(0, club=club, state="open")
    team = a_team("Draveurs", club=club)
    captain, partner = (spell.player for spell in team.spells.order_by("slot"))
    extra = a_player("Fernand Doucet")
    clubs.answer(by=extra, invitation=clubs.invite(by=captain, team=team, player=extra, slot=3), accept=True)
    entry = registration.register(by=captain, competition=made, team=team, substitutes=[extra])
    change = {"leaves": partner.slug, "comes": extra.slug}
    assert sign_in(a_player("Réjean")).post(address("substitute", entry.slug), change).status_code == 403
    client = sign_in(captain)
    assert "Fernand Doucet" in text(client.get(address("entry", entry.slug)))
    wrong = client.post(address("substitute", entry.slug), {"leaves": extra.slug, "comes": partner.slug})
    assert wrong.status_code == 422
    assert client.post(address("substitute", entry.slug), {"leaves": "", "comes": "x" * 99}).status_code == 422
    assert client.post(address("substitute", entry.slug), change).status_code == 302
    assert partner_of(entry) == extra


def test_second_meetings_are_opened_only_when_the_organiser_accepts_them_by_name(sign_in, organiser, club, hand):
    made = a_tournament(4, club=club, plan=a_plan("swiss", rounds=3))
    stage = made.stages.get()
    stage.options = {**stage.options, "rounds": 4}  # only three rounds of four teams are possible without a rematch
    stage.save()
    play_on(made)
    client = sign_in(organiser)
    step = client.get(address("organise", made.slug)).context["step"]
    assert step.kind == "next"
    refused = client.post(address("step", made.slug), {"code": step.code})
    assert refused.status_code == 422
    relaxed = refused.context["relaxed"]
    assert re.fullmatch(r"\d+-\d+,\d+-\d+", relaxed)
    for other in (relaxed.split(",")[0], "900001-900002,900003-900004", "x", "1-2;drop"):
        answer = client.post(address("step", made.slug), {"code": step.code, "relaxed": other})
        assert answer.status_code in (409, 422)
    assert client.post(address("step", made.slug), {"code": step.code, "relaxed": relaxed}).status_code == 302
    assert Match.objects.filter(competition=made, state="called").count() == 2


# public pages


def test_tournaments_that_take_entries_are_on_the_first_page_and_tonight(client, club, hand):
    made = a_tournament(2, club=club, state="open", size=3)
    hidden = a_tournament(0, club=a_club("Les Pieux"), state="draft")
    for page in ("pages:home", "pages:tonight"):
        shown = text(client.get(reverse(page)))
        assert address("register", made.slug) in shown
        assert address("register", hidden.slug) not in shown
    (one,) = client.get(reverse("pages:home")).context["open_entries"]
    assert one.left == 1


def test_a_paper_waits_on_the_first_page_of_the_captain_who_has_to_answer(sign_in, club, hand):
    _made, match, (home, away) = a_called_match(club)
    link = address("paper", match.slug)
    assert link in text(sign_in(home).get(reverse("pages:home")))
    sign_in(home).post(link, paper())
    assert link not in text(sign_in(home).get(reverse("pages:home")))
    assert link in text(sign_in(away).get(reverse("pages:home")))


def a_tied_group(club):
    """Two groups of three, one qualifies from each; in both, each entry has one win and one loss."""

    def in_a_circle(match):
        seeds = [side.entry.seed for side in match.side_rows.select_related("entry").order_by("position")]
        members = sorted(
            side.entry.seed
            for side in match.round.group.rounds.get(number=1).side_rows.select_related("entry")
            if side.entry is not None
        )
        home, away = (members.index(seed) for seed in seeds)
        return 0 if (away - home) % 3 == 1 else 1

    plan = a_plan("groups_knockout", groups=2, qualify=1)
    made = a_tournament(6, club=club, plan=plan, tiebreaks=plan.tiebreaks)
    play_on(made, wins=in_a_circle)
    return made


def test_equal_teams_stop_the_tournament_until_the_tie_is_settled_in_the_open(sign_in, organiser, club, hand):
    made = a_tied_group(club)
    client = sign_in(organiser)
    page = client.get(address("organise", made.slug))
    assert page.context["step"].kind == "settle"
    assert len(page.context["step"].missing) == 6
    first, second = page.context["ties"]
    group = first["tie"].group.pk
    names = [f"place-{entry.slug}" for entry in first["entries"]]
    by_ruling = {"group": group, "how": "ruling", "reason": "Match d'appui"}
    for data in (
        {"group": 10**9, "how": "lots"},
        {"group": group, "how": "coin"},
        by_ruling,  # no order
        by_ruling | {names[0]: "1", names[1]: "1", names[2]: "2"},
        by_ruling | {names[0]: "1", names[1]: "2"},
        by_ruling | {names[0]: "1", names[1]: "2", names[2]: "3", "reason": ""},
        by_ruling | {names[0]: "1", names[1]: "2", names[2]: "3", "reason": "<b>"},
    ):
        assert client.post(address("settle", made.slug), data).status_code == 422
    good = by_ruling | {names[1]: "1", names[0]: "2", names[2]: "3"}
    assert client.post(address("settle", made.slug), good).status_code == 302
    lots = {"group": second["tie"].group.pk, "how": "lots"}
    assert client.post(address("settle", made.slug), lots).status_code == 302
    assert client.post(address("settle", made.slug), lots).status_code == 409  # there is no tie any more
    final = Match.objects.get(competition=made, label="final")
    assert first["entries"][1].pk in final.side_rows.values_list("entry", flat=True)


def test_a_cancelled_tournament_has_no_podium(sign_in, organiser, club, hand):
    made = a_tournament(4, club=club)
    play_on(made, matches=3)  # the third place is certain, and the final is not played
    client = sign_in(organiser)
    assert client.get(address("competition", made.slug)).context["podium"]
    lifecycle.advance(by=SITE, competition=made, to="cancelled", reason="Panne de courant")
    page = client.get(address("organise", made.slug))
    assert page.context["step"].kind == "done"
    assert "podium" not in text(page).lower()
    assert page.context["step"].sentence != str(next_step.next_step(a_tournament(4, state="finished")).sentence)
    assert client.get(address("competition", made.slug)).context["podium"] == []


def test_the_desk_offers_the_end_when_no_further_round_can_be_paired(sign_in, organiser, hand):
    tournament = a_tournament(7, plan=a_plan("swiss", rounds=7))
    roles.give(by=SITE, competition=tournament, player=organiser, name="organiser")
    client = sign_in(organiser)
    play_on(tournament, matches=6)
    for entry in tournament.entries.order_by("-seed")[:4]:
        withdrawals.withdraw(by=SITE, entry=entry, reason="Malade.")
    offered = None
    for _round in range(7):
        play_on(tournament)
        code = re.search(r'name="code" value="(next:\d+)"', text(client.get(address("organise", tournament.slug))))
        answer = client.post(address("step", tournament.slug), {"code": code[1]})
        while (pairs := re.search(r'name="relaxed" value="([^"]+)"', text(answer))) is not None:
            answer = client.post(address("step", tournament.slug), {"code": code[1], "relaxed": pairs[1]})
        offered = re.search(r'name="to" value="finished"', text(answer))
        if offered is not None:
            assert answer.status_code == 422
            break
    assert offered is not None
    assert client.post(address("set_state", tournament.slug), {"to": "finished"}).status_code == 302
    tournament.refresh_from_db()
    assert tournament.state == "finished"


def test_nobody_is_checked_in_at_the_desk_weeks_before(sign_in, organiser, club, hand):
    made = a_tournament(2, club=club, state="open", check_in=True)
    client = sign_in(organiser)
    door = address("check_in", made.entries.first().slug)
    assert door not in text(client.get(address("organise", made.slug)))
    with clock.frozen(made.check_in_from):
        assert door in text(client.get(address("organise", made.slug)))
