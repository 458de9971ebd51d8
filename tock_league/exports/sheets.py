"""A table as a CSV file or as an XLSX workbook, in which no cell is a formula."""

import csv
import io
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from fractions import Fraction

import xlsxwriter
from django.utils import timezone
from django.utils.formats import number_format
from django.utils.functional import Promise
from django.utils.translation import gettext as _

Cell = str | Promise | int | Fraction | datetime | None

MOST_ROWS = 10_000
MOST_LETTERS = 2_000  # of a cell; Excel itself takes 32,767
# A spreadsheet takes a cell that begins so for a formula; the wide signs too, in some languages.
FORMULA = re.compile(r"^[=+\-@\t\r\n＝＋－＠]")
# What XML cannot hold, and what no line of a CSV file should.
# And what shows nothing, or turns the direction of a text round: before a sign it would hide a formula.
CONTROL = re.compile(
    r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u200b\u2028-\u202e\u2060\u2066-\u2069\ufeff\ufffe\uffff\ud800-\udfff]"
)
WIDEST = 60  # of a column, in letters


@dataclass(frozen=True)
class Table:
    """A name for the file, its title, the heads of the columns, and the rows; `more`: how many rows were left out."""

    name: str
    title: str
    heads: Sequence[str | Promise]
    rows: Sequence[Sequence[Cell]]
    more: int = 0


def bounded(table: Table) -> Table:
    """Return the table with MOST_ROWS rows at most."""
    kept = table.rows[:MOST_ROWS]
    return Table(table.name, table.title, table.heads, kept, table.more + len(table.rows) - len(kept))


def harmless(text: str) -> str:
    """Return `text` so that no spreadsheet takes it for a formula: an apostrophe stands before its first sign."""
    kept = CONTROL.sub("", text)[:MOST_LETTERS]
    return f"'{kept}" if FORMULA.match(kept) else kept


def as_csv(table: Table) -> bytes:
    """Return the table as CSV (RFC 4180) in UTF-8, with the mark at its beginning by which Excel knows that."""
    out = io.StringIO(newline="")
    writer = csv.writer(out)
    writer.writerow([harmless(str(head)) for head in table.heads])
    for row in table.rows:
        writer.writerow([_text(cell) for cell in row])
    if table.more:
        writer.writerow([_left_out(table)])
    return b"\xef\xbb\xbf" + out.getvalue().encode()


def as_xlsx(table: Table) -> bytes:
    """Return the table as a workbook of one sheet. Texts are cells of text, numbers and dates are numbers and dates."""
    out = io.BytesIO()
    options = {"in_memory": True, "strings_to_formulas": False, "strings_to_urls": False, "strings_to_numbers": False}
    with xlsxwriter.Workbook(out, options) as book:
        sheet = book.add_worksheet(_sheet_name(table.title))
        head, day = book.add_format({"bold": True}), book.add_format({"num_format": "yyyy-mm-dd hh:mm"})
        for column, text in enumerate(table.heads):
            sheet.write_string(0, column, harmless(str(text)), head)
            sheet.set_column(column, column, _width(table, column))
        sheet.freeze_panes(1, 0)
        for number, row in enumerate(table.rows, start=1):
            for column, cell in enumerate(row):
                if isinstance(cell, datetime):
                    sheet.write_datetime(number, column, timezone.localtime(cell).replace(tzinfo=None), day)
                elif isinstance(cell, int | Fraction):
                    sheet.write_number(number, column, float(cell))
                elif cell is not None:
                    sheet.write_string(number, column, harmless(str(cell)))
        if table.more:
            sheet.write_string(len(table.rows) + 1, 0, _left_out(table))
    return out.getvalue()


# The forms of a table by the ending of the file: the content type, and what makes it.
FORMS: Mapping[str, tuple[str, Callable[[Table], bytes]]] = {
    "csv": ("text/csv; charset=utf-8", as_csv),
    "xlsx": ("application/vnd.openxmlformats-officedocument.spreadsheetml.sheet", as_xlsx),
}


def _text(cell: Cell) -> str:
    """Return a cell as CSV has it: numbers with a point, instants in the page's time zone."""
    if cell is None:
        return ""
    if isinstance(cell, datetime):
        return f"{timezone.localtime(cell):%Y-%m-%d %H:%M}"
    if isinstance(cell, Fraction):
        return str(int(cell)) if cell.denominator == 1 else f"{float(cell):.4f}".rstrip("0")
    return str(cell) if isinstance(cell, int) else harmless(str(cell))


def _left_out(table: Table) -> str:
    return _("… and %(count)s more rows, which this file does not hold.") % {"count": number_format(table.more)}


def _sheet_name(title: str) -> str:
    """Return a name that Excel accepts: 31 letters, without []:*?/\\ and not beginning or ending with an apostrophe."""
    return re.sub(r"[\[\]:*?/\\]", " ", CONTROL.sub("", title)).strip().strip("'")[:31].strip("'") or "Tock League"


def _width(table: Table, column: int) -> int:
    longest = max((len(_text(row[column])) for row in table.rows[:200] if column < len(row)), default=0)
    return min(WIDEST, max(8, longest, len(str(table.heads[column]))) + 1)
