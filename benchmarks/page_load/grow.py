"""Make the demo ten times as large by copying rows, which takes seconds; through services it would take an hour.

Clubs, players, competitions, stages, groups and seasons are copied too, so that lists are longer. All rows below them
are attached to the originals: a competition then has ten times the entries, rounds, matches and cases, a club ten times
the teams, a player ten times the games. Where a constraint allows one row of a kind for a player, the copied player
gets it. Records of games keep their length. Texts that must be unique get a suffix; a row that breaks another
constraint is skipped, with the rows that refer to it. The data must be valid for the database; the pages that show it
need not make sense to a reader.
"""

import hashlib
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from django.apps import apps
from django.db import connection, models, transaction

STEP = 1_000_000  # between the keys of a row and those of its copies
# Copied; rows that refer to them still refer to the original.
ROOTS = [
    "accounts.Player", "clubs.Club", "competitions.Season", "competitions.Competition", "competitions.Stage",
    "competitions.Group",
]  # fmt: skip
# Copied together with the rows that refer to them, in the order of their dependencies.
BRANCHES = [
    "journal.JournalEntry", "journal.PrivateText", "clubs.Membership", "clubs.ClubRole", "clubs.Team",
    "clubs.TeamPlayer", "games.Table", "games.Seating", "games.TableRole", "games.Game", "ratings.Subject",
    "ratings.RatedResult", "ratings.Rating", "ratings.RatingChange", "competitions.Entry", "competitions.RosterSpot",
    "competitions.Round", "competitions.Match", "competitions.Side", "competitions.MatchGame",
    "competitions.ResultEffect", "competitions.ResultVersion", "competitions.ResultLine",
    "competitions.ResultSignature", "competitions.BracketEdge", "competitions.CompetitionRole", "arbitration.Case",
    "arbitration.CaseEvent", "arbitration.Evidence", "arbitration.Deadline", "arbitration.Ruling",
    "arbitration.Effect", "arbitration.Appeal", "arbitration.PanelSeat", "arbitration.Vote", "arbitration.Lease",
]  # fmt: skip
# References to a root that are moved to its copy, because the original may have only one of these.
MOVED = {
    ("clubs.Membership", "player"), ("clubs.ClubRole", "player"), ("competitions.CompetitionRole", "player"),
    ("competitions.Entry", "player"),
    ("competitions.RosterSpot", "player"), ("competitions.Stage", "competition"), ("competitions.Group", "stage"),
}  # fmt: skip
# Texts that are unique within another row.
TEXTS = {("clubs.Team", "name"), ("ratings.RatedResult", "source"), ("ratings.RatingChange", "source")}
# Numbers that are unique within a root, so the copies are numbered on.
NUMBERS = {
    ("competitions.Round", "number"),
    ("competitions.Entry", "seed"),
    ("journal.JournalEntry", "seq"),
    ("competitions.ResultEffect", "number"),
}


def grow(times: int) -> None:
    """Copy every row of the demo `times - 1` times."""
    with transaction.atomic(), _without_triggers():
        originals = {label: list(apps.get_model(label)._default_manager.all()) for label in (*ROOTS, *BRANCHES)}
        for number in range(1, times):
            there: dict[str, set[int]] = {}
            for label in (*ROOTS, *BRANCHES):
                there[label] = _copy(label, originals[label], number, there)
            _copy_members(number, there["ratings.Subject"])
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")


@contextmanager
def _without_triggers() -> Iterator[None]:
    """Let append-only tables accept inserted copies, and defer the check of references to the end."""
    with connection.cursor() as cursor:
        if connection.vendor != "sqlite":
            cursor.execute("SET LOCAL session_replication_role = replica")
            yield
            return
        cursor.execute("PRAGMA defer_foreign_keys=ON")
        found = cursor.execute("SELECT name, sql FROM sqlite_master WHERE type = 'trigger'").fetchall()
        for name, _ in found:
            cursor.execute(f'DROP TRIGGER "{name}"')
        yield
        for _, text in found:
            cursor.execute(text)


def _copy(label: str, rows: list[Any], number: int, there: dict[str, set[int]]) -> set[int]:
    """Write one copy of the rows; return the keys of the originals that now have a copy."""
    model = apps.get_model(label)
    copies = []
    for row in rows:
        values = dict(_values(label, row, number, there))
        if not values.pop("lost", False):
            copies.append(model(**values))
    if label == "competitions.ResultVersion" or label == "arbitration.Ruling":
        copies.sort(key=lambda copy: copy.pk)  # a later version points at an earlier one
    model._default_manager.bulk_create(copies, batch_size=200, ignore_conflicts=True)
    kept = model._default_manager.filter(pk__gt=number * STEP, pk__lt=(number + 1) * STEP)
    return {pk - number * STEP for pk in kept.values_list("pk", flat=True)}


def _values(label: str, row: Any, number: int, there: dict[str, set[int]]) -> Iterator[tuple[str, Any]]:
    for field in row._meta.concrete_fields:
        value = getattr(row, field.attname)
        if field.primary_key:
            value += number * STEP
        elif field.is_relation and value is not None:
            target = field.related_model._meta.label
            moves = target in BRANCHES or (label, field.name) in MOVED
            if moves and value not in there.get(target, set()) and target != label:
                yield "lost", True
            elif moves:
                value += number * STEP
            elif field.one_to_one:
                value = None
                if not field.null:
                    yield "lost", True
        elif (label, field.name) in NUMBERS and value is not None:
            value += number * 1000
        elif value and isinstance(field, models.CharField) and (field.unique or (label, field.name) in TEXTS):
            value = _renamed(label, field, value, number)
        yield field.attname, value


def _renamed(label: str, field: "models.Field[Any, Any]", value: str, number: int) -> str:
    """Return a unique text that resembles `value`."""
    if label == "ratings.Subject":  # the keys of its members
        return "-".join(str(int(part) + number * STEP) for part in value.split("-"))
    if label == "arbitration.Case":
        head, _, digits = value.rpartition("-")
        return f"{head}-{int(digits) + number * 1000:06d}"
    if field.max_length == 64:
        return hashlib.sha256(f"{value}{number}".encode()).hexdigest()
    suffix = f"-c{number}"
    return value[: (field.max_length or 200) - len(suffix)] + suffix


def _copy_members(number: int, subjects: set[int]) -> None:
    through = apps.get_model("ratings.Subject").members.through
    pairs = through._default_manager.filter(subject_id__in=subjects, pk__lt=STEP).values_list("subject_id", "player_id")
    moved = [through(subject_id=subject + number * STEP, player_id=player + number * STEP) for subject, player in pairs]
    through._default_manager.bulk_create(moved, batch_size=200)
