"""A disputed game, from the call at the table to the published ruling, and a journal in which every change is detected.

Players, referees and a visitor use their browsers; the plays that are not the subject are made through the services.
"""

import io
import re
from itertools import count
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from games import store
from games.fold import Viewer, fold, view
from games.models import Game, Table
from games.selectors import replays
from games.services.deals import Deals
from tests.servers.browser import Visitor, Visitors
from tests.servers.site import eventually
from tock_league.arbitration.models import Case
from tock_league.competitions.models import Match
from tock_league.competitions.selectors.results.effective import effective_of
from tock_league.competitions.tasks import open_due_tables
from tock_league.journal.models import JournalEntry

from .cup import Cup, a_cup, triggers_dropped
from .evening import chosen_deal, game_of, let_play
from .seats import Seat, until
from .test_evening import rows_apart, score_of

pytestmark = [pytest.mark.browser, pytest.mark.slow, pytest.mark.timeout(900)]

SEED = 1034
CALLER, OFFENDER = 0, 1
FACTS, REASONS = "Ulric a dit « garde ton valet » au coup précédent.", "Parler au partenaire est interdit (règle 8)."
LATER = "La consigne a décidé du coup ; la partie ne peut pas tenir."
seeds = count(2)


def test_a_call_a_blind_burn_a_dispute_and_a_game_overturned(visitors: Visitors, live_site: Any, sit: Any) -> None:
    with chosen_deal(SEED, game="coupe1"):
        cup = a_cup()
        open_due_tables.delay()  # as beat does every 20 seconds
        match = eventually(lambda: Match.objects.filter(pk=cup.match.pk, table__isnull=False).first())
    table = match.table
    let_play(table, plays=14)  # ready, exchange, the first turns
    seats = sit(table, seats=(CALLER, OFFENDER))
    for seat in seats:
        seat.enter(f"/tables/{table.slug}/")

    case = call_the_referee(seats, table)
    referee = visitors.enter("referee", user=cup.referee.user)
    rule_on_the_call(referee, cup, case, seats, table)
    burned_blind(seats, table)
    let_play(table, seed=next(seeds))
    assert replays.faults(game_of(table)) == []

    game = Game.objects.select_related("table").get(slug="coupe1")
    assert game.ranks is not None
    winner = game.ranks.index(0)
    won, lost = teams_of(match, winner)
    guest = visitors.enter("guest")
    eventually(lambda: won in cup.finalists(), seconds=20)
    before = scores(guest, won, lost)
    assert before[won] > before[lost]
    assert first_of_the_group(guest, cup, match) == won

    number = dispute_from_the_replay(seats[1 - winner].visitor, game)
    answer(seats[winner].visitor, number)
    overturn(visitors.enter("head referee", user=cup.head.user), cup, number, game, winner)

    assert effective_of(match).winner == 1 - winner
    assert cup.finalists() >= {lost}
    assert won not in cup.finalists()
    assert first_of_the_group(guest, cup, match) == lost
    bracket = guest.open(f"/competitions/{cup.competition.slug}/").locator("main").inner_text()
    assert lost in bracket
    eventually(lambda: (found := scores(guest, won, lost))[lost] > found[won], seconds=20, every=0.5)
    profiles_and_boards_say_why(guest, match, number, winner)
    the_public_reads_it(guest, number, game)
    the_journal_is_whole_and_tells_a_changed_byte(cup)


def call_the_referee(seats: list[Seat], table: Table) -> Case:
    """One tap, a kind, a short text, one more tap: every clock stops, on both pages."""
    caller, offender = seats
    caller.page.locator("#referee").click()
    caller.page.select_option("#call-kind", "talk")
    caller.page.fill("#call-text", "Ulric parle à son partenaire.")
    caller.page.locator("#call-now").click()
    for seat in seats:
        seat.until("tockTable.view.frozen?.by === 'call'", "the clocks are stopped")
        seat.until("document.getElementById('turn').classList.contains('frozen')", "the strip is shown")
    clocks = offender.page.evaluate("tockTable.link.held.clocks")
    assert "due" not in clocks
    assert "Ulric parle" not in "".join(offender.visitor.received())  # only the referee sees the text
    return Case.objects.get(game=game_of(table), origin="call")


def rule_on_the_call(referee: Visitor, cup: Cup, case: Case, seats: list[Seat], table: Table) -> None:
    """From the desk: take the case, look at the table, decide by the penalty table, read the preview, sign."""
    page = referee.open(f"/competitions/{cup.competition.slug}/referee/")
    assert "Ulric" not in page.locator(".call").inner_text()
    page.locator(".call form button").click()
    page.wait_for_url(f"**/cases/{case.number}/")
    assert "Ulric parle à son partenaire." in page.locator("main").inner_text()
    for seat in seats:
        seat.until("tockTable.view.frozen?.held", "a referee has the case")
    page = referee.open(f"/tables/{table.slug}/")
    until(page, "tockTable.link.state.joined", "the referee's line stands")
    assert page.evaluate("tockTable.link.held.you.role") == "referee"
    assert page.evaluate("tockTable.view.hand === undefined")
    page.locator(".referee-panel a").click()
    page.wait_for_url(f"**/cases/{case.number}/")
    look_into_a_hand(referee, case, seats, table)
    decide_with(referee, offender=seats[OFFENDER], facts=FACTS, reasons=REASONS, remedies=["blind_burn"])
    sign(referee, case.number)
    for seat in seats:
        seat.until("!tockTable.view.frozen && tockTable.view.owed[1] === 1", "play goes on, a turn is owed")
    assert seats[0].page.locator("#restart").is_visible()  # ten seconds before the clock runs


