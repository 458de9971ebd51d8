"""The end of a game: certify it, announce it, and open the next one or close the table."""

from collections import Counter
from collections.abc import Sequence

from games import store
from games.announcements import GameFinished
from games.fold import CLOCK, Row, TableState, acts, caps
from games.models import Game, Seating, Table
from games.store import winners
from tock_league.common import bus

from .record import Draft, follow, write
from .tables import new_game

MIN_PLAYS = 5  # turns of each seat: a game forfeited earlier changes no rating
TIED = ("played", caps.REASON)  # how a game ends that may be a tie
OWN_SHARE = 0.9  # the share of a seat's turns that the player must have taken


def conclude(draft: Draft) -> None:
    """Add what follows automatically, write everything, and finish the game if it is over; inside `writing()`.

    When the game ends, its subscribers (WITHIN) and the table's next game belong to the same transaction.
    """
    follow(draft)
    write(draft)
    table = draft.game.table
    if draft.ends:
        certify(draft.game, draft.state, store.rows_of(draft.game))
        if table.state != Table.State.FINISHED:
            new_game(table)
    elif draft.state.position is not None and table.state == Table.State.OPEN:
        _set_state(table, Table.State.PLAYING)


def certify(game: Game, state: TableState, rows: Sequence[Row]) -> None:
    """Announce the result of a game that `rows` have ended, and finish its table if that decides it; inside
    `writing()`.
    """
    assert state.result is not None
    assert game.finished_at is not None
    table = game.table
    sides = sides_of(table)
    game.unrated_reason = unrated_reason(game, sides, state, rows)
    game.rated = not game.unrated_reason
    game.save(update_fields=["rated", "unrated_reason", "updated_at"])
    bus.publish(
        GameFinished(
            game_id=game.pk,
            table_id=table.pk,
            rules=game.rules,
            teams=table.teams,
            sides=sides,
            ranks=state.result.ranks,
            rated=game.rated,
            reason=state.result.reason,
            finished_at=game.finished_at,
            unrated_reason=game.unrated_reason,
        )
    )
    if decided(table):
        _set_state(table, Table.State.FINISHED)


def decided(table: Table) -> bool:
    """Return whether no further game can change who has won most games, or all games that count have been played."""
    over = table.games.filter(state=Game.State.OVER).values_list("ranks", "reason")
    played = [ranks or [] for ranks, reason in over if winners(ranks or []) or not table.decisive or reason not in TIED]
    wins = Counter(team for ranks in played for team in winners(ranks))
    return len(played) >= table.best_of or any(count > table.best_of // 2 for count in wins.values())


def sides_of(table: Table) -> tuple[tuple[int, ...], ...] | None:
    """Return the player ids per team in seat order, or None when a seat has no identity."""
    players = list(Seating.objects.filter(table=table).order_by("seat").values_list("player_id", flat=True))
    if None in players:
        return None
    return tuple(tuple(players[team :: table.teams]) for team in range(table.teams))


def unrated_reason(game: Game, sides: Sequence[object] | None, state: TableState, rows: Sequence[Row]) -> str:
    """Return the code of the reason why the game changes no rating, or an empty text.

    A no-show and a ruling also count where the other teams continued without the team that left.
    """
    table = game.table
    if table.kind == Table.Kind.PRACTICE:
        return "practice"
    if not table.rated:
        return "unrated_table"
    if sides is None:
        return "anonymous"
    ends = (acts.read(row) for row in rows if row.code == acts.Forfeit.word)
    forfeits = {end.reason for end in ends if isinstance(end, acts.Forfeit)}
    for reason in ("no_show", "forfeit_ruling"):
        if reason in forfeits:
            return reason
    if game.reason == caps.REASON:
        return "by_time"
    if table.teams == 2 and not winners(game.ranks or []):
        return "tied"
    choices = state.setup.family.is_choice
    plays = [row for row in rows if row.kind == "play" and not row.body.get("chance") and choices(row.body["play"])]
    if game.reason == "forfeit_timeouts" and len(plays) < MIN_PLAYS * table.seats:
        return "forfeit_early"
    present = [row for row in plays if not state.is_out(row.body["seat"])]
    return "default_plays" if _played_by_clock(present) else ""


def _played_by_clock(rows: Sequence[Row]) -> bool:
    """Return whether the clock took more than a tenth of some seat's turns."""
    turns = Counter(row.body["seat"] for row in rows)
    defaults = Counter(row.body["seat"] for row in rows if row.actor == CLOCK)
    return any(count > (1 - OWN_SHARE) * turns[seat] for seat, count in defaults.items())


def _set_state(table: Table, state: str) -> None:
    table.state = state
    table.save(update_fields=["state", "updated_at"])
