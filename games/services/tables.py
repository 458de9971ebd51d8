"""Open tables and their games; change a table's time."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from games import bots
from games.announcements import PlaysRecorded
from games.engine import registry
from games.fold import SYSTEM, ClockSettings, TimeCap
from games.models import Game, Seating, Table
from games.selectors import rule_sets
from games.store import current, month_of, opening_of
from tock_league.accounts.models import Player
from tock_league.common import bus, clock
from tock_league.common.errors import Refused
from tock_league.common.ids import new_slug
from tock_league.common.transactions import writing

from . import pulses
from .deals import Deals, draw_secret
from .record import Draft, index, write

__all__ = [
    "ClockSettings",
    "SeatPlan",
    "check_shape",
    "close",
    "new_game",
    "open_match_table",
    "open_practice",
    "open_seats",
    "reschedule",
    "reserve_match_table",
]


MAX_WAIT_S = 3600
MAX_ROUNDS = 100


@dataclass(frozen=True, slots=True)
class SeatPlan:
    """Who gets a seat."""

    seat: int
    player_id: int | None = None
    bot: str = ""  # the level of a built-in bot that plays, alone or for the player's identity (demo)
    guest_key: str = ""  # kept in the session of a guest at a practice table


def reserve_match_table(
    *,
    rules: str,
    name: str,
    seat_plan: Sequence[SeatPlan],
    best_of: int = 1,
    clocks: ClockSettings | None = None,
    touch: bool = True,
    rated: bool = True,
    opens_at: datetime | None = None,
    starts_at: datetime | None = None,
    team_names: Sequence[str] = (),
    bots_allowed: bool = False,
    first_dealer: str = "draw",
    referee_wait_s: int = 300,
    teams: int | None = None,
    full_ranking: bool = False,
    rounds: int = 0,
    decisive: bool = False,
    cap: TimeCap | None = None,
) -> Table:
    """Create the table of a match with reserved seats and no game yet: its games come as records.

    `seat_plan`: one per seat. `teams`: as many as there are names, or two, unless given. `clocks` None: no clock runs
    and nobody forfeits by time. `rounds`: see `check_shape`. `decisive`: a tied game does not count and another one is
    played. `cap`: the time cap of each game. Raises Refused: `bad_seats`, `bots_refused` (a bot at a rated table whose
    competition does not allow it),
    `level` (a bot that does not play these rules), `best_of_even`, `first_dealer` (only the draw is offered),
    `referee_wait` (0 to 3600 seconds), and those of `check_shape`.
    """
    if any(plan.bot for plan in seat_plan) and not bots_allowed:
        raise Refused("bots_refused", _("This competition does not allow bots."), field="seat_plan")
    if best_of < 1 or best_of % 2 == 0:
        raise Refused("best_of_even", _("The number of games must be odd."), field="best_of")
    if first_dealer != "draw":
        raise Refused("first_dealer", _("The first dealer is drawn by lot."), field="first_dealer")
    if not 0 <= referee_wait_s <= MAX_WAIT_S:
        raise Refused("referee_wait", _("A referee is waited for at most an hour."), field="referee_wait_s")
    with writing():
        return open_seats(
            Table(
                kind=Table.Kind.MATCH,
                name=name,
                rules=rules,
                best_of=best_of,
                clocks=clocks.to_json() if clocks else None,
                touch=touch,
                rated=rated,
                opens_at=opens_at,
                starts_at=starts_at,
                bots_allowed=bots_allowed,
                referee_wait_s=referee_wait_s,
                teams=(len(team_names) or 2) if teams is None else teams,
                full_ranking=full_ranking,
                rounds=rounds,
                decisive=decisive,
                cap=cap.to_json() if cap is not None else None,
            ),
            seat_plan,
            team_names,
        )


def open_match_table(**plan: Any) -> Table:
    """Open the table of a match with its first game; arguments and refusals are those of `reserve_match_table`."""
    with writing():
        table = reserve_match_table(**plan)
        new_game(table)
        return table


def open_practice(
    *,
    player: Player | None = None,
    guest_key: str = "",
    rules: str = "shawinigan/1",
    seats: int = 4,
    teams: int = 2,
    full_ranking: bool = False,
    touch: bool = False,
    level: str = "club",
    rounds: int = 0,
) -> Table:
    """Open a practice table: the person in seat 0, bots in the others, no clock, never rated.

    A guest's seat is bound to `guest_key`, kept in the session. `touch`: what is touched binds. Raises Refused: `level`,
    `bad_seats`, and those of `check_shape`.
    """
    check_shape(rules, seats=seats, teams=teams, full_ranking=full_ranking, rounds=rounds)
    if level not in bots.levels(rules):
        raise Refused("level", _("There is no bot of this level."), field="level")
    plan = [SeatPlan(0, player_id=player.pk if player else None, guest_key="" if player else guest_key)]
    plan += [SeatPlan(seat, bot=level) for seat in range(1, seats)]
    with writing():
        table = open_seats(
            Table(
                kind=Table.Kind.PRACTICE,
                name=gettext("Practice"),
                rules=rules,
                bots_allowed=True,
                touch=touch,
                referee_wait_s=0,
                teams=teams,
                full_ranking=full_ranking,
                rounds=rounds,
            ),
            plan,
            (),
        )
        new_game(table)
        return table


def check_shape(rules: str, *, seats: int, teams: int, full_ranking: bool = False, rounds: int = 0) -> None:
    """Refuse a table that the rule set does not support: `unknown_rules`, `bad_table` (its field says whether the
    number of seats or of teams is wrong), `full_ranking` (in team play the first complete team ends the game), `rounds`
    (a number of rounds, 0 for none, where the family has no rounds, or more than 100).
    """
    if not rule_sets.is_played(rules):
        raise Refused("unknown_rules", _("There is no such rule set."), field="rules")
    data = registry.rules(rules)
    if seats not in data.teams:
        raise Refused("bad_table", _("This rule set is not played by so many."), field="seats")
    if teams not in data.teams[seats]:
        raise Refused("bad_table", _("So many players do not play this rule set in such teams."), field="teams")
    if full_ranking and teams != seats:
        raise Refused(
            "full_ranking", _("Only where everybody plays for himself is every place played for."), field="full_ranking"
        )
    if rounds and not registry.game(rules).in_rounds:
        raise Refused("rounds", _("A game by this rule set has no rounds to count."), field="rounds")
    if not 0 <= rounds <= MAX_ROUNDS:
        raise Refused("rounds", _("A game has at most a hundred rounds."), field="rounds")


def open_seats(table: Table, seat_plan: Sequence[SeatPlan], team_names: Sequence[str]) -> Table:
    """Save a table with its seats and without a game; inside `writing()`. Refuses what the callers above list."""
    seats = len(seat_plan)
    check_shape(table.rules, seats=seats, teams=table.teams, full_ranking=table.full_ranking, rounds=table.rounds)
    table.touch = table.touch and registry.game(table.rules).touches
    if team_names and len(team_names) != table.teams:
        raise Refused("bad_teams", _("Each team has one name."), field="team_names")
    if sorted(plan.seat for plan in seat_plan) != list(range(seats)):
        raise Refused("bad_seats", _("Each seat must be given once."), field="seat_plan")
    if not all(plan.player_id or plan.bot or plan.guest_key for plan in seat_plan):
        raise Refused("bad_seats", _("Each seat needs a player or a bot."), field="seat_plan")
    if {plan.bot for plan in seat_plan if plan.bot} - set(bots.levels(table.rules)):
        raise Refused("level", _("There is no bot of this level."), field="seat_plan")
    players = [plan.player_id for plan in seat_plan if plan.player_id]
    if len(set(players)) != len(players):
        raise Refused("bad_seats", _("A player cannot hold two seats."), field="seat_plan")
    table.slug, table.seats, table.team_names = new_slug(), seats, list(team_names)
    table.save()
    Seating.objects.bulk_create(
        Seating(table=table, seat=plan.seat, player_id=plan.player_id, bot=plan.bot, guest_key=plan.guest_key)
        for plan in seat_plan
    )
    return table


def new_game(table: Table) -> Game:
    """Open the table's next game; its deals are committed to before anybody is ready; call it inside `writing()`."""
    number = table.games.count() + 1
    with clock.held():  # its first row is of the game's month
        month = month_of(clock.now_ms())
        game = Game.objects.create(table=table, number=number, slug=new_slug(), rules=table.rules, month=month)
        draw_secret(game)
        draft = Draft.of(game, opening_of(game))
    chain = pulses.chain() if table.kind == Table.Kind.MATCH else None
    draft.act(Deals.of(game).commit(setup=draft.state.setup.digest, chain=chain), SYSTEM)
    _set_no_show(game, table)
    write(draft)
    return game


