"""A list in any encoding is read or refused with a sentence; what is wrong in it is named by line and column."""

import io

import pytest
from openpyxl import Workbook

from tests.every import every
from tock_league.common.errors import Refused
from tock_league.newcomers import reading
from tock_league.newcomers.lines import Line, judged, teams_of
from tock_league.newcomers.reading import MOST_BYTES, MOST_LINES

LIST = "Nom;Équipe\nÉlodie Gélinas;Les Draveurs\nRéjean “Ti-Jean” Côté;Les Draveurs\n"
TOLD = [Line(2, "Élodie Gélinas", "Les Draveurs"), Line(3, "Réjean “Ti-Jean” Côté", "Les Draveurs")]


def workbook(*rows: tuple[object, ...]) -> bytes:
    book, out = Workbook(), io.BytesIO()
    for row in rows:
        book.active.append(row)
    book.save(out)
    return out.getvalue()


@every("encoding", ["utf-8", "utf-8-sig", "cp1252", "utf-16", "utf-16-le", "utf-16-be"])
def test_each_encoding_is_recognised(encoding: str) -> None:
    lines, faults = judged(reading.read(LIST.encode(encoding)).rows)
    assert (lines, faults) == (TOLD, [])


def test_a_guessed_encoding_is_told() -> None:
    assert reading.read(LIST.encode("cp1252")).read_as == "Windows-1252"
    assert reading.read(LIST.encode()).read_as == ""


@every("case", {
    "encoding": b"Nom\n\x81\x8d\xff\n",
    "old_excel": b"\xd0\xcf\x11\xe0 and so on",
    "workbook": b"PK\x03\x04 and no more",
    "csv": b'Nom;Equipe\n"Rejean;A\n',
    "empty": b"\n \n;;\n",
    "too_large": b"a" * (MOST_BYTES + 1),
    "too_long": b"Nom\n" + b"".join(b"Joueur %d\n" % number for number in range(MOST_LINES + 1)),
    "too_wide": b"a;" * 30,
}.items())  # fmt: skip
def test_what_cannot_be_read_is_refused(case: tuple[str, bytes]) -> None:
    code, body = case
    with pytest.raises(Refused) as caught:
        reading.read(body)
    assert (caught.value.code, caught.value.field) == (code, "file")
    assert str(caught.value.sentence)


def test_five_hundred_names_are_read_with_and_without_heads() -> None:
    names = "".join(f"Joueur {number}\n" for number in range(MOST_LINES))
    assert len(judged(reading.read(names.encode()).rows)[0]) == MOST_LINES
    assert len(judged(reading.read(b"Nom\n" + names.encode()).rows)[0]) == MOST_LINES
    with pytest.raises(Refused, match="too_long"):
        judged(reading.read(names.encode() + b"Encore une\n").rows)


def test_a_workbook_is_read_and_its_formulas_are_refused() -> None:
    body = workbook(
        ("Prénom", "Nom de famille", "Équipe", None),
        ("Élodie", "Gélinas", "As", None),
        ("=HYPERLINK(\"http://x\")", "Côté", "As", None),
        ("Yvon", 'Roy', "=1+1", "note"),
    )  # fmt: skip
    lines, faults = judged(reading.read(body).rows)
    assert lines == [Line(2, "Élodie Gélinas", "As")]
    assert [(fault.line, fault.column) for fault in faults] == [(3, "A"), (4, "C"), (4, "D")]


def test_a_workbook_keeps_the_numbers_of_its_lines_far_down() -> None:
    book, out = Workbook(), io.BytesIO()
    for line, name in ((1, "Nom"), (3, "Élodie Gélinas"), (100_000, "Yvon Roy")):
        book.active.cell(line, 1, name)
    book.save(out)
    lines, faults = judged(reading.read(out.getvalue()).rows)
    assert ([(line.number, line.name) for line in lines], faults) == (
        [(3, "Élodie Gélinas"), (100_000, "Yvon Roy")],
        [],
    )


def test_faults_name_line_and_column() -> None:
    rows = [
        "nom\téquipe\tcourriel",
        "Élodie Gélinas\tAs\telodie@example.org",
        "+1 819 555-0101\tAs",
        "GÃ©rard Roy\tAs",
        "Yvon\u202e Roy\tAs",
        "",
        "X\t<b>As",
        "\tAs",
        "Élodie Gélinas\tBs",
        "Robot (bot)\tAs",
        "a@example.org\tAs",
        "y" * 41 + "\tAs",
    ]
    lines, faults = judged(reading.read("\n".join(rows).encode()).rows)
    assert [line.number for line in lines] == [2, 9]
    assert [(fault.line, fault.column) for fault in faults] == [
        (3, "A"), (4, "A"), (5, "A"), (7, "B"), (8, "A"), (9, ""), (10, "A"), (11, "A"), (12, "A")
    ]  # fmt: skip
    assert "GÃ©rard" in str(faults[1].sentence)


@every("case", {"column": "nom;téléphone\nA B;1", "no_names": "équipe;club\nA;B", "twice": "nom;name\nA;B"}.items())
def test_columns_that_are_not_known_are_refused_with_the_reason(case: tuple[str, str]) -> None:
    code, text = case
    with pytest.raises(Refused) as caught:
        judged(reading.read(text.encode()).rows)
    assert caught.value.code == ("column" if code == "twice" else code)


def test_the_text_of_a_preview_keeps_numbers_and_cells() -> None:
    body = 'nom;équipe\n\n"Gélinas, \nÉlodie";"As ""b"" c"\n\n\nYvon Roy;As\n'.encode()
    read = reading.read(body)
    again = reading.read(reading.as_text(read.rows).encode())
    assert [number for number, _cells in again.rows] == [number for number, _cells in read.rows] == [1, 3, 7]
    assert judged(again.rows) == judged(read.rows)


def test_teams_of_one_or_of_too_many_are_faults() -> None:
    lines = [Line(2, "A A", "Un"), Line(3, "B B", "Deux"), Line(4, "C C", "deux"), Line(5, "D D")]
    teams, faults = teams_of(lines)
    assert [len(members) for members in teams.values()] == [1, 2]
    assert [fault.line for fault in faults] == [2]
