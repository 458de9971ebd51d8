"""Tables of six and eight, and a hand thrown in, in real browsers: the actions that only larger boards have.

All plays are made through the services until a seat holds the cards for the test; then that seat's browser continues.
"""

from collections.abc import Callable
from typing import Any

import pytest

from games.models import Table
from tests.servers.browser import DESKTOP, PHONE, Visitors, overflow

from .evening import a_member, game_of, let_play, open_chosen_table, record_of
from .seats import Clicks, Keyboard, Leg, Seat, Taps, until

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

EIGHT = ("Line", "Marcel", "Aline", "Rémi", "Jade", "Yves", "Carole", "Benoît")
Wanted = Callable[[str], bool]


def legs(line: str) -> int:
    """Return how many marbles share the card of a line."""
    return sum("-" in word for word in line.split()[1:])


def enters_the_centre(line: str) -> bool:
    return "-x" in line


def shares_three_ways(line: str) -> bool:
    return line.startswith("7") and legs(line) == 3


@pytest.fixture
def come(visitors: Visitors, live_site: Any) -> Callable[..., tuple[Table, Seat, str]]:
    """Give `come(wanted, ...)`: a table played up to a line for which `wanted` is true, and the browser of the seat
    that has it."""

    def arrive(wanted: Wanted, *, seed: int, hand: Any, screen: dict[str, int], **plan: Any) -> tuple[Table, Seat, str]:
        players = [a_member(name) for name in EIGHT[: plan.pop("seats", 8)]]
        table = open_chosen_table(players, seed, game=f"large{seed}", **plan)
        found: list[tuple[int, str]] = []

        def here(number: int, view: dict[str, Any]) -> bool:
            line = next(filter(wanted, view["legal"]), "")
            if line:
                found.append((number, line))
            return bool(line)

        let_play(table, seed=seed, level="novice", until=here)
        assert found, "never came up: choose another seed"
        number, line = found[0]
        visitor = visitors.enter(f"seat {number}", user=players[number].user, screen=screen, reduced_motion="reduce")
        seat = Seat(visitor, number, hand)
        seat.enter(f"/tables/{table.slug}/")
        seat.asked()
        return table, seat, line

    return arrive


def last_play(table: Table) -> str:
    """Return the last line of the table's record."""
    return str([body["play"] for code, body in record_of(table) if code == "play"][-1])


def axe_finds_nothing(seat: Seat) -> None:
    from axe_playwright_python.sync_playwright import Axe

    results = Axe().run(seat.page)
    assert results.violations_count == 0, results.generate_report()


def test_a_king_goes_into_the_centre_by_keyboard_alone(come: Any) -> None:
    table, seat, line = come(
        enters_the_centre, seed=11, hand=Keyboard(), screen=DESKTOP, rules="tock/1", teams=4, team_names=()
    )
    assert seat.page.locator(".board-bowl").count() == 1
    seat.play(line)
    assert last_play(table) == line
    place = line.split("-")[1]
    assert place in seat.settled()["marbles"][str(seat.number)]
    seat.page.locator("#plays li").first.get_by_text(line).wait_for()
    assert "centre" in seat.page.locator("#plays li").first.inner_text()
    seat.page.locator("#aside").get_by_role("heading", level=2).wait_for()
    # it is in the bowl, at the place where the board draws the bowl
    away = seat.page.evaluate(
        f"(() => {{ const {{ node }} = tockTable.board.nodeAt({seat.number}, '{place}');"
        " const [x, y, r] = tockTable.board.geometry.bowl, [a, b] = /translate\\(([-\\d.]+) ([-\\d.]+)/.exec("
        "node.getAttribute('transform')).slice(1).map(Number); return Math.hypot(a - x, b - y) <= r; })()"
    )
    assert away


