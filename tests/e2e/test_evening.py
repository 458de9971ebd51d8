"""The whole evening: four people in four browsers play tonight's match of their league, and the leaderboards show it.

One clicks, one taps on a phone, one has only a keyboard, one drags. The club bot chooses the plays from the view of
each page. The middle of the game is played through the services, and the pages follow it. Afterwards all received
frames are compared with the true hands.
"""

import random
import re
import time
from collections import Counter
from typing import Any

import pytest

from games import bots
from games.models import Game
from tests.servers.browser import Visitor, overflow
from tests.servers.site import eventually
from tock_league.clubs.models import Team
from tock_league.competitions.models import Match
from tock_league.competitions.tasks import open_due_tables

from .evening import Evening, an_evening, chosen_deal, game_of, let_play
from .seats import Seat
from .wire import Truth, cards_in, read

pytestmark = [pytest.mark.browser, pytest.mark.slow, pytest.mark.timeout(900)]

SEED = 2406  # cards with which every kind of play occurs in the part that is played through the pages: see KINDS
KINDS = ("give", "out", "forward", "split", "swap", "skip", "burn")
BY_HAND = 30
MOST_PLAYS = 400
BOARDS_WITHIN = 5.0  # seconds after the last marble


def test_four_people_play_tonights_match_and_the_boards_show_it(visitors: Any, live_site: Any, sit: Any) -> None:
    with chosen_deal(SEED, game="evening2"):
        evening = an_evening()
        open_due_tables.delay()  # as beat does every 20 seconds
        match = eventually(lambda: Match.objects.filter(pk=evening.match.pk, table__isnull=False).first())
    seats = sit(match.table)
    for seat in seats:
        go_to_the_table(seat, match)
    guest = visitors.enter("guest")
    view = begin(seats)
    for _ in range(BY_HAND):
        view = play_once(seats, view)
    agree(seats, view)
    let_play(match.table, until=nearly_home)
    play_to_the_end(seats, match)
    finished = time.monotonic()

    game = Game.objects.select_related("table").get(slug="evening2")
    assert (game.state, game.reason, game.rated) == ("over", "played", True)
    winner = game.ranks.index(0)
    won, lost = pairs_of(match, winner)
    check_the_new_ratings(guest, won, lost)
    assert time.monotonic() - finished < BOARDS_WITHIN
    check_the_result(guest, evening, match, won, lost)

    agree(seats, seats[0].settled())
    check_the_wire(seats, game)
    check_who_played_what(seats)


def go_to_the_table(seat: Seat, match: Match) -> None:
    """Find tonight's match on the first page and go to its table from there."""
    page = seat.visitor.open("/")
    page.locator(f'main a[href="/tables/{match.table.slug}/"]').first.wait_for()
    seat.enter(f"/tables/{match.table.slug}/")


def begin(seats: list[Seat]) -> dict[str, Any]:
    """All say that they are ready and exchange a card; return what they see then."""
    for seat in seats:
        seat.ready()
    for seat in seats:
        seat.until("tockTable.view.phase === 'give'", "the exchange begins")
    for seat in seats:
        turn(seat)
    return seats[0].settled_after(lambda seen: seen["phase"] != "give")


def play_once(seats: list[Seat], view: dict[str, Any]) -> dict[str, Any]:
    """Play the turns through the pages; return the view of the last seat. All pages are compared from time to time."""
    acting = seats[view["turn"]]
    acting.settled(view["decision"])
    turn(acting)
    seen = acting.settled_after(lambda seen: seen["decision"] != view["decision"])
    if acting.done.total() % 5 == 0:
        agree(seats, seen)
    return seen


def turn(seat: Seat) -> None:
    """Make through the page the play that the club bot chooses from its view."""
    view = seat.asked()
    roll = random.Random(SEED * 1000 + seat.number * 100 + seat.done.total()).randrange
    seat.play(bots.choose(view, view["legal"], level="club", roll=roll, seat=seat.number))


def nearly_home(seat: int, view: dict[str, Any]) -> bool:
    """Return whether a team lacks one marble."""
    home = [sum(marble.startswith("h") for marble in view["marbles"][str(seat)]) for seat in range(4)]
    return max(home[0] + home[2], home[1] + home[3]) >= 7


def play_to_the_end(seats: list[Seat], match: Match) -> None:
    """Wait until the pages have caught up, then continue through the pages until the last marble is home."""
    head = game_of(match.table).last_seq
    for seat in seats:
        seat.until(f"tockTable.link.held.seq >= {head}", "has followed the game")
    view = seats[0].settled()
    for _ in range(MOST_PLAYS):
        if view["phase"] == "over":
            return
        view = play_once(seats, view)
    raise AssertionError(f"{MOST_PLAYS} plays were not enough")


