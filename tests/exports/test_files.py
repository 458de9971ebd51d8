"""The files of tables: the same rows as on the page, for the same readers, without a formula in any cell."""

import csv
import io
import zipfile
from collections.abc import Iterator
from datetime import UTC, datetime
from fractions import Fraction

import openpyxl
import pytest
from django.core.cache import cache
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from tests.competitions.world import (
    START,
    a_league,
    a_plan,
    a_signed_up_player,
    a_tournament,
    decide,
    first_match,
    under_way,
)
from tock_league.accounts.permissions import SITE
from tock_league.clubs.models import Team
from tock_league.common import clock
from tock_league.competitions.models import Competition, Entry
from tock_league.competitions.selectors.rankings import standings
from tock_league.competitions.services.seasons import roles
from tock_league.exports import sheets, views
from tock_league.exports.sheets import Table, as_csv, as_xlsx, bounded

pytestmark = pytest.mark.django_db
HOSTILE = [
    "=1+1",
    "+1",
    "-1",
    "@SUM(A1)",
    "\t=1",
    "\r=1",
    "\n=1",
    "＝1",
    '=HYPERLINK("http://x";"y")',
    "=cmd|' /C calc'!A0",
    "\ufeff=1",
    "\u200b=1",
    "\x85=1",
    "\u202e=1",
]


@pytest.fixture(autouse=True)
def now() -> Iterator[None]:
    cache.clear()
    with clock.frozen(START):
        yield


def rows_of_csv(body: bytes) -> list[list[str]]:
    assert body.startswith(b"\xef\xbb\xbf")
    return list(csv.reader(io.StringIO(body.removeprefix(b"\xef\xbb\xbf").decode(), newline="")))


def rows_of_xlsx(body: bytes) -> list[list[object]]:
    """Return the cells of the only sheet, read by another library; assert that none is a formula or a link."""
    sheet = openpyxl.load_workbook(io.BytesIO(body)).active
    assert not any(cell.data_type == "f" or cell.hyperlink for row in sheet.iter_rows() for cell in row)
    return [list(row) for row in sheet.iter_rows(values_only=True)]


def path(found: Competition, table: str, form: str = "csv") -> str:
    return reverse("exports:competition", args=[found.slug, table, form])


def get(client: Client, address: str) -> list[list[str]]:
    answer = client.get(address)
    assert answer.status_code == 200, (address, answer.status_code)
    return rows_of_csv(answer.content)


@pytest.mark.parametrize("text", HOSTILE)
def test_what_looks_like_a_formula_is_text_in_both_files(text: str) -> None:
    made = Table("x", text, [text, "B"], [[text, 1]])
    for rows in (rows_of_csv(as_csv(made)), rows_of_xlsx(as_xlsx(made))):
        assert str(rows[0][0])[0] == str(rows[1][0])[0] == "'"
    # No part of the workbook holds a formula element.
    with zipfile.ZipFile(io.BytesIO(as_xlsx(made))) as book:
        assert b"<f>" not in book.read("xl/worksheets/sheet1.xml")


def test_names_that_are_no_formulas_stay_as_they_are() -> None:
    names = ["Équipe « É »", "A=B", "Jean-Luc", "a@b", "5 - 3", "日本", "'quoted'", 'x"y,z;w']
    made = Table("x", "x", ["Name"], [[name] for name in names])
    assert [row[0] for row in rows_of_csv(as_csv(made))[1:]] == names
    assert [row[0] for row in rows_of_xlsx(as_xlsx(made))[1:]] == names


def test_numbers_dates_and_gaps_have_their_types() -> None:
    at = datetime(2026, 9, 2, 23, 0, tzinfo=UTC)
    made = Table(
        "x", "a [title]: with/signs that are not allowed in sheets", list("ABCDE"), [[3, Fraction(5, 2), at, None, -4]]
    )
    assert rows_of_csv(as_csv(made))[1] == ["3", "2.5", "2026-09-02 19:00", "", "-4"]
    assert rows_of_xlsx(as_xlsx(made))[1] == [3, 2.5, datetime(2026, 9, 2, 19, 0), None, -4]


def test_control_characters_and_long_texts_do_not_break_the_file() -> None:
    made = Table("x", "\x00", ["A"], [["a\x00b\x1fc"], ["y" * 40_000]])
    assert [len(str(row[0])) for row in rows_of_xlsx(as_xlsx(made))[1:]] == [3, sheets.MOST_LETTERS]
    assert rows_of_csv(as_csv(made))[1] == ["abc"]


def test_a_long_table_is_cut_and_says_so(monkeypatch) -> None:
    monkeypatch.setattr(sheets, "MOST_ROWS", 3)
    made = bounded(Table("x", "x", ["A"], [[number] for number in range(10)]))
    for rows in (rows_of_csv(as_csv(made)), rows_of_xlsx(as_xlsx(made))):
        assert len(rows) == 1 + 3 + 1
        assert "7" in str(rows[-1][0])


def test_the_standings_are_those_of_the_page(client: Client) -> None:
    league = a_league(4, legs=1)
    for match in league.matches.filter(round__number=1):
        decide(match, 0)
    table = standings.table(league)
    rows = get(client, path(league, "standings"))
    assert [row[2] for row in rows[1:]] == [line.name for line in table]
    assert [int(row[9]) for row in rows[1:]] == [int(line.row.points.value) for line in table]
    assert [row[1] for row in rows[1:]] == [str(line.row.rank) for line in table]
    book = rows_of_xlsx(client.get(path(league, "standings", "xlsx")).content)
    assert [["" if cell is None else str(cell) for cell in row] for row in book[1:]] == rows[1:]