def test_a_seven_over_three_marbles_is_tapped_out_on_a_telephone(come: Any) -> None:
    table, seat, line = come(
        shares_three_ways, seed=11, hand=Taps(), screen=PHONE, rules="tock/1", teams=2, team_names=()
    )
    page, card = seat.page, line.split()[0]
    seat.hand.mark(seat, card)
    for word in line.split()[1:]:
        seat.hand.move(seat, Leg(*word.split("-")))
    seat.until("document.querySelector('#choices [data-key=confirm]')", "asks for the release")
    assert page.evaluate("tockTable.choice.legs.length") == 3
    assert len(page.locator("#board .target-done").all()) == 3
    # nothing is released yet: the last leg can be taken back and laid again
    page.locator("#choices [data-key=cancel]").tap()
    last = Leg(*line.split()[-1].split("-"))
    seat.offered(last, "#choices", marble=True)
    assert page.evaluate("tockTable.choice.legs.length") == 2
    assert overflow(page) <= 0
    seat.hand.move(seat, last)
    seat.until("document.querySelector('#choices [data-key=confirm]')", "asks for the release")
    page.locator("#choices [data-key=confirm]").tap()
    seat.until("tockTable.view.turn !== tockTable.boot.seat", "the turn passes")
    assert last_play(table) == line
    assert overflow(page) <= 0
    axe_finds_nothing(seat)


def test_a_whole_hand_is_thrown_in_with_one_button(come: Any, visitors: Visitors) -> None:
    table, seat, line = come(
        lambda text: text == "throw", seed=11, hand=Clicks(), screen=PHONE, seats=4, rules="tock-air/1", team_names=()
    )
    assert line == "throw"
    page = seat.page
    cards = seat.view()["hand"]
    others = visitors.enter("a partner", user=_partner(table, seat.number), reduced_motion="reduce")
    watcher = Seat(others, (seat.number + 2) % 4, Clicks())
    watcher.enter(f"/tables/{table.slug}/")
    assert overflow(page) <= 0
    axe_finds_nothing(seat)
    page.locator("#choices [data-key=main]").tap()
    until(page, "(tockTable.view.thrown ?? []).length > 0", "the hand lies on the table")
    assert last_play(table) == "throw"
    # the others see the whole hand, and that the seat is out of the deal
    watcher.settled_after(lambda view: seat.number in view.get("thrown", []))
    said = watcher.page.locator("#plays li").first.inner_text()
    assert len(cards) == len(watcher.page.locator("#board [data-layer=centre] .on-board").all())
    assert said
    assert watcher.page.locator("#seats .sits").count() == 1


def _partner(table: Table, number: int) -> Any:
    player = table.seatings.select_related("player__user").get(seat=(number + 2) % 4).player
    assert player is not None
    return player.user


def test_a_newcomer_chooses_six_seats_and_plays_by_clicks(visitors: Visitors, live_site: Any) -> None:
    guest = visitors.enter("guest", screen=PHONE, reduced_motion="reduce")
    page = guest.open("/practice/")
    page.set_default_timeout(15_000)
    page.locator("input[name=rules][value='tock/1']").check()
    page.locator("input[name=table][value='6-3']").check()
    with page.expect_navigation(url="**/tables/**"):
        page.locator("form[data-practice] button.button.primary").click()
    assert page.locator("#seats .seat").count() == 6
    turns = 0
    while turns < 5:
        until(page, "tockTable.mayChoose && (tockTable.view.legal || tockTable.view.phase === 'over')", "its turn")
        turns += 1
        decision = page.evaluate("tockTable.view.decision")
        for _ in range(20):
            until(page, "!tockTable.busy && tockTable.waiting === 0", "what was sent is answered")
            if page.evaluate(f"tockTable.view.decision !== '{decision}' || !tockTable.view.legal"):
                break
            assert overflow(page) <= 0
            buttons = page.locator("#choices .choice, #choices .button.primary")
            card = page.locator("#hand li:not(.off) button:not([aria-disabled])")
            (buttons if buttons.count() else card).first.tap()
        else:
            pytest.fail(f"stuck at {page.locator('#heading').inner_text()}")
    table = Table.objects.latest("pk")
    assert (table.rules, table.seats, table.teams) == ("tock/1", 6, 3)
    assert len(record_of(table)) > 20
    assert game_of(table).state == "playing"