def agree(seats: list[Seat], view: dict[str, Any]) -> None:
    """Check that all four pages show the same public state, and that none scrolls sideways."""
    for seat in seats:
        seat.settled(view["decision"])
    first, *others = [seat.public() for seat in seats]
    assert all(other == first for other in others)
    for seat in seats:
        assert overflow(seat.page) <= 0, f"the page of seat {seat.number} scrolls sideways"


def check_the_wire(seats: list[Seat], game: Game) -> None:
    """Check that nobody received a card of another hand, and that every view matched its hash."""
    truth = Truth.of(game)
    for seat in seats:
        frames = seat.bodies() + seat.visitor.received()
        reading = read(truth, seat.number, pages=seat.pages, frames=frames)
        assert reading.faults == []
        assert reading.seq == game.last_seq
        assert reading.events >= game.last_seq - 10
        assert reading.secrets > 100
        kept = seat.page.evaluate("JSON.stringify([{...localStorage}, {...sessionStorage}])")
        assert not cards_in(kept)


def check_who_played_what(seats: list[Seat]) -> None:
    """Check that each input method was used enough, and that every kind of play occurred."""
    together = sum((seat.done for seat in seats), Counter[str]())
    assert set(together) == set(KINDS)
    for seat in seats:
        assert seat.done["give"] == 1
        assert min(seat.done["burn"], seat.done["forward"], seat.done["out"]) >= 1, (seat.number, seat.done)
        assert seat.done["split"] + seat.done["swap"] + seat.done["skip"] >= 1, (seat.number, seat.done)
        assert seat.done.total() >= BY_HAND // 4


def pairs_of(match: Match, winner: int) -> tuple[Team, Team]:
    """Return the winners and the losers."""
    pairs = [side.entry.team for side in match.side_rows.select_related("entry__team__club")]
    return pairs[winner], pairs[1 - winner]


def check_the_new_ratings(guest: Visitor, won: Team, lost: Team) -> None:
    """The leaderboards of pairs and of players have the new ratings; they are listed separately, without a rank, with
    what is missing."""
    pairs = rows_apart(guest, "/leaderboards/shawinigan/2/", won.name)
    assert score_of(pairs, won.name) > score_of(pairs, lost.name)
    winners, losers = names_of(won), names_of(lost)
    players = rows_apart(guest, "/leaderboards/shawinigan/2/players/", winners[0])
    assert len(players) == 4
    assert min(score_of(players, name) for name in winners) > max(score_of(players, name) for name in losers)


def check_the_result(guest: Visitor, evening: Evening, match: Match, won: Team, lost: Team) -> None:
    """The clubs' own leaderboards, the standings and the match page show it too, and the replay is one click away."""
    for team in (won, lost):
        assert len(rows_apart(guest, f"/clubs/{team.club.slug}/leaderboard/", team.name)) == 3  # a pair, two players
    first = guest.open(f"/competitions/{evening.league.slug}/").locator("table.standing tbody tr").first.inner_text()
    assert first.split()[0] == "1"
    assert won.name in first
    page = guest.open(f"/matches/{match.slug}/")
    page.locator('main a[href="/games/evening2/"]').first.click()
    page.wait_for_url("**/games/evening2/**")


def names_of(team: Team) -> list[str]:
    """Return the names of the players of a team."""
    return [spell.player.display_name for spell in team.spells.select_related("player")]


def rows_apart(guest: Visitor, path: str, wanted: str) -> list[str]:
    """Reload a leaderboard until `wanted` is on it; return its rows without a rank, each with the missing numbers."""
    rows: list[str] = []

    def there() -> bool:
        rows[:] = guest.open(path).locator("table.apart tbody tr").all_inner_texts()
        return any(wanted in row for row in rows)

    eventually(there, seconds=BOARDS_WITHIN, every=0.2)
    assert guest.page.locator("table.leaderboard-table:not(.apart) tbody tr").count() == 0
    gaps = guest.page.locator("table.apart tbody td:nth-child(2)").all_inner_texts()
    assert len(gaps) == len(rows)
    assert all(re.search(r"\d", gap) for gap in gaps), gaps
    return rows


def score_of(rows: list[str], name: str) -> int:
    """Return the rating in the row of `name`; thousands are set apart by a narrow space."""
    (row,) = (row for row in rows if name in row)
    found = re.search(r"(\d[\d\s]*?)\s±", row)
    assert found is not None, row
    return int(re.sub(r"\s", "", found[1]))
