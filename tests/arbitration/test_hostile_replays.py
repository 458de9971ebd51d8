"""Rulings about a game that was itself ordered by a ruling."""

import pytest

from tests.competitions.world import finish_game
from tock_league.arbitration.core.decisions import Decision
from tock_league.arbitration.services.appeals import reviews
from tock_league.arbitration.services.cases import disputes
from tock_league.competitions.selectors.results.effective import effective_of
from tock_league.competitions.services.results import settlement
from tock_league.competitions.services.rounds import publishing

from .world import WORDS, World, a_world, fresh

pytestmark = pytest.mark.django_db


@pytest.fixture
def world(db, hand) -> World:
    return a_world(best_of=3)


def score(world: World) -> tuple[int, ...]:
    world.match.refresh_from_db()
    return effective_of(world.match).score


def play_next(world: World, winner: int) -> None:
    world.match.refresh_from_db()
    settlement.settle(game_id=finish_game(world.match, winner))
    world.match.refresh_from_db()


def test_a_forfeit_in_a_game_played_again_is_that_games_and_no_other(world: World, hand) -> None:
    world.open()
    play_next(world, 0)
    play_next(world, 0)
    assert score(world) == (2, 0)
    case = world.taken(world.heard(world.dispute()))
    world.rule(
        case,
        Decision(
            "referee_error", result="replay", game_number=2, facts="La pendule.", reasons="Erreur.", fault="referee"
        ),
    )
    assert score(world) == (1, 0)
    publishing.open_table(match_id=world.match.pk, early=True)
    play_next(world, 1)
    assert score(world) == (1, 1)
    # The second game of the match is the first one at its new table; its winner is found guilty of talking.
    game = world.match.table.games.order_by("number").first()
    winner, loser = world.players[1], world.players[0]
    other = disputes.file(by=loser, game=game, seq=1, kind="talk", text=WORDS)
    disputes.answer(by=winner, case=other, text="Non.")
    other = world.taken(fresh(other))
    world.rule(
        other,
        Decision(
            "upheld",
            row="talk",
            rules=("8",),
            offender=winner.pk,
            penalty="game_forfeit",
            deviation_reason="Trois fois.",
            facts="Il a parlé.",
            reasons="Interdit.",
        ),
    )
    assert score(world) == (2, 0)
    assert [game.winner for game in [effective_of(world.match)]] == [0]
    again = reviews.open_review(by=world.another_head(), case=fresh(other), reason="Un témoin de plus.")
    assert again.reviews == fresh(other)
