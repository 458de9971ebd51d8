"""Random histories of rulings, appeals and re-examinations: the invariants hold, and overturning everything restores
the start."""

import random

from ratings.models import RatedResult
from tests.competitions.world import play_match
from tock_league.arbitration.core.decisions import Decision
from tock_league.arbitration.models import Case, Ruling
from tock_league.arbitration.selectors.cases import audit
from tock_league.arbitration.services.appeals import hearing, reviews
from tock_league.arbitration.services.referees import leases
from tock_league.common import canonical
from tock_league.common.errors import Refused
from tock_league.competitions.models import Match
from tock_league.competitions.selectors.results.effective import effective_of

from .outcome import standings
from .world import TALK, World, a_referee, decided, fresh, replied, votes

NOTHING = Decision("dismissed", facts="Rien n’est prouvé.", reasons="Le doute profite au jeu.")


def told(world: World) -> str:
    """Return everything that a ruling can change, as one text: results, the table, the inputs of the ratings."""
    results = {
        match.slug: [(side.position, side.outcome, side.games) for side in effective_of(match).sides]
        for match in Match.objects.filter(competition=world.competition)
    }
    last: dict[str, list] = {}
    for row in RatedResult.objects.order_by("pk"):
        last[row.source] = [row.kind, row.ranks, row.rated]
    return canonical.utf8({"results": results, "table": standings(world), "log": last}).decode()


def decision_for(world: World, case: Case, roll: random.Random) -> Decision:
    offender = world.players[roll.randrange(4)].pk
    change = roll.choice(
        [
            {},
            {"result": "result", "game_number": 1, "winner": 0},
            {"result": "result", "game_number": 1, "winner": 1},
            {"result": "void"},
            {"penalty": "game_forfeit", "deviation_reason": "Devant tout le monde."},
            {"penalty": "match_forfeit", "deviation_reason": "Devant tout le monde."},
            {"row": "talk_play"},
        ]
    )
    return decided(TALK, offender=offender, **change)


def test_overturning_everything_restores_results_standings_and_ratings(world: World, hand) -> None:
    roll = random.Random(0)
    for _number in range(2):
        a_referee(world.competition)
    matches = list(world.competition.matches.filter(round__number=1).order_by("number"))
    worlds = [World(world.competition, match, world.referees, world.head, world.organiser) for match in matches]
    for one in worlds:
        play_match(one.match, roll.randrange(2))
    before = told(world)
    ruled: list[Case] = []
    for step in range(4):
        hand.advance(minutes=1)
        one = roll.choice(worlds)
        open_case = one.dispute(by=one.players[roll.randrange(4)], seq=3 + step)
        case = one.taken(one.heard(open_case))
        try:
            one.rule(case, decision_for(one, case, roll))
        except Refused as refused:
            if refused.code != "unplayed_game":  # an earlier ruling has voided the match, so it has no result to change
                raise
            one.rule(case, NOTHING)
        assert audit.audit().faults == ()
        if roll.random() < 0.4:
            hearing.appeal(by=one.players[0], case=fresh(case), grounds="fact", text="Un témoin parle.")
            hearing.form_panel(by=one.organiser, case=fresh(case))
            replied(case, one.players)
            members = votes(one, fresh(case), "overturn", "uphold", "overturn")
            shown = hearing.preview(by=members[0], case=fresh(case), decision=NOTHING)
            hearing.rule(by=members[0], case=fresh(case), decision=NOTHING, preview_digest=shown.digest)
            assert audit.audit().faults == ()
        else:
            ruled.append(case)
    roll.shuffle(ruled)
    other, by = world.another_head(), a_referee(world.competition)
    for case in ruled:
        review = reviews.open_review(by=other, case=fresh(case), reason="Un enregistrement a été trouvé.")
        next(one for one in worlds if one.match == review.match).both_heard(review)
        leases.take(by=by, case=review)
        world.rule(fresh(review), NOTHING, by=by)
        assert audit.audit().faults == ()
    assert told(world) == before
    assert not Ruling.objects.filter(superseded_by=None, confirms=None).exclude(penalty="none").exists()
