"""Overturned rulings leave no effects."""

import pytest

from tests.competitions.world import a_plan, a_tournament, decide, play_on, under_way
from tock_league.accounts.permissions import SITE
from tock_league.arbitration.core.decisions import Decision
from tock_league.arbitration.models import Case
from tock_league.arbitration.services.appeals import hearing
from tock_league.competitions.models import Competition, Entry
from tock_league.competitions.selectors.results.effective import effective_of
from tock_league.competitions.services.entries import returning, withdrawals

from .world import World, fresh, replied

pytestmark = pytest.mark.django_db
NOTHING = Decision("dismissed", facts="Rien.", reasons="Rien n’est prouvé.")


def overturn(case: Case, decision: Decision = NOTHING) -> None:
    for seat in case.panel.filter(place__isnull=False).select_related("member"):
        hearing.vote(by=seat.member, case=case, vote="overturn", note="Non.")
    member = case.panel.get(place=1).member
    shown = hearing.preview(by=member, case=case, decision=decision)
    hearing.rule(by=member, case=case, decision=decision, preview_digest=shown.digest)


def picture(competition: Competition) -> tuple[dict[int, str], dict[int, object]]:
    """Return the entries and the results."""
    entries = dict(Entry.objects.filter(competition=competition).values_list("pk", "state"))
    return entries, {match.pk: effective_of(match) for match in competition.matches.all()}


def test_an_exclusion_overturned_on_appeal_gives_the_entry_its_place_and_its_matches_back(world: World) -> None:
    case = world.taken(world.heard(world.dispute()))
    before = picture(world.competition)
    world.rule(case, world.against(case, penalty="exclusion", deviation_reason="Il triche depuis longtemps."))
    assert picture(world.competition) != before
    hearing.appeal(by=world.players[0], case=case, grounds="fact", text="Personne n’a rien entendu.")
    hearing.form_panel(by=world.organiser, case=case)
    replied(case, world.players)
    overturn(fresh(case))
    assert picture(world.competition) == before


@pytest.mark.parametrize("played", [1, 5])
@pytest.mark.parametrize("kind", ["groups_knockout", "swiss"])
def test_a_team_that_comes_back_after_an_exclusion_plays_on_and_the_tournament_ends(
    db, hand, kind: str, played: int
) -> None:
    tournament = a_tournament(8, plan=a_plan(kind))
    play_on(tournament, matches=played)
    entry = tournament.entries.order_by("seed")[0]
    before = picture(tournament)
    withdrawals.disqualify(by=SITE, entry=entry, reason="TL-2026-000001/1")
    assert picture(tournament) != before
    returning.reinstate(by=SITE, entry=entry, reason="TL-2026-000001/2")
    assert Entry.objects.get(pk=entry.pk).state == "disqualified"  # that was another ruling
    returning.reinstate(by=SITE, entry=entry, reason="TL-2026-000001/1")
    assert picture(tournament) == before
    play_on(tournament)
    tournament.refresh_from_db()
    assert tournament.state == "finished"
    assert Entry.objects.filter(competition=tournament, final_rank__isnull=False).count() == 8


def test_in_a_bracket_the_match_that_was_walked_over_is_played_unless_a_later_one_has_begun(db, hand) -> None:
    tournament = a_tournament(4, plan=a_plan("knockout"))
    first, second = under_way(tournament)
    entry = first.side_rows.get(position=0).entry
    withdrawals.disqualify(by=SITE, entry=entry, reason="TL-2026-000001/1")
    returning.reinstate(by=SITE, entry=entry, reason="TL-2026-000001/1")
    first.refresh_from_db()
    assert (first.state, effective_of(first).state) == ("called", "open")
    decide(first, 0)
    decide(second, 0)
    final = tournament.matches.get(label="final")
    withdrawals.disqualify(by=SITE, entry=entry, reason="TL-2026-000002/1")
    final.refresh_from_db()
    assert final.state == "awarded"
    returning.reinstate(by=SITE, entry=entry, reason="TL-2026-000002/1")
    final.refresh_from_db()
    assert final.state == "called"
    play_on(tournament)
    tournament.refresh_from_db()
    assert tournament.state == "finished"
