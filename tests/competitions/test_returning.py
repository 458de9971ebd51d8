"""A team that withdrew by mistake is brought back by the desk."""

import pytest
from django.test import Client
from django.urls import reverse

from tock_league.accounts.permissions import SITE
from tock_league.clubs import services as clubs
from tock_league.common.errors import Conflict, NotAllowed, Refused
from tock_league.competitions.models import Entry
from tock_league.competitions.services.entries import registration, returning, rosters, withdrawals
from tock_league.competitions.services.rounds import draw, publishing
from tock_league.competitions.services.seasons import lifecycle, roles

from .onlooker import changed, seen
from .world import a_plan, a_player, a_signed_up_player, a_tournament, play_on, under_way

pytestmark = pytest.mark.django_db


def withdrawn(cup, seed: int = 1) -> Entry:
    entry = cup.entries.get(seed=seed)
    withdrawals.withdraw(by=SITE, entry=entry, reason="Grippe")
    entry.refresh_from_db()
    return entry


def brought_back(entry: Entry, by=SITE) -> Entry:
    shown = returning.preview(by=by, entry=entry)
    return returning.bring_back(by=by, entry=entry, reason="C’était une erreur.", digest=shown.digest)


@pytest.mark.parametrize("plan", [a_plan(), a_plan("groups_knockout", groups=1, qualify=2)])
def test_a_team_that_is_brought_back_has_its_matches_again(hand, plan):
    cup = a_tournament(4, plan=plan)
    before = seen(cup)
    entry = withdrawn(cup)
    assert changed(before, seen(cup))
    assert brought_back(entry).state == "playing"
    left = changed(before, seen(cup))
    assert set(left) <= {"matches"}
    assert all(set(parts) == {"table_no"} for parts in left.get("matches", {}).values())


def test_it_is_paired_again_in_the_next_round_and_the_missed_one_stays_missed(hand):
    cup = a_tournament(4, plan=a_plan("swiss", rounds=3, auto=False))
    entry = withdrawn(cup)
    play_on(cup)
    group = cup.stages.get().groups.get()
    publishing.publish_next(by=SITE, group=group)
    assert not cup.matches.filter(round__number=2, side_rows__entry=entry).exists()
    brought_back(entry)
    play_on(cup)
    publishing.publish_next(by=SITE, group=group)
    assert cup.matches.filter(round__number=3, side_rows__entry=entry).exists()


def test_a_walk_over_on_which_a_played_final_depends_stands(hand):
    cup = a_tournament(4)
    entry = withdrawn(cup)
    play_on(cup, matches=1)  # the other semi-final
    final = cup.matches.get(label="final")
    play_on(cup)
    final.refresh_from_db()
    assert final.state == "confirmed"
    cup.refresh_from_db()
    assert cup.state == "finished"
    with pytest.raises(Conflict):
        returning.preview(by=SITE, entry=entry)


def test_only_officials_who_are_not_on_its_roster_bring_a_team_back(hand):
    cup = a_tournament(4)
    entry = withdrawn(cup)
    captain = entry.roster.get(role="starter", slot=1).player
    roles.give(by=SITE, competition=cup, player=captain, name="organiser")
    for by in (None, a_player("Personne"), captain):
        with pytest.raises(NotAllowed):
            returning.preview(by=by, entry=entry)
    referee = a_player("Lise Caron")
    roles.give(by=SITE, competition=cup, player=referee, name="referee")
    assert brought_back(entry, by=referee).state == "playing"
    with pytest.raises(Conflict):
        returning.preview(by=referee, entry=entry)


def test_a_reason_and_the_preview_that_was_seen_are_needed(hand):
    cup = a_tournament(4)
    entry = withdrawn(cup)
    shown = returning.preview(by=SITE, entry=entry)
    with pytest.raises(Refused) as error:
        returning.bring_back(by=SITE, entry=entry, reason=" ", digest=shown.digest)
    assert error.value.code == "reason_missing"
    with pytest.raises(Conflict) as moved:
        returning.bring_back(by=SITE, entry=entry, reason="Erreur", digest="0" * 64)
    assert moved.value.code == "preview_moved"
    entry.refresh_from_db()
    assert entry.state == "withdrawn"


