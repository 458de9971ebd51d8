"""The desk of a tournament: who reaches it, from the draft to the podium by one button, entries, seeds, the draw, offices."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from tock_league.accounts.permissions import SITE
from tock_league.common import clock
from tock_league.competitions.models import CompetitionRole, Entry, Match, Stage
from tock_league.competitions.services.entries import registration

from .tournament_desk import address, captain_of, press, text
from .world import a_club, a_plan, a_player, a_team, a_tournament

pytestmark = pytest.mark.django_db


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


def test_nobody_is_checked_in_at_the_desk_weeks_before(sign_in, organiser, club, hand):
    made = a_tournament(2, club=club, state="open", check_in=True)
    client = sign_in(organiser)
    door = address("check_in", made.entries.first().slug)
    assert door not in text(client.get(address("organise", made.slug)))
    with clock.frozen(made.check_in_from):
        assert door in text(client.get(address("organise", made.slug)))
