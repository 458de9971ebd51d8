"""A whole round of Tractor in four browsers: a mouse, a phone, the keyboard alone, and plays typed in notation.

The round is computed beforehand (`tractor_round`) and then played at the pages, act by act: while cards are drawn a
single card is shown and overridden by a pair, the starter's first throw fails, the opponents win the last trick with a
pair, and the talon counts four times. A spectator sees nothing of it before its end. Afterwards all received frames are
checked.
"""

from collections.abc import Iterator
from typing import Any

import pytest

from games import store
from games.engine.tractor import facts
from games.fold import score
from games.models import Game, Table
from tests.servers.browser import DESKTOP, PHONE, Visitor, overflow

from .evening import NAMES, a_member, game_of, open_chosen_table
from .seats import until
from .tractor_round import GAME, RULES, SEED, Act, Round, unlawful, worth, written
from .tractor_seats import Keys, Mouse, Notation, Thumb, TractorSeat
from .tractor_wire import TractorTruth, read
from .wire import cards_in

pytestmark = [pytest.mark.browser, pytest.mark.slow, pytest.mark.timeout(600)]

DRAW_MS = 300
MOUSE, THUMB, KEYS, PEN = range(4)
WAYS = ((DESKTOP, Mouse()), (PHONE, Thumb()), (DESKTOP, Keys()), (DESKTOP, Notation()))


@pytest.fixture(scope="module")
def written_round() -> Round:
    """Give the round, which must contain everything that this test needs."""
    found = written()
    one, two = found.of_kind("show")
    assert (len(one.cards), len(two.cards), one.seat != two.seat) == (1, 2, True)
    assert len(found.told(facts.ThrowFailed)) == 1
    last = found.of_kind("play")[-1]
    (talon,) = found.told(facts.TalonShown)
    assert talon.points == 2 * len(last.cards) * worth(found.of_kind("bury")[0].cards) > 0
    assert len(last.cards) == 2
    assert any(len(act.cards) >= 4 and not act.before.trick for act in found.of_kind("play")[1:]), "a tractor is led"
    return found


@pytest.fixture
def table(live_site: Any, settings: Any) -> Table:
    """Give a table of four people whose pages are in English."""
    settings.TOCK_DRAW_MS = DRAW_MS
    people = [a_member(name, language="en") for name in NAMES]
    return open_chosen_table(people, SEED, game=GAME, rules=RULES, rounds=1)


@pytest.fixture
def seats(table: Table, visitors: Any) -> list[TractorSeat]:
    """Give the four players at their pages, each with its own input method."""
    found = []
    for seating in table.seatings.select_related("player__user").order_by("seat"):
        screen, way = WAYS[seating.seat]
        assert seating.player is not None
        visitor = visitors.enter(
            f"seat {seating.seat}", user=seating.player.user, screen=screen, reduced_motion="reduce"
        )
        seat = TractorSeat(visitor, seating.seat, way)
        seat.enter(f"/tables/{table.slug}/")
        found.append(seat)
    return found


def test_four_people_play_a_round(
    table: Table, seats: list[TractorSeat], watcher: Visitor, written_round: Round
) -> None:
    page = watcher.page
    came = page.goto(f"{watcher.base}/tables/{table.slug}/")
    assert came is not None
    until(page, "tockTable.link.state.joined", "the spectator's line stands")
    for seat in seats:
        seat.ready()
    the_hands_grow(seats)
    acts = iter(written_round.acts)
    shows = [next(acts), next(acts)]
    a_show_is_overridden(seats, shows)
    rest = the_others_pass(seats, acts)
    rest = the_talon_is_buried(seats, rest, acts)
    assert page.evaluate("[tockTable.view.phase, tockTable.view.hand ?? null]") in (["deck", None], ["seating", None])
    a_throw_fails(seats, rest, written_round)
    tricks(seats, acts)

    the_round_is_counted(seats, written_round)
    until(page, "tockTable.view.phase === 'over'", "the spectator sees the end", seconds=60)
    game = game_of(table)
    the_record_agrees(game, written_round)
    the_wire_was_silent(seats, watcher, came.text(), game)
    the_replay_is_one_click_away(seats[MOUSE], written_round)


def the_hands_grow(seats: list[TractorSeat]) -> None:
    """Cards arrive one by one, on every page, sorted into groups."""
    sizes = {seat.number: set[int]() for seat in seats}
    seats[0].until("tockTable.view.phase === 'draw'", "cards are drawn")
    while min(map(len, sizes.values())) < 2:
        for seat in seats:
            phase, held, shown = seat.page.evaluate(
                "[tockTable.view.phase, tockTable.view.hand?.length ?? 0, document.querySelectorAll('#hand button').length]"
            )
            assert phase == "draw", f"seat {seat.number} saw no hand grow: {sizes}"
            assert held == shown
            if held:
                sizes[seat.number].add(held)


