"""The times of a case are those of the table in docs/arbitration.md."""

import re
from pathlib import Path

import pytest

from tock_league.arbitration.core.deadlines import LEAGUE, LIVE, Deadlines

PAGE = Path(__file__).parents[3] / "docs" / "arbitration.md"
UNITS = {"minutes": 60, "hours": 3600, "days": 86400}
ROWS = {
    "file": "dispute, from the end of the last game, or from the entry of a result",
    "answer": "answer of the other side",
    "ruling": "ruling",
    "appeal": "appeal, from the ruling",
    "panel": "ruling of the panel",
    "second": "second signature",
    "evidence": "new evidence, from the ruling",
}


@pytest.mark.parametrize(("column", "values"), [(1, LIVE), (2, LEAGUE)])
@pytest.mark.parametrize("name", ROWS)
def test_the_documented_time_is_the_one_in_force(column: int, values: Deadlines, name: str) -> None:
    (line,) = [line for line in PAGE.read_text("utf-8").splitlines() if line.startswith(f"| {ROWS[name]} |")]
    found = re.match(r"(\d+) (minutes|hours|days)", line.strip("| ").split(" | ")[column])
    assert found is not None
    assert getattr(values, name) == int(found[1]) * UNITS[found[2]]