def look_into_a_hand(referee: Visitor, case: Case, seats: list[Seat], table: Table) -> None:
    """The referee opens the offender's hand from the case, at the table; nobody else sees it."""
    page = referee.page
    page.select_option("#seat-seat", str(OFFENDER))
    page.locator('form[action$="/seat/"] button').click()
    page.wait_for_url(f"**/cases/{case.number}/")
    page = referee.open(f"/tables/{table.slug}/")
    until(page, f"tockTable.link.held?.you?.sees === {OFFENDER}", "the referee sees one hand")
    assert page.evaluate("tockTable.view.hand") == seats[OFFENDER].view()["hand"]
    assert page.locator("#sees").is_visible()
    assert "sees" not in seats[CALLER].page.evaluate("tockTable.link.held.you")
    referee.open(f"/cases/{case.number}/")


def burned_blind(seats: list[Seat], table: Table) -> None:
    """At the offender's next turn the committed deal chooses a card to burn; it lies face up and the turn passes."""
    for _play in range(20):
        rows = store.load(game_of(table).pk)
        if str(rows[-1].body.get("play", "")).startswith("blind "):
            break
        let_play(table, plays=1, seed=next(seeds))
    last, game = rows[-1], game_of(table)
    assert (last.body["seat"], last.body["chance"], last.actor) == (OFFENDER, True, "system")
    before = fold(store.setup_of(game), rows[:-1])
    hand = view(before, Viewer(OFFENDER))["hand"]
    card = last.body["play"].removeprefix("blind ")
    assert card == Deals.of(game).blind_card(before.decks, before.blinds, hand)
    for seat in seats:
        seat.until(f"tockTable.link.held.seq >= {last.seq} && tockTable.waiting === 0", "the burn is shown")
        shown = seat.view()
        assert shown["pile"] == card  # face up
        assert shown["owed"] == [0, 0, 0, 0]
        assert shown["turn"] != OFFENDER
        assert f"blind {card}" in seat.page.locator("#plays").inner_text()
    assert len(seats[OFFENDER].view()["hand"]) == len(hand) - 1


def dispute_from_the_replay(loser: Visitor, game: Game) -> str:
    """From the penalty on, in the replay: choose 'Dispute from this play' and the subject; the case gets a number."""
    seq = next(row.seq for row in store.load(game.pk) if row.code == "penalty")
    page = loser.open(f"/games/{game.slug}/#{seq}")
    until(page, "globalThis.tockReplay?.steps && document.getElementById('dispute')", "a dispute is offered")
    assert page.locator("#plays .ruling").count() >= 2
    page.locator("#dispute").click()
    page.wait_for_url(f"**/games/{game.slug}/dispute/?seq={seq}")
    page.select_option("#id_kind", "talk")
    page.fill("#id_text", "Il a parlé encore, et cela a choisi le coup.")
    page.locator("main form button").click()
    page.wait_for_url("**/cases/TL-*/")
    case = Case.objects.get(origin="dispute")
    assert (case.seq, case.game_id) == (seq, game.pk)
    return case.number


def answer(winner: Visitor, number: str) -> None:
    """The other side finds the case in its list and answers."""
    page = winner.open("/cases/")
    page.locator(f'main a[href="/cases/{number}/"]').first.click()
    page.fill("#answer-text", "Je n’ai rien dit de plus.")
    page.locator('form[action$="/answer/"] button').click()
    page.locator("main", has_text="Je n’ai rien dit de plus.").wait_for()
    assert page.locator('form[action$="/answer/"]').count() == 0


def overturn(head: Visitor, cup: Cup, number: str, game: Game, winner: int) -> None:
    """Another referee without a conflict takes the case, awards the win to the loser, reads the preview and signs."""
    page = head.open(f"/competitions/{cup.competition.slug}/referee/")
    page.locator(f'main a[href="/cases/{number}/"]').click()
    page.locator('form[action$="/take/"] button').click()
    page.locator("#decide").wait_for()
    seating = game.table.seatings.select_related("player").get(seat=winner)
    result = {"result": "result", "game_number": "1", "winner": str(1 - winner), "fault": "own"}
    decide_with(head, offender=seating.player, facts=FACTS, reasons=LATER, selects=result)
    changes = page.locator("table.preview").inner_text()
    won, lost = teams_of(cup.match, winner)
    assert won in changes
    assert lost in changes
    assert re.search(r"\d", changes)
    sign(head, number)


