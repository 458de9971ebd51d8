"""Evenings with results, no-shows, double forfeits, withdrawals and disqualifications in any order.

In every case the tournament ends, every entry that stayed has a rank, and the stored rows are consistent.
`TOCK_EVENINGS=50` in the environment plays fifty evenings of each kind.
"""

import os
import random

import pytest

from tock_league.accounts.permissions import SITE
from tock_league.competitions.models import BracketEdge, Entry, Match, Round, Side, StageInput
from tock_league.competitions.selectors.results.effective import advancing_of
from tock_league.competitions.selectors.rounds import progress as selectors
from tock_league.competitions.services.entries import withdrawals
from tock_league.competitions.services.results import settlement
from tock_league.competitions.services.rounds import ties

from .world import a_plan, a_tournament, decide, stronger, under_way

pytestmark = pytest.mark.django_db
EVENINGS = int(os.environ.get("TOCK_EVENINGS", "1"))  # of each kind
PLANS = {
    "knockout": lambda: a_plan(),
    "double_elimination": lambda: a_plan("double_elimination"),
    "placement": lambda: a_plan("placement"),
    "consolation": lambda: a_plan("consolation"),
    "groups": lambda: a_plan("groups_knockout", groups=2, qualify=2),
    "best_thirds": lambda: a_plan("groups_knockout", groups=3, berths=8),
    "round_robin": lambda: a_plan("round_robin"),
    "swiss": lambda: a_plan("swiss", rounds=3),
}


FIELDS = {"consolation": (9, 11), "best_thirds": (9, 10, 11)}


def something_happens(cup, chance):
    """Do one random thing that happens in a hall; return whether anything was left to do."""
    waiting = under_way(cup)
    for tie in selectors.ties(cup):
        ties.settle_tie(by=SITE, group=tie.group, how="lots")
        return True
    if not waiting:
        return False
    match = chance.choice(waiting)
    what = chance.random()
    playing = list(cup.entries.filter(state="playing").order_by("pk"))
    if what < 0.6:
        decide(match, chance.choice((0, 1)))
    elif what < 0.7:
        withdrawals.no_show(by=SITE, match=match, position=chance.choice((0, 1)), reason="Absents")
    elif what < 0.8:
        settlement.award(by=SITE, match=match, winner=None, reason="Personne")
    elif what < 0.9 and len(playing) > 3:
        withdrawals.withdraw(by=SITE, entry=chance.choice(playing), reason="Malade")
    elif what < 0.95 and len(playing) > 3:
        withdrawals.disqualify(by=SITE, entry=chance.choice(playing), reason="Conduite")
    else:
        decide(match, stronger(match))
    return True


def agrees_with_itself(cup):
    """Check the rules that no constraint of the database can enforce."""
    for edge in BracketEdge.objects.filter(from_match__competition=cup).select_related("from_match"):
        result = advancing_of(edge.from_match)
        if result.state != "decided" or result.winner is None:
            continue
        position = result.winner if edge.outcome == "winner" else 1 - result.winner
        goes = edge.only_position in (None, position)
        comes = Side.objects.get(match=edge.from_match, position=position).entry_id if goes else None
        assert Side.objects.get(match=edge.to_match_id, position=edge.to_position).entry_id == comes
    for row in Round.objects.filter(group__stage__competition=cup).select_related("group__stage"):
        assert (row.state == "done") == (not selectors.undecided(row).exists())
    unseated = StageInput.objects.filter(stage__competition=cup, match__isnull=True).select_related("stage")
    assert not any(selectors.is_bracket(row.stage) for row in unseated)


@pytest.mark.parametrize("seed", range(EVENINGS))
@pytest.mark.parametrize("kind", PLANS)
def test_any_evening_comes_to_its_end(hand, kind, seed):
    chance = random.Random(f"{kind} {seed}")
    cup = a_tournament(chance.choice(FIELDS.get(kind, (4, 5, 6, 7, 8))), plan=PLANS[kind]())
    for _step in range(200):
        if not something_happens(cup, chance):
            break
        agrees_with_itself(cup)
    cup.refresh_from_db()
    assert cup.state == "finished", [(m.label, m.state, m.round.state) for m in Match.objects.filter(competition=cup)]
    ranked = cup.entries.exclude(state__in=(Entry.State.DISQUALIFIED, Entry.State.WITHDRAWN))
    assert not ranked.filter(final_rank__isnull=True).exists(), list(cup.entries.values("state", "final_rank"))