def a_show_is_overridden(seats: list[TractorSeat], shows: list[Act]) -> None:
    """Each show appears on every page; the second replaces the first."""
    for act in shows:
        seats[act.seat].do(act)
        for seat in seats:
            seat.until(TractorSeat.shown(act), "the show stands")
            count = f"document.querySelectorAll('#trick [data-seat=\"{act.seat}\"] .trick-cards svg').length"
            assert seat.until(count, "the show lies on the table") == len(act.cards)
    over, by = shows
    for seat in seats:
        assert seat.page.locator(f'#trick [data-seat="{over.seat}"] .trick-cards svg').count() == 0
        line = seat.page.locator("#plays li", has_text=by.line)
        line.wait_for()
        assert "show counts no more" in line.inner_text()
        refused = seat.page.locator(f'#choices [data-key="show:{over.cards[0]}"]')
        assert refused.is_disabled(), "a single card beats no pair"


def the_others_pass(seats: list[TractorSeat], acts: Iterator[Act]) -> Act:
    """All pass once all cards are drawn; return the next act."""
    for seat in seats:
        seat.until("tockTable.view.phase === 'show'", "all cards are drawn")
        assert seat.page.locator("#hand button").count() == 25
        assert overflow(seat.page) <= 0
    for act in acts:
        if act.kind != "pass":
            return act
        seats[act.seat].do(act)
    raise AssertionError("nobody buries")


def the_talon_is_buried(seats: list[TractorSeat], act: Act, acts: Iterator[Act]) -> Act:
    """Only the starter sees eight more cards, and buries eight; return the next act."""
    starter = seats[act.seat]
    for seat in seats:
        seat.until("tockTable.view.phase === 'bury'", "the talon is taken")
    assert starter.page.locator("#hand button").count() == 33
    assert len(starter.view()["talon"]) == 8
    assert all("talon" not in seat.view() for seat in seats if seat is not starter)
    starter.do(act)
    agree(seats)
    for seat in seats:
        assert (seat.page.locator("#buried").count() == 1) == (seat is starter)
        assert seat.page.locator("#hand button").count() == 25
        assert "Bury" not in seat.text("#heading")
    return next(acts)


def a_throw_fails(seats: list[TractorSeat], act: Act, whole: Round) -> None:
    """The cards led instead lie on the table, the others are in the hand again, and everybody sees the penalty."""
    (fact,) = whole.told(facts.ThrowFailed)
    starter = seats[act.seat]
    starter.do(act)
    assert fact.points == 10 * len(fact.back)
    for seat in seats:
        seat.until("tockTable.view.failed", "the throw failed")
        view = seat.settled()
        assert view["trick"] == [list(fact.led)]
        assert view["failed"] == {"seat": act.seat, "thrown": act.cards, "back": list(fact.back), "paid": fact.points}
        told = seat.text("#failed")
        assert "The throw fails" in told
        assert f"{fact.points} points pass to the other side" in told
        assert shown_points(seat) == fact.points, "the penalty counts at once"
    assert starter.page.locator("#hand button").count() == 25 - len(fact.led)
    agree(seats)


def tricks(seats: list[TractorSeat], acts: Iterator[Act]) -> None:
    """The tricks are played to the end; a card that breaks a rule is refused, by the page and by the server."""
    refused = set()
    for act in acts:
        seat = seats[act.seat]
        wrong = unlawful(act)
        if wrong and act.seat not in refused and act.seat in (MOUSE, PEN):
            a_rule_is_named(seat, wrong)
            refused.add(act.seat)
        before = act.before
        assert seat.asked()["trick"] == _trick(before)
        assert shown_points(seat) == opponents_points(before)
        seat.do(act)
        if not before.trick:
            agree(seats)
    assert refused == {MOUSE, PEN}


def a_rule_is_named(seat: TractorSeat, cards: list[str]) -> None:
    """A follow that breaks a duty changes nothing, and the refusal names the duty."""
    before = seat.asked()
    seat.hand.lay(seat, "play", cards)
    seat.until(
        "!document.getElementById('refused').hidden && document.getElementById('refused').textContent", "is refused"
    )
    assert "must be" in seat.text("#refused")
    assert seat.settled() == before
    if seat.number == MOUSE:
        seat.page.keyboard.press("Escape")
        seat.until("!document.querySelector('#hand [aria-pressed=true]')", "nothing is chosen any more")


