"""Playing for the partner, and the end of the game."""

from collections import Counter

from games.engine.game import Outcome
from games.engine.tock.game import GAME
from tests.boards import after, at, deck_of, lines, new
from tests.rules.sheets import sentence
from tests.rules.words import hand, places, played

HOME = "h1 h2 h3 h4"


def _ranks(p) -> tuple[int, ...] | None:  # type: ignore[no-untyped-def]
    outcome: Outcome | None = GAME.outcome(p)
    return None if outcome is None else outcome.ranks


@sentence
def test_play_on_for_the_partner(rules: str) -> None:
    p = at(rules=rules, marbles=f"0: {HOME} / 2: t20 t30", hands="0: 9C")
    assert lines(p) == ["9C t20-t29", "9C t30-t39"]
    _still_dealt(rules, 4, 2)


@sentence
def test_play_on_for_the_next_teammate(rules: str) -> None:
    p = at(rules=rules, seats=8, marbles=f"0: {HOME} / 2: {HOME} / 4: t20 / 6: t30", hands="0: 9C")
    assert lines(p) == ["9C t20-t29"]
    _still_dealt(rules, 6, 2)


def _still_dealt(rules: str, seats: int, teams: int) -> None:
    """A finished seat gets cards in the next deal, and gives one if there is an exchange."""
    data = at(rules=rules, seats=seats, teams=teams, marbles=f"0: {HOME}", phase="over").to_json()
    data |= {"phase": "deck", "hands": [[] for _ in range(seats)], "stock": [], "deal": 0, "turn": 0}
    data["first"] = True
    p = after(GAME.from_json(data), "deck " + " ".join(deck_of(rules, seats)))
    assert p.phase == "give"
    before = len(hand(p, 0))
    assert before == 5
    while p.phase == "give":
        p = after(p, lines(p)[0])
    assert len(hand(p, 0)) == 5


@sentence
def test_the_side_changes_between_plays(rules: str) -> None:
    p = at(rules=rules, marbles="0: t69 h2 h3 h4 / 2: t20", hands="0: 2C 9D / 1: / 2: / 3:")
    assert all("t20" not in line for line in lines(p))
    q = after(p, "2C t69-h1")
    assert lines(q) == ["9D t20-t29"]


@sentence
def test_the_game_ends_at_once(rules: str) -> None:
    p = played(rules, "2S t69-h1", f"0: t69 h2 h3 h4 / 2: {HOME}")
    assert (p.phase, _ranks(p), lines(p)) == ("over", (0, 1), [])
    joker = played(rules, "JK t53-h1", f"0: t53 h2 h3 h4 / 2: {HOME}")
    assert (joker.phase, _ranks(joker)) == ("over", (0, 1))
    # Seat 0's five brings the other team's last marble home.
    five = played(rules, "5S t12-h1", f"1: t12 h2 h3 h4 / 3: {HOME}")
    assert (five.phase, _ranks(five)) == ("over", (1, 0))


@sentence
def test_the_game_ends_when_a_team_is_home(rules: str) -> None:
    p = played(rules, "2S t69-h1", f"0: t69 h2 h3 h4 / 2: {HOME}")
    assert (p.phase, _ranks(p), lines(p)) == ("over", (0, 1), [])
    assert played(rules, "2S t69-h1", "0: t69 h2 h3 h4 / 2: h2 h3 h4").phase != "over"


@sentence
def test_the_other_teams_rank_by_marbles(rules: str) -> None:
    p = played(
        rules, "2S t105-h1", f"0: t105 h2 h3 h4 / 3: {HOME} / 1: h1 h2 / 4: h4 / 2: h1 h2 h3 / 5: h4", seats=6, teams=3
    )
    assert _ranks(p) == (0, 2, 1)
    tie = played(rules, "2S t105-h1", f"0: t105 h2 h3 h4 / 3: {HOME} / 1: h1 h2 / 5: h3 h4", seats=6, teams=3)
    assert _ranks(tie) == (0, 1, 1)
    four = played(rules, "2S t141-h1", f"0: t141 h2 h3 h4 / 4: {HOME} / 1: h1 / 2: h1 / 3: h1 h2", seats=8, teams=4)
    assert _ranks(four) == (0, 2, 2, 1)


@sentence
def test_alone_the_first_home_ends_the_game(rules: str) -> None:
    p = played(rules, "2S t69-h1", "0: t69 h2 h3 h4 / 2: h1", teams=4)
    assert p.phase == "over"
    assert lines(p) == []


@sentence
def test_alone_the_others_rank_by_marbles(rules: str) -> None:
    p = played(rules, "2S t69-h1", "0: t69 h2 h3 h4 / 1: h4 / 2: h1 h2 / 3: h3", teams=4)
    assert _ranks(p) == (0, 2, 1, 2)


@sentence
def test_full_ranking_plays_on(rules: str) -> None:
    near = "0: t69 h2 h3 h4 / 1: t15 h2 h3 h4 / 2: t33 h2 h3 h4"
    p = at(rules=rules, teams=4, full_ranking=True, marbles=near, hands="0: 2S / 1: 2H / 2: 2D / 3: 3C 6C", turn=0)
    p = after(p, "2S t69-h1")
    assert (_ranks(p), p.finished, p.turn) == (None, (0,), 1)
    p = after(p, "2H t15-t17")
    p = after(p, "2D t33-h1")
    assert (_ranks(p), p.finished) == (None, (0, 2))
    last = at(
        rules=rules, teams=4, full_ranking=True, finished=[3, 2], hands="0: 2S / 1: 2H / 2: / 3:",
        marbles=f"0: t69 h2 h3 h4 / 1: h3 / 2: {HOME} / 3: {HOME}",
    )  # fmt: skip
    assert _ranks(after(last, "2S t69-h1")) == (2, 3, 1, 0)


@sentence
def test_who_finished_is_out_of_the_deal(rules: str) -> None:
    p = at(
        rules=rules, teams=4, full_ranking=True, dealer=3, marbles="0: t69 h2 h3 h4 / 1: t20 / 2: t40 / 3: t60",
        hands="0: 2S 9S / 1: 2H / 2: 2D / 3: 3C",
    )  # fmt: skip
    p = after(p, "2S t69-h1")
    assert hand(p, 0) == []
    while p.phase != "deck":
        assert p.turn != 0
        p = after(p, lines(p)[0])
    # Seat 0 would deal next; it has finished.
    assert p.dealer == 1
    p = after(p, "deck " + " ".join(deck_of(rules)))
    assert [len(cards) for cards in p.hands] == [0, 5, 5, 5]
    assert Counter(new(rules=rules, teams=4, full_ranking=True).hands[0]) == Counter()
    assert places(p, 0) == ["h1", "h2", "h3", "h4"]
