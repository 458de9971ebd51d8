"""The effects of a play as facts, and as the arrays that a table animates."""

from games.engine.tractor.game import GAME
from games.engine.tractor.round import Position

from .tables import DRAWN, PASSED, after, at, deck, new

DEALT = deck("2x2H", "2x2S", talon="3C 4C 6C 7C 8C 9C JC QC", drawer=2)


def words(p: Position, line: str) -> list[str]:
    return [fact.word for fact in GAME.facts(p, GAME.parse_play(p, line))]


def fx(p: Position, line: str) -> list[list[object]]:
    return GAME.fx(p, GAME.parse_play(p, line))


def test_a_deck_and_a_draw_tell_no_card() -> None:
    p = new(dealer=2)
    assert fx(p, DEALT) == [["deck", 2]]
    assert fx(after(p, DEALT), "draw 4") == [["drawn", 96]]


def test_a_show_that_overrides_another_is_told_with_it() -> None:
    p = after(new(dealer=2), DEALT, *DRAWN)
    assert words(p, "show 0: 2H") == ["shown"]
    p = after(p, "show 0: 2H")
    assert words(p, "show 1: 2S 2S") == ["overridden", "shown"]
    # What the line says is not animated again.
    assert fx(p, "show 1: 2S 2S") == [["overridden", 0, ["2H"]]]
    assert fx(p, "pass 3") == []


def test_the_end_of_the_window_names_trumps_and_who_takes_the_talon() -> None:
    p = after(new(dealer=2), DEALT, *DRAWN, "show 0: 2H", *PASSED[:3])
    assert fx(p, "pass 3") == [["trumps", "2", "H"], ["talon", 0]]
    q = after(new(), deck("2xBJ"), *DRAWN)
    assert fx(q, "show 0: BJ BJ") == [["trumps", "2", ""], ["talon", 0]]


def test_burying_tells_how_many_and_not_what() -> None:
    p = after(new(dealer=2), DEALT, *DRAWN, "show 0: 2H", *PASSED)
    assert fx(p, "bury " + " ".join(p.hand(0)[:8])) == [["buried", 0, 8]]


def test_the_last_card_of_a_trick_tells_who_won_it() -> None:
    p = at("2H", "AS 3C", "KS 4C", "10S 6C", "3S 7C")
    assert fx(p, "play AS") == []
    p = after(p, "play AS", "play KS", "play 10S")
    assert fx(p, "play 3S") == [["trick", 0, 20]]


def test_the_end_of_a_round_tells_the_buried_cards_the_points_and_who_starts_next() -> None:
    p = after(at("2H", "9S", "KS", "10S", "3S", captured=60, buried="5C"), "play 9S", "play KS", "play 10S")
    told = fx(p, "play 3S")
    buried = GAME.to_json(p)["buried"]
    assert told == [
        ["trick", 1, 20], ["buried_were", buried, 10], ["round", 90, [0, 0], ["2", "2"]], ["starter", 1],
    ]  # fmt: skip


def test_facts_change_nothing() -> None:
    p = after(at("2H", "9S", "KS", "10S", "3S"), "play 9S", "play KS", "play 10S")
    before = GAME.to_json(p)
    GAME.facts(p, GAME.parse_play(p, "play 3S"))
    assert GAME.to_json(p) == before