def the_round_is_counted(seats: list[TractorSeat], whole: Round) -> None:
    """Every page shows the same result: the points of the talon and of the opponents, and who climbed."""
    (talon,) = whole.told(facts.TalonShown)
    (ended,) = whole.told(facts.RoundEnded)
    for seat in seats:
        seat.until("tockTable.view.phase === 'over'", "the round is over")
        view = seat.settled()
        previous = view["previous"]
        assert (previous["talon"], previous["total"], previous["gains"]) == (
            talon.points,
            ended.total,
            list(ended.gains),
        )
        assert sorted(previous["buried"]) == sorted(whole.of_kind("bury")[0].cards)
        assert view["ranks"] == list(ended.ranks)
        said = seat.text("#round-end")
        assert f"+ {talon.points}" in said
        assert str(ended.total) in said
        assert seat.page.locator("#choices .result").count() == 1
        assert overflow(seat.page) <= 0
    agree(seats)
    assert len({seat.text("#round-end") for seat in seats}) == 1
    for seat in seats:
        assert seat.done.total() == sum(act.seat == seat.number for act in whole.acts)


def the_record_agrees(game: Game, whole: Round) -> None:
    """The record contains the computed lines in their order, and the game its ranks."""
    lines = [row.body["play"] for row in store.load(game.pk) if row.code == "play" and not row.body.get("chance")]
    assert lines == [act.line for act in whole.acts]
    assert (game.state, game.reason) == ("over", "played")
    won = max(range(2), key=whole.end.ranks.__getitem__)
    assert game.ranks is not None
    assert game.ranks.index(0) == won
    state = store.current(game)
    assert score(state)[won] == sum(fact.gains[won] for fact in whole.told(facts.RoundEnded))


def the_wire_was_silent(seats: list[TractorSeat], watcher: Visitor, came: str, game: Game) -> None:
    """Nobody received a card of another hand, of the talon, of the stock, or a buried one; every view matched its
    hash."""
    truth = TractorTruth.of(game)
    for seat in seats:
        reading = read(truth, seat.number, pages=seat.pages, frames=seat.bodies() + seat.visitor.received())
        assert reading.faults == []
        assert reading.seq == game.last_seq
        assert reading.secrets > 80
        kept = seat.page.evaluate("JSON.stringify([{...localStorage}, {...sessionStorage}])")
        assert not cards_in(kept)
    reading = read(truth, None, pages=[came], frames=watcher.received())
    assert reading.faults == []
    assert reading.seq == game.last_seq
    assert any(map(cards_in, watcher.received())), "the round is shown at last"


def the_replay_is_one_click_away(seat: TractorSeat, whole: Round) -> None:
    """The replay shows the game from its first card to its last, with all hands open."""
    page = seat.page
    page.locator("#choices [data-key=replay]").click()
    page.wait_for_url(f"**/games/{GAME}/**")
    until(page, "globalThis.tockReplay?.steps?.length > 0", "the record is read")
    (failed,) = whole.told(facts.ThrowFailed)
    page.locator("#plays li", has_text="The throw fails").first.locator("a").click()
    until(page, "tockReplay.steps[tockReplay.at[tockReplay.index]].view.failed", "shows the throw")
    view = page.evaluate("tockReplay.steps[tockReplay.at[tockReplay.index]].view")
    assert view["failed"]["back"] == list(failed.back)
    assert sorted(map(len, view["hands"].values())) == [24, 25, 25, 25]
    assert overflow(page) <= 0


def agree(seats: list[TractorSeat]) -> None:
    """All four pages eventually show the same public state, and none scrolls sideways."""
    last = max(seat.page.evaluate("tockTable.link.held.seq") for seat in seats)
    views = []
    for seat in seats:
        seat.until(f"tockTable.link.held.seq >= {last}", "holds what the others hold")
        seat.settled()
        views.append(seat.public())
        assert overflow(seat.page) <= 0, f"the page of seat {seat.number} scrolls sideways"
    assert all(view == views[0] for view in views)


def shown_points(seat: TractorSeat) -> int:
    """Return the opponents' points from the line over the table."""
    return int(seat.page.locator("#score div", has_text="Opponents").locator("dd span").first.inner_text())


def opponents_points(position: Any) -> int:
    """Return the opponents' points in the position: captures, and penalties both ways."""
    found = position.to_json()
    declarers = found["declarers"]
    return int(found["captured"][1 - declarers] + found["paid"][declarers] - found["paid"][1 - declarers])


def _trick(position: Any) -> list[list[str]]:
    return list(position.to_json()["trick"])
