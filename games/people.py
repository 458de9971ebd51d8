"""What tables hold about a person, and how a player leaves them for good."""

import json
from collections.abc import Iterator, Sequence
from datetime import timedelta
from typing import Any

from django.db.models import Q, QuerySet
from django.utils.translation import gettext_lazy as _

from tock_league.common import clock
from tock_league.common.persons import Leaving, Obstacle, Person, Row, Section, exported
from tock_league.common.transactions import writing

from .models import (
    CasualTable,
    Game,
    HeldSeat,
    PlayComment,
    Seating,
    SeatView,
    Table,
    TableInvitation,
    TablePreferences,
    TableRole,
)
from .selectors import replays

GUESTS_KEPT = timedelta(days=30)
AT_ONCE = 1000


def obstacles(person: Person) -> Iterator[Obstacle]:
    """Yield the matches at whose table the person sits and whose game is not over."""
    if person.player is None:
        return
    running = Game.objects.filter(
        table__seatings__player=person.player, table__kind=Table.Kind.MATCH, table__state__in=["open", "playing"]
    ).exclude(state=Game.State.OVER)
    for game in running.select_related("table").order_by("pk"):
        yield Obstacle("running_game", _("Your game at the table %(table)s is not over.") % {"table": game.table.name})


def forget(leaving: Leaving) -> None:
    """Take the places of a referee away, the settings of the tables' pages, what casual tables note besides the seats, the
    own comments, and the name out of the names of tables and of what others wrote about the own games. Seats stay, under
    the pseudonym.
    """
    player = leaving.person.player
    if player is None:
        return
    TableRole.objects.filter(player=player).delete()
    TablePreferences.objects.filter(player=player).delete()
    HeldSeat.objects.filter(player=player).delete()
    TableInvitation.objects.filter(Q(player=player) | Q(by=player)).delete()
    CasualTable.objects.filter(host=player).update(host=None)
    PlayComment.objects.filter(player=player).delete()
    clean_comments(leaving)
    name_tables(leaving)


def clean_comments(leaving: Leaving) -> None:
    """Put the pseudonym into the comments that others wrote at the games of the person."""
    comments = PlayComment.objects.filter(game__table__seatings__player=leaving.person.player)
    for comment in comments.order_by("pk").iterator(500):
        if leaving.is_named_in(comment.text):
            text = leaving.cleaned(comment.text)[: PlayComment._meta.get_field("text").max_length]
            PlayComment.objects.filter(pk=comment.pk).update(text=text)


def forget_guests() -> int:
    """Delete the names of guests at casual tables that nobody has used for GUESTS_KEPT; return how many."""
    old = Seating.objects.filter(table__kind=Table.Kind.CASUAL, table__updated_at__lt=clock.now() - GUESTS_KEPT)
    found = list(old.exclude(guest_name="").values_list("pk", flat=True)[:AT_ONCE])
    with writing():
        return Seating.objects.filter(pk__in=found).update(guest_name="") if found else 0


def name_tables(leaving: Leaving) -> None:
    """Put the pseudonym into the names of the tables at which the person sits or sat."""
    tables = Table.objects.filter(seatings__player=leaving.person.player)
    for table in tables.order_by("pk").only("pk", "name", "team_names").iterator(500):
        if leaving.is_named_in(" ".join([table.name, *table.team_names])):
            rename(table, leaving.cleaned(table.name), [leaving.cleaned(name) for name in table.team_names])


def rename(table: Table, name: str, team_names: Sequence[str]) -> None:
    """Give a table and its teams other names; no record holds them. Call it inside `writing()`."""
    longest = Table._meta.get_field("name").max_length
    Table.objects.filter(pk=table.pk).update(name=name[:longest], team_names=list(team_names))


def finished_games(person: Person) -> QuerySet[Game]:
    """Return the finished games of the person, oldest first; those who played may have their records."""
    return _played(person).filter(state=Game.State.OVER).select_related("table").order_by("pk")


def _played(person: Person) -> QuerySet[Game]:
    """Return the games that the person sat at; at a casual table seats change hands between games."""
    seated = Seating.objects.filter(player=person.player).exclude(table__kind=Table.Kind.CASUAL)
    held = HeldSeat.objects.filter(player=person.player)
    return Game.objects.filter(Q(table__in=seated.order_by().values("table")) | Q(pk__in=held.values("game")))


def record_of(game: Game) -> str:
    """Return the record of a finished game as JSON Lines, as `export_game` writes it."""
    return "".join(json.dumps(line, sort_keys=True, separators=(",", ":")) + "\n" for line in replays.lines(game))


def _of_player(model: Any, *fields: str, related: Sequence[str] = ("table",)) -> Any:
    def rows(person: Person) -> Iterator[Row]:
        for row in model.objects.filter(player=person.player).select_related(*related).order_by("pk"):
            yield exported(row, *fields)

    return rows


def _tables(person: Person) -> Iterator[Row]:
    for row in Table.objects.filter(seatings__player=person.player).distinct().order_by("pk"):
        yield exported(
            row, "slug", "name", "team_names", "rules", "seats", "kind", "state", "rated", "best_of", "starts_at"
        )


def _games(person: Person) -> Iterator[Row]:
    """Yield the games that the person sat at. Nothing of what is hidden in a running one."""
    for row in _played(person).select_related("table").order_by("pk").iterator(500):
        yield exported(row, "slug", "table", "number", "rules", "state", "ranks", "reason", "rated", "started_at",
                       "finished_at")  # fmt: skip


SECTIONS = (
    Section("tables", Table._meta.label, _tables),
    Section("seats", Seating._meta.label, _of_player(Seating, "table", "seat")),
    Section("games", Game._meta.label, _games),
    Section(
        "table_preferences",
        TablePreferences._meta.label,
        _of_player(TablePreferences, "chosen", "lessons", "created_at", "updated_at", related=("player",)),
    ),
    Section(
        "casual_tables",
        CasualTable._meta.label,
        lambda person: (
            exported(row, "table", "code", "listed", "created_at")
            for row in CasualTable.objects.filter(host=person.player).select_related("table").order_by("pk")
        ),
    ),
    Section(
        "table_invitations",
        TableInvitation._meta.label,
        lambda person: (
            exported(row, "casual", "at")
            for row in TableInvitation.objects.filter(Q(player=person.player) | Q(by=person.player))
            .select_related("casual")
            .order_by("pk")
        ),
    ),
    Section("held_seats", HeldSeat._meta.label, _of_player(HeldSeat, "game", "seat", related=("game",))),
    Section(
        "play_comments",
        PlayComment._meta.label,
        _of_player(PlayComment, "game", "seq", "text", "line", "created_at", related=("game",)),
    ),
    Section("table_roles", TableRole._meta.label, _of_player(TableRole, "table", "role")),
    Section(
        "hands_seen",
        SeatView._meta.label,
        _of_player(SeatView, "game", "seat", "granted_at", "until", "ended_at", related=("game",)),
    ),
)