def test_the_desk_brings_a_team_back_on_its_page(hand):
    cup = a_tournament(4)
    entry = withdrawn(cup)
    organiser = a_signed_up_player("lise@example.org", "Lise Caron")
    roles.give(by=SITE, competition=cup, player=organiser, name="organiser")
    client = Client()
    client.force_login(organiser.user)
    address = reverse("competitions:bring_back", args=[entry.slug])
    assert address in client.get(reverse("competitions:entry", args=[entry.slug])).content.decode()
    shown = client.get(address).context["preview"]
    assert {row.kind for row in shown.rows} >= {"entry", "result"}
    assert client.post(address, {"digest": shown.digest}).status_code == 422
    assert client.post(address, {"digest": shown.digest, "reason": "Erreur"}).status_code == 302
    entry.refresh_from_db()
    assert entry.state == "playing"
    assert address not in client.get(reverse("competitions:entry", args=[entry.slug])).content.decode()
    assert [match for match in under_way(cup) if match.side_rows.filter(entry=entry).exists()]


# --- a substitute after the entry ------------------------------------------------------------------------------------


def a_team_substitute(entry: Entry):
    """Let somebody join the team of the entry as a substitute."""
    team, captain, player = entry.team, entry.roster.get(role="starter", slot=1).player, a_player("Océane Trudel")
    clubs.answer(by=player, invitation=clubs.invite(by=captain, team=team, player=player, slot=3), accept=True)
    return player


def test_the_desk_adds_a_substitute_after_the_draw_who_then_plays(hand):
    cup = a_tournament(4)
    entry = cup.entries.get(seed=1)
    player = a_team_substitute(entry)
    leaves = entry.roster.get(role="starter", slot=2).player
    rosters.add_substitute(by=SITE, entry=entry, player=player)
    rosters.substitute(by=SITE, entry=entry, leaves=leaves, comes=player)
    assert entry.roster.get(role="starter", slot=2, left__isnull=True).player == player
    with pytest.raises(Refused) as error:
        rosters.add_substitute(by=SITE, entry=entry, player=player)
    assert error.value.code == "I07"


def test_the_captain_adds_a_substitute_until_the_draw_and_only_one_of_the_team(hand):
    cup = a_tournament(4, state="closed")
    entry = cup.entries.order_by("pk").first()
    captain, player = entry.roster.get(role="starter", slot=1).player, a_team_substitute(entry)
    with pytest.raises(Refused) as error:
        rosters.add_substitute(by=captain, entry=entry, player=a_player("Personne"))
    assert error.value.code == "not_a_substitute"
    rosters.add_substitute(by=captain, entry=entry, player=player)
    assert entry.roster.filter(role="substitute", player=player).count() == 1
    drawn = a_tournament(4).entries.get(seed=1)
    other = a_team_substitute(drawn)
    with pytest.raises(NotAllowed):
        rosters.add_substitute(by=drawn.roster.get(role="starter", slot=1).player, entry=drawn, player=other)


def test_the_entry_page_offers_the_substitutes_of_the_team(hand):
    cup = a_tournament(4)
    entry = cup.entries.get(seed=1)
    player = a_team_substitute(entry)
    organiser = a_signed_up_player("lise@example.org", "Lise Caron")
    roles.give(by=SITE, competition=cup, player=organiser, name="organiser")
    client = Client()
    client.force_login(organiser.user)
    page = reverse("competitions:entry", args=[entry.slug])
    assert client.get(page).context["to_add"] == [player]
    assert (
        client.post(reverse("competitions:add_substitute", args=[entry.slug]), {"player": player.slug}).status_code
        == 302
    )
    assert client.get(page).context["to_add"] == []


def test_a_team_that_withdrew_before_the_draw_is_not_brought_back(hand):
    cup = a_tournament(4, state="closed", plan=a_plan("swiss", rounds=3))
    entry = cup.entries.order_by("pk").first()
    registration.withdraw_before_draw(by=SITE, entry=entry, reason="Grippe")
    draw.draw(by=SITE, competition=cup)
    lifecycle.advance(by=SITE, competition=cup, to="running")
    with pytest.raises(Conflict) as error:
        returning.preview(by=SITE, entry=entry)
    assert error.value.code == "entry_state"
    organiser = a_signed_up_player("lise@example.org", "Lise Caron")
    roles.give(by=SITE, competition=cup, player=organiser, name="organiser")
    client = Client()
    client.force_login(organiser.user)
    page = client.get(reverse("competitions:entry", args=[entry.slug]))
    assert page.context["may_bring_back"] is False
