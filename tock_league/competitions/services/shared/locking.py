"""Locks rows in the lock order: competition first, then the match.

Whoever locks a competition is about to change it, so the lock gives it another version too: what pages keep of its standings
and its bracket is found by that number (`selectors.rankings.kept`), and no service can forget it.

The locks are those of a row whose key stays (`no_key`): a row that names it by a foreign key, such as a case that a game's
own transaction files, may be inserted meanwhile, so that no deadlock with that game's transaction can occur.
"""

import secrets
from collections.abc import Iterable

from games.models import Game

from ...models import Competition, CompetitionVersion, Entry, Match

WITH = ("regulations", "club", "division__season")


def lock_competition(pk: int, *, changes: bool = True) -> Competition:
    """Return the competition, its row locked until the transaction ends, and give it another version.

    `changes`: False where most calls change nothing; the caller then calls `give_version` before it writes.
    """
    found = Competition.objects.select_for_update(of=("self",), no_key=True).select_related(*WITH).get(pk=pk)
    if changes:
        give_version(found)
    return found


def give_version(competition: Competition) -> None:
    """Let what is kept of the competition's standings and bracket be computed again; the caller holds its row."""
    CompetitionVersion.objects.bulk_create(
        [CompetitionVersion(competition=competition, number=secrets.randbits(63))],
        update_conflicts=True,
        unique_fields=["competition"],
        update_fields=["number"],
    )


def lock_match(pk: int, *, changes: bool = True) -> Match:
    """Return the match with its competition, round and table; the competition's row and the match's are locked.

    A result may fill a seat of another match, so everything that changes one holds the competition. `changes`: see
    `lock_competition`.
    """
    competition = lock_competition(Match.objects.values_list("competition_id", flat=True).get(pk=pk), changes=changes)
    match = (
        Match.objects.select_for_update(of=("self",), no_key=True)
        .select_related("round__group__stage", "table")
        .get(pk=pk)
    )
    match.competition = competition
    return match


def lock_entry(entry: Entry) -> tuple[Competition, Entry]:
    """Return the competition and the entry, both rows locked in this order."""
    competition = lock_competition(entry.competition_id)
    entry = Entry.objects.select_for_update(of=("self",), no_key=True).select_related("team__club").get(pk=entry.pk)
    entry.competition = competition
    return competition, entry


def hold_games(matches: Iterable[int]) -> None:
    """Lock the games under way of these matches, before the journal is written.

    A table may be closed further on, and a player who calls the referee there holds the game and then the journal: the
    stream comes last for everybody.
    """
    running = Game.objects.select_for_update(of=("self",)).filter(table__match__in=list(matches))
    list(running.exclude(state=Game.State.OVER).order_by("pk").values_list("pk", flat=True))
