"""Reads a pasted list or a spreadsheet into rows of cells. What cannot be read is refused with a sentence that says why.

A CSV file does not say in which encoding it is. Recognised are UTF-8 with or without its mark, UTF-16 with its mark or by
its many zero bytes, and everything else that Windows-1252 can be: what Excel writes on a French or Spanish Windows.
"""

import csv
import io
import zipfile
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime

from django.utils.translation import gettext_lazy as _

from tock_league.common.errors import Refused, Text

MOST_BYTES = 512 * 1024
MOST_LINES = 500
MOST_COLUMNS = 20
MOST_UNPACKED = 16 * 1024 * 1024  # of a workbook, in bytes
MOST_PARTS = 200  # files in a workbook
SEPARATORS = "\t;,"
OLD_EXCEL = b"\xd0\xcf\x11\xe0"
ZIP = b"PK\x03\x04"
Row = tuple[int, tuple[str, ...]]  # the number of the line, from 1, and its cells


@dataclass(frozen=True)
class Rows:
    """The lines that are not empty, at most MOST_LINES and the heads. `read_as`: what was guessed of the encoding, or ""."""

    rows: Sequence[Row]
    read_as: str = ""


def read(body: bytes) -> Rows:
    """Return the rows of a file: text with separators, or an XLSX workbook (its first sheet).

    Raise Refused on `file`: too_large, too_long, encoding, old_excel, workbook, csv, empty.
    """
    if len(body) > MOST_BYTES:
        raise _refused("too_large", _("A list has at most %(most)d KiB.") % {"most": MOST_BYTES // 1024})
    if body.startswith(OLD_EXCEL):
        raise _refused("old_excel", _("This is a workbook of an old Excel (.xls). Save it as .xlsx or as CSV."))
    if body.startswith(ZIP):
        return Rows(_bounded(_workbook(body)))
    text, read_as = decoded(body)
    return Rows(_bounded(_separated(text)), read_as)


def decoded(body: bytes) -> tuple[str, str]:
    """Return the text of a file and the encoding as it is told to people; "" for UTF-8. Raise Refused `encoding`."""
    try:
        if body.startswith((b"\xff\xfe\x00\x00", b"\x00\x00\xfe\xff")):
            raise _unreadable()
        if body.startswith((b"\xff\xfe", b"\xfe\xff")):
            return body.decode("utf-16"), "UTF-16"
        zeros = [body[place::2].count(0) * 4 > len(body) // 2 for place in (0, 1)]
        if zeros[0] != zeros[1]:
            return body.decode("utf-16-be" if zeros[0] else "utf-16-le"), "UTF-16"
        if b"\x00" in body:
            raise _unreadable()
    except UnicodeDecodeError as error:
        raise _unreadable() from error
    try:
        return body.decode("utf-8-sig"), ""
    except UnicodeDecodeError:
        pass
    try:
        return body.decode("cp1252"), "Windows-1252"
    except UnicodeDecodeError as error:
        raise _unreadable() from error


def as_text(rows: Sequence[Row]) -> str:
    """Return the rows as text with tabs, each at its line number, as `read` reads it again."""
    out = io.StringIO(newline="")
    writer = csv.writer(out, delimiter="\t", lineterminator="\n")
    written = 0
    for number, cells in rows:
        out.write("\n" * max(0, number - written - 1))
        writer.writerow([" ".join(cell.split()) if "\n" in cell or "\r" in cell else cell for cell in cells])
        written = max(written, number - 1) + 1
    return out.getvalue()


def _separated(text: str) -> list[Row]:
    """Return the rows of a text; its separator is the tab, semicolon or comma that its first line has most of."""
    first = next((line for line in text.splitlines() if line.strip()), "")
    separator = max(SEPARATORS, key=first.count)
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=separator, strict=True)
    rows: list[Row] = []
    before = 0
    try:
        for cells in reader:
            rows.append((before + 1, tuple(cells)))
            before = reader.line_num
    except csv.Error as error:
        sentence = _("Line %(line)d cannot be read: a quotation mark is not closed, or text follows it.")
        raise _refused("csv", sentence % {"line": before + 1}) from error
    return rows


def _workbook(body: bytes) -> list[Row]:
    """Return the rows of the first sheet. A formula stays a text that begins with "=": lines.py refuses it."""
    from openpyxl import load_workbook  # here: its import costs each start 200 ms

    try:
        with zipfile.ZipFile(io.BytesIO(body)) as parts:
            known = parts.infolist()
        if len(known) > MOST_PARTS or sum(part.file_size for part in known) > MOST_UNPACKED:
            raise _refused("too_large", _("This workbook is too large when it is unpacked. Save the one sheet as CSV."))
        book = load_workbook(io.BytesIO(body), read_only=True, keep_links=False)
        sheet = book.worksheets[0]
        return [
            (number, _trimmed([_written(value) for value in values]))
            for number, values in enumerate(sheet.iter_rows(max_col=MOST_COLUMNS + 1, values_only=True), start=1)
            if any(value is not None for value in values)
        ]
    except Refused:
        raise
    except Exception as error:  # the library lets through whatever a broken archive or XML raises
        text = _("This is no workbook that can be read. Save it as .xlsx or as CSV, without a password.")
        raise _refused("workbook", text) from error


def _trimmed(cells: Sequence[str]) -> tuple[str, ...]:
    """Return the cells without the empty ones at the end."""
    used = max((place for place, cell in enumerate(cells, start=1) if cell.strip()), default=0)
    return tuple(cells[:used])


def _written(value: object) -> str:
    if value is None:
        return ""
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    if isinstance(value, datetime | date):
        return value.isoformat()
    return str(value)


def _bounded(rows: Sequence[Row]) -> list[Row]:
    found = [(number, cells) for number, cells in rows if any(cell.strip() for cell in cells)]
    if not found:
        raise _refused("empty", _("The list is empty."))
    if len(found) > MOST_LINES + 1:  # the heads
        text = _("A list has at most %(most)d names. Cut it into several lists.")
        raise _refused("too_long", text % {"most": MOST_LINES})
    wide = next((number for number, cells in found if len(cells) > MOST_COLUMNS), None)
    if wide is not None:
        text = _("Line %(line)d has more than %(most)d columns.")
        raise _refused("too_wide", text % {"line": wide, "most": MOST_COLUMNS})
    return found


def _unreadable() -> Refused:
    text = _("The encoding of this file is not recognised. Save it as “CSV UTF-8”, or as .xlsx.")
    return _refused("encoding", text)


def _refused(code: str, text: Text) -> Refused:
    return Refused(code, text, field="file")