def reschedule(table: Table, starts_at: datetime, *, opens_at: datetime | None = None) -> None:
    """Change the time of a table that has not begun; one to which nobody came opens again. Raises Refused: `begun`."""
    with writing():
        game = _locked_game(table)
        table = Table.objects.select_for_update().get(pk=table.pk)
        if table.state not in (Table.State.OPEN, Table.State.CLOSED):
            raise Refused("begun", _("This table has already begun."))
        table.state = Table.State.OPEN
        table.starts_at = starts_at
        table.opens_at = opens_at if opens_at is not None else table.opens_at
        table.save()
        if game is not None and game.state == Game.State.SEATING:
            state = current(game)
            if state.shares.open or state.shares.pending:
                index(game, state)
            else:
                _set_no_show(game, table)
            game.save()


def close(table: Table) -> None:
    """Close a table whose match was settled elsewhere: nobody can play there and no result is announced.

    A table that is finished or closed stays as it is. Call it inside `writing()`.
    """
    running = _locked_game(table)
    table = Table.objects.select_for_update().get(pk=table.pk)
    if table.state not in (Table.State.OPEN, Table.State.PLAYING):
        return
    table.state = Table.State.CLOSED
    table.save(update_fields=["state", "updated_at"])
    if running is not None and running.state != Game.State.OVER:
        running.due_at, running.due_kind, running.bot_at = None, "", None
        running.save(update_fields=["due_at", "due_kind", "bot_at", "updated_at"])
        bus.publish(PlaysRecorded(table_id=table.pk, game_id=running.pk, seq=running.last_seq))


def _locked_game(table: Table) -> Game | None:
    """Lock and return the table's last game, which comes before the table in the lock order of commands."""
    return table.games.select_for_update().order_by("-number").first()


def _set_no_show(game: Game, table: Table) -> None:
    """Set when the seats must be taken; not where no clock runs."""
    game.due_at, game.due_kind = None, ""
    if table.clocks is None or not table.forfeits:
        return
    settings = ClockSettings.from_json(table.clocks)
    at_once = game.number > 1 or table.kind == Table.Kind.CASUAL
    begins = max(filter(None, (table.starts_at, clock.now() if at_once else None)), default=None)
    if begins is not None:
        game.due_at, game.due_kind = begins + timedelta(seconds=settings.no_show_s), "no_show"
