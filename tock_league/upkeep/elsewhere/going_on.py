"""Another laptop goes on from the newest copy (`serve --from-copy`), in a minute."""

from pathlib import Path

from tock_league.accounts.seals import former_key_told

from .. import archive
from ..errors import CannotDo
from ..restore import Say, refuse_filled, restore
from ..verification import PARTS
from . import files

MOST_PLAYS = 100_000  # rows of records that are played again at once: some twenty seconds on a laptop


def restore_newest(source: Path, data: Path, *, say: Say) -> None:
    """Restore the newest copy of the folder `source`, or that file, into the empty data folder. Raises CannotDo.

    Proved as every restore is, but for the plays of games where there are more than a hall can wait for. The digests show
    that these rows are those that were copied.
    """
    try:
        refuse_filled(data)
    except CannotDo as reason:
        raise CannotDo(f"{reason} To go on with what is there, leave --from-copy out.") from None
    path = files.newest(source)
    say(f"Restoring {path} ...")
    try:
        plays = archive.manifest_of(path)["rows"].get("games_gameevent", 0)
        many = isinstance(plays, int) and plays > MOST_PLAYS
        restore(path, parts=[part for part in PARTS if part.name != "games"] if many else PARTS, say=say)
    except CannotDo as reason:
        other = files.older(path) if source.is_dir() else None
        raise CannotDo(f"{reason} The copy before it: --from-copy {other}" if other else str(reason)) from None
    if many:
        say(f"The {plays} plays were not played again: run `python3 manage.py verify_all` when there is time.")
    say(f"Restored into {data}. Everybody signs in again.")
    for line in former_key_told():
        say(line)