def decide_with(
    referee: Visitor, *, offender: Any, facts: str, reasons: str, remedies: Any = (), selects: Any = None
) -> None:
    """Fill the form of the decision and ask for its preview."""
    page = referee.page
    player = offender if not isinstance(offender, Seat) else player_of(offender)
    page.select_option("#id_offender", str(player.pk))
    page.locator('[name=row][value="talk"]').check()
    for remedy in remedies:
        page.locator(f'[name=remedies][value="{remedy}"]').check()
    for name, value in (selects or {}).items():
        page.select_option(f"#id_{name}", value)
    page.fill("#id_rules", "8")
    page.fill("#id_facts", facts)
    page.fill("#id_reasons", reasons)
    page.locator('#decide [name=do][value="preview"]').click()
    page.locator("[name=preview_digest]").wait_for(state="attached")


def player_of(seat: Seat) -> Any:
    """Return the player of a seat by the table page's address."""
    slug = seat.page.url.rstrip("/").rsplit("/", 1)[-1]
    return Table.objects.get(slug=slug).seatings.select_related("player").get(seat=seat.number).player


def sign(referee: Visitor, number: str) -> None:
    """Press the button twice quickly; there is only one ruling."""
    referee.page.locator('[name=do][value="sign"]').dblclick()
    referee.page.locator(".ruling-panel").first.wait_for()
    assert Case.objects.get(number=number).rulings.count() == 1


def teams_of(match: Match, winner: int) -> tuple[str, str]:
    """Return the names of the winners and of the losers."""
    pairs = [str(side.entry) for side in match.side_rows.select_related("entry__team").order_by("position")]
    return pairs[winner], pairs[1 - winner]


def scores(guest: Visitor, *names: str) -> dict[str, int]:
    """Return the ratings of the pairs on the board."""
    rows = rows_apart(guest, "/leaderboards/shawinigan/2/", names[0])
    return {name: score_of(rows, name) for name in names}


def profiles_and_boards_say_why(guest: Visitor, match: Match, number: str, winner: int) -> None:
    """The pages of the players and pairs have the game as it counts now; they and the clubs' boards name the ruling."""
    sides = match.side_rows.select_related("entry__team__club").order_by("position")
    for place, side in enumerate(sides):
        assert side.entry is not None
        assert side.entry.team.club is not None
        said = "perdue" if place == winner else "gagnée"
        board = guest.open(f"/clubs/{side.entry.team.club.slug}/leaderboard/")
        assert board.locator(f'main a[href="/rulings/{number}/"]').count() == 1
        addresses = board.locator(".ranked-name a").evaluate_all("links => links.map(link => link.pathname)")
        assert len(addresses) == 3  # two players and their pair
        for address in addresses:
            row = guest.open(address).locator("table.rated-games tbody tr")
            assert said in row.inner_text()
            assert number in row.inner_text()
            assert row.locator(f'a[href="/rulings/{number}/"]').is_visible()
    for kind in ("", "players/"):
        page = guest.open(f"/leaderboards/shawinigan/2/{kind}")
        assert page.locator(f'main a[href="/rulings/{number}/"]').is_visible()


def first_of_the_group(guest: Visitor, cup: Cup, match: Match) -> str:
    """Return the first team of the standings of the match's group, as the groups' page shows it."""
    page = guest.open(f"/competitions/{cup.competition.slug}/groups/")
    names = teams_of(match, 0)
    rows = [
        row for row in page.locator("table.standing tbody tr").all_inner_texts() if any(name in row for name in names)
    ]
    return next(name for name in names if name in rows[0])


def the_public_reads_it(guest: Visitor, number: str, game: Game) -> None:
    """The book has both rulings; the page of the dispute gives the reasons and links to the play."""
    page = guest.open("/rulings/")
    assert page.locator('main a[href^="/rulings/TL-"]').count() == 2
    page.locator(f'main a[href="/rulings/{number}/"]').click()
    page.wait_for_url(f"**/rulings/{number}/")
    words = page.locator("main").inner_text()
    assert LATER in words
    assert "Il a parlé encore" not in words  # a side's statement is not published
    seq = Case.objects.get(number=number).seq
    page.locator(f'main a[href="/games/{game.slug}/#{seq}"]').click()
    until(page, "globalThis.tockReplay?.steps", "the replay opens")
    until(page, f"tockReplay.steps[tockReplay.at[tockReplay.index]].seq === {seq}", "the replay shows the play")


def the_journal_is_whole_and_tells_a_changed_byte(cup: Cup) -> None:
    """`verify_journal` passes; after the triggers are dropped and one byte of a ruling is changed, it names the
    entry."""
    said = io.StringIO()
    call_command("verify_journal", stdout=said)
    assert said.getvalue().startswith("good: ")
    stream = f"competition:{cup.competition.slug}"
    entry = Case.objects.get(origin="dispute").rulings.get().event.entry
    body = bytes(entry.body)
    place = body.index(b"TL-") + 3
    with triggers_dropped():
        changed = body[:place] + bytes([body[place] ^ 1]) + body[place + 1 :]
        JournalEntry.objects.filter(pk=entry.pk).update(body=changed)
    with pytest.raises(CommandError, match=re.escape(f"{stream}, entry {entry.seq}:")):
        call_command("verify_journal", stdout=io.StringIO())