def test_the_groups_of_a_tournament_are_in_one_file(client: Client) -> None:
    made = a_tournament(4, plan=a_plan("groups_knockout"))
    rows = get(client, path(made, "standings"))
    assert [row[0] for row in rows[1:]] == ["A"] * 2 + ["B"] * 2


def test_the_results_name_every_match(client: Client) -> None:
    league = a_league(legs=1)
    match = decide(first_match(league), 1)
    rows = get(client, path(league, "results"))
    assert len(rows) == 1 + league.matches.count()
    line = next(row for row in rows if row[-1] == f"/matches/{match.slug}/")
    assert line[1] == "2026-09-02 19:00"
    assert line[3:7] == ["Équipe 1", "Équipe 4", "0", "1"]
    assert all(row[5] == "" for row in rows[1:] if row is not line)


def test_a_hostile_team_name_is_harmless_in_every_file(client: Client) -> None:
    made = a_tournament(4)
    for number, team in enumerate(Team.objects.filter(entries__competition=made)):
        Team.objects.filter(pk=team.pk).update(name=HOSTILE[number])
    decide(under_way(made)[0], 0)
    for table in ("standings", "results", "entries"):
        for form in ("csv", "xlsx"):
            body = client.get(path(made, table, form)).content
            rows = rows_of_csv(body) if form == "csv" else rows_of_xlsx(body)
            assert not any(isinstance(cell, str) and sheets.FORMULA.match(cell) for row in rows for cell in row)
    assert any(cell == "'=1+1" for row in get(client, path(made, "entries")) for cell in row)


def test_a_draft_has_no_file_for_visitors(client: Client) -> None:
    league = a_league(state="draft")
    for table in ("standings", "results", "entries"):
        assert client.get(path(league, table)).status_code == 404


def test_the_check_in_list_is_for_organisers(client: Client) -> None:
    made = a_tournament(2, check_in=True, state="closed")
    address = path(made, "check-in")
    assert client.get(address).status_code == 403
    player = a_signed_up_player("orga@example.org")
    client.force_login(player.user, backend="allauth.account.auth_backends.AuthenticationBackend")
    assert client.get(address).status_code == 403
    roles.give(by=SITE, competition=made, player=player, name="organiser")
    rows = get(client, address)
    assert len(rows) == 1 + 4
    assert {row[4] for row in rows[1:]} == {"non"}
    page = client.get(reverse("competitions:organise", args=[made.slug])).content.decode()
    assert path(made, "check-in", "xlsx") in page


def test_unknown_tables_and_forms_are_not_there(client: Client) -> None:
    league = a_league()
    for address in (
        path(league, "secrets"),
        path(league, "entries", "pdf"),
        "/exports/competitions/nothing/standings.csv",
    ):
        assert client.get(address).status_code == 404
    assert client.get("/exports/journal/open.pdf").status_code == 404
    assert client.get("/exports/leaderboards/shawinigan/2/secrets.csv").status_code == 404


def test_the_journal_is_a_table(client: Client) -> None:
    league = a_league()
    rows = get(client, f"/exports/journal/competition:{league.slug}.csv")
    assert len(rows) > 5
    assert int(rows[1][0]) == len(rows) - 1  # newest first
    assert all(len(row[6]) == 64 for row in rows[1:])
    assert {row[3] for row in rows[1:]} == {"le site"}


def test_pages_offer_their_tables(client: Client) -> None:
    league, cup = a_league(2), a_tournament(2)
    for name, found, table in (
        ("competition", league, "standings"),
        ("matches", league, "results"),
        ("matches", cup, "results"),
        ("teams", cup, "entries"),
    ):
        page = client.get(reverse(f"competitions:{name}", args=[found.slug])).content.decode()
        assert f'href="{path(found, table)}"' in page
        assert f'href="{path(found, table, "xlsx")}"' in page
        assert client.get(path(found, table)).status_code == 200
    stream = f"competition:{league.slug}"
    assert f"/exports/journal/{stream}.csv" in client.get(f"/journal/{stream}/").content.decode()


def test_queries_do_not_grow_with_the_rows(client: Client) -> None:
    small, large = a_tournament(4), a_tournament(8)
    for table in ("standings", "results", "entries"):
        counts = []
        for found in (small, large):
            client.get(path(found, table))
            with CaptureQueriesContext(connection) as seen:
                client.get(path(found, table))
            counts.append(len(seen))
        assert counts[0] == counts[1], table


def test_files_are_limited_for_each_address(client: Client, monkeypatch) -> None:
    monkeypatch.setattr(views, "FILES", 2)
    league = a_league(2)
    assert [client.get(path(league, "entries")).status_code for _ in range(3)] == [200, 200, 429]


def test_reasons_and_states_are_in_the_readers_language(client: Client) -> None:
    made = a_tournament(2, state="open")
    Entry.objects.filter(competition=made).update(state="refused", reason="@no_place")
    french = get(client, path(made, "entries"))
    english = rows_of_csv(client.get(path(made, "entries"), headers={"accept-language": "en"}).content)
    assert english[1][4] == "No place came free."
    assert french[1][4] != english[1][4]
