"""Exports: a zip of everything that the site holds about a person, made by a worker.

`data.json` has a list of rows for each section, `csv/` the same as tables, `games/` the records of the finished games, as
`export_game` writes them. Records are made in steps of a few seconds, because a task must end within thirty.
"""

import csv
import io
import json
import zipfile
import zlib
from collections.abc import Sequence
from datetime import timedelta
from typing import Any

from django.conf import settings
from django.utils import translation
from django.utils.translation import gettext_lazy as _

from games import people as games
from tock_league.accounts.models import User
from tock_league.common import clock, outbox
from tock_league.common.errors import Conflict, NotAllowed, NotThere, Refused
from tock_league.common.persons import Person, Row
from tock_league.common.transactions import snapshot, writing

from .models import Export, ExportPart
from .parts import SECTIONS, person_of

TASK = "tock_league.people.tasks.make_export"
EVERY = timedelta(days=1)
STEP_S = 8.0  # for records in one run of the task
# Translators: the text of README.txt in the copy of a person's data.
README = _(
    "This is everything that the site holds about you, as of {at} (UTC).\n\n"
    "data.json: all of it; one list of rows for each section.\n"
    "csv/: the same as tables, one file for each section.\n"
    "games/: the records of your finished games, JSON Lines in the format tock-record/1.\n\n"
    "Times are in UTC (ISO 8601). Other people appear as they do on public pages. What others wrote to a referee, hands of"
    " running games, and secrets such as your password’s hash are not in here.\n"
)


def ask(*, by: User) -> Export:
    """Return a new export, which a worker makes, or the one that is being made: a double click asks once.

    Raises Refused `export_again` when the last one is ready and not a day old.
    The caller has made sure that the sign-in is fresh.
    """
    with writing():
        user = User.objects.select_for_update().get(pk=by.pk)
        now = clock.now()
        last = Export.objects.filter(user=user).first()
        if last is not None and last.ready_at is None and now - last.asked_at < EVERY:
            return last
        if not may_ask(last):
            raise Refused("export_again", _("One export a day: the last one is not a day old."), status=429)
        export = Export.objects.create(user=user, asked_at=now, expires_at=now + _kept())
        _promise(export, 0)
        return export


def make(export_id: int, *, seconds: float = STEP_S) -> bool:
    """Do the next step of an export, of so many `seconds`; return whether it is done. Idempotent.

    Nothing is left of an export whose person is erased meanwhile.
    """
    export = Export.objects.filter(pk=export_id, ready_at__isnull=True).select_related("user").first()
    if export is None:
        return True
    person = person_of(user=export.user)
    if not _records(export, person, seconds):
        with writing():
            _promise(export, export.parts.count())
        return False
    if not Export.objects.filter(pk=export.pk).exists():
        return True
    body = _zipped(export, person)
    with writing():
        Export.objects.filter(pk=export.pk, ready_at__isnull=True).update(
            body=body, size=len(body), ready_at=clock.now(), expires_at=clock.now() + _kept()
        )
        ExportPart.objects.filter(export=export).delete()
    return True


def latest(user: User) -> Export | None:
    """Return the person's newest export that has not expired, without its zip. One query."""
    return Export.objects.filter(user=user, expires_at__gt=clock.now()).defer("body").first()


def may_ask(last: Export | None) -> bool:
    """Return whether a new export may be asked for after the `latest` one."""
    return last is None or clock.now() - last.asked_at >= EVERY


def zip_of(user: User, pk: int) -> bytes:
    """Return the zip of an own export. Raises NotThere for those of others and expired ones; Conflict while it is made."""
    export = Export.objects.filter(pk=pk, user=user, expires_at__gt=clock.now()).first()
    if export is None:
        raise NotThere
    if export.body is None:
        raise Conflict("export_waits", _("Your data is being gathered. Come back in a few minutes."))
    return bytes(export.body)


def expire() -> int:
    """Delete exports that have expired; return how many."""
    with writing():
        return Export.objects.filter(expires_at__lte=clock.now()).delete()[1].get(Export._meta.label, 0)


def data_of(person: Person) -> dict[str, list[Row]]:
    """Return the rows of every section. Raises NotAllowed for nobody."""
    if person.user is None and person.player is None:
        raise NotAllowed
    empty = person.player is None
    return {
        section.name: [] if empty and _of_player(section.model) else list(section.rows(person)) for section in SECTIONS
    }


def _of_player(model: str) -> bool:
    """Return whether the rows belong to a player: a login without one has none."""
    return model.split(".")[0] in ("clubs", "games", "ratings", "competitions", "arbitration", "journal")


def _promise(export: Export, step: int) -> None:
    outbox.enqueue(TASK, f"{export.pk}:{step}", export_id=export.pk)


def _kept() -> timedelta:
    return timedelta(days=settings.KEEP_EXPORTS_DAYS)


def _records(export: Export, person: Person, seconds: float) -> bool:
    """Make the records that are missing, for so many seconds; return whether all are there."""
    if person.player is None:
        return True
    until = clock.monotonic() + seconds
    have = set(export.parts.values_list("name", flat=True))
    for game in games.finished_games(person).iterator(100):
        if game.slug in have:
            continue
        if clock.monotonic() > until:
            return False
        body = zlib.compress(games.record_of(game).encode())
        with writing():
            if not Export.objects.select_for_update().filter(pk=export.pk).exists():
                return True  # its person was erased meanwhile
            ExportPart.objects.get_or_create(export=export, name=game.slug, defaults={"body": body})
    return True


def _zipped(export: Export, person: Person) -> bytes:
    with snapshot():
        data = data_of(person)
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as archive:

        def add(name: str, text: str) -> None:
            archive.writestr(zipfile.ZipInfo(name, clock.now().timetuple()[:6]), text, zipfile.ZIP_DEFLATED)

        with translation.override(person.player.language if person.player is not None else settings.LANGUAGE_CODE):
            add("README.txt", str(README).format(at=f"{clock.now():%Y-%m-%d %H:%M}"))
        add("data.json", json.dumps(data, ensure_ascii=False, indent=1))
        for name, rows in data.items():
            if rows:
                add(f"csv/{name}.csv", as_csv(rows))
        for part in export.parts.order_by("pk").iterator(50):
            add(f"games/{part.name}.jsonl", zlib.decompress(bytes(part.body)).decode())
    return made.getvalue()


def as_csv(rows: Sequence[Row]) -> str:
    """Return rows as CSV with a header; lists and mappings are JSON. Spreadsheets run no cell as a formula."""
    columns = list(dict.fromkeys(name for row in rows for name in row))
    text = io.StringIO()
    writer = csv.writer(text)
    writer.writerow(columns)
    writer.writerows([_cell(row.get(name)) for name in columns] for row in rows)
    return text.getvalue()


def _cell(value: Any) -> Any:
    if isinstance(value, dict | list):
        return json.dumps(value, ensure_ascii=False)
    if isinstance(value, str) and value[:1] in ("=", "+", "-", "@", "\t", "\r"):
        return f"'{value}"
    return value
