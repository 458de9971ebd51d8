"""A captain registers on the pages, the partner confirms, both check in; substitutes, and leaving again."""

import pytest
from django.urls import reverse

from tock_league.clubs import services as clubs
from tock_league.common import clock
from tock_league.competitions.models import CheckIn, CompetitionRole, Entry
from tock_league.competitions.services.entries import registration

from .tournament_desk import a_called_match, address, captain_of, partner_of, text
from .world import a_club, a_player, a_team, a_tournament

pytestmark = pytest.mark.django_db


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


def test_tournaments_that_take_entries_are_on_the_first_page_and_tonight(client, club, hand):
    made = a_tournament(2, club=club, state="open", size=3)
    hidden = a_tournament(0, club=a_club("Les Pieux"), state="draft")
    for page in ("pages:home", "pages:tonight"):
        shown = text(client.get(reverse(page)))
        assert address("register", made.slug) in shown
        assert address("register", hidden.slug) not in shown
    (one,) = client.get(reverse("pages:home")).context["open_entries"]
    assert one.left == 1
