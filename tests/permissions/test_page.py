"""docs/permissions.md is current, and what it says of times is so: every deed is tried in every stage."""

from collections.abc import Callable
from pathlib import Path

import pytest

from .expected import ROWS, WHEN
from .table import page, when
from .table.measure import EVERYBODY, Cell
from .table.roles import CLUB_STAFF
from .table.rows import SUBJECTS, Subject
from .world import ALWAYS

ROOT = Path(__file__).resolve().parents[2]
HOW = f"run {page.COMMAND}"


def test_the_page_is_current() -> None:
    """The other tests compare what is expected with the rules and services, so the page needs no second measurement."""
    cells = {
        Cell(row.action, row.thing, state, name): name in ALWAYS or name in row.who[state]
        for row in ROWS
        for state in row.states
        for name in EVERYBODY
    }
    written = (ROOT / page.PATH).read_text(encoding="utf-8")
    assert written == page.text(cells, when.told()), f"{page.PATH} is not current: {HOW}"


@pytest.mark.django_db
@pytest.mark.parametrize("subject", when.STAGES, ids=lambda subject: subject.title)
def test_every_deed_can_be_done_at_the_times_that_the_table_says(
    subject: Subject, record_property: Callable[[str, object], None]
) -> None:
    found = when.tried(subject)
    deeds = {deed.tried for deed in subject.deeds if deed.tried}
    done = {key: frozenset(stages) for key, stages in found.done.items()}
    told = {key: stages for key, stages in when.told().items() if key[0] in deeds}
    wrong = [
        f"{deed}, {role}, {stage}: {found.refusals.get((deed, role, stage), 'done, or not tried')}"
        for deed, role in sorted(done.keys() | told.keys())
        for stage in sorted(done.get((deed, role), frozenset()) ^ told.get((deed, role), frozenset()))
    ]
    assert wrong == [], f"change tests/permissions/expected.py if this is right, then {HOW}"
    walked = {stage for stages in done.values() for stage in stages} | {stage for _deed, _role, stage in found.refusals}
    assert walked == set(subject.stages)
    record_property("permission_cells", len(found.refusals) + sum(map(len, found.done.values())))


def test_the_page_has_a_row_for_every_permission_and_no_other() -> None:
    shown = {(deed.action, deed.thing) for subject in SUBJECTS for deed in subject.deeds}
    told = {(row.action, row.thing) for row in ROWS}
    assert {"add to tests/permissions/table/rows.py": told - shown, "not in expected.py": shown - told} == {
        "add to tests/permissions/table/rows.py": set(),
        "not in expected.py": set(),
    }, f"then {HOW}"
    tried = {deed.tried for subject in SUBJECTS for deed in subject.deeds if deed.tried}
    assert tried == set(WHEN)


def test_people_of_one_role_who_may_not_do_the_same_are_found() -> None:
    deed = next(deed for subject in SUBJECTS for deed in subject.deeds if deed.action == "club.edit")
    found = {Cell("club.edit", "the club", "always", name): name == "officer" for name in EVERYBODY}
    with pytest.raises(page.Mixed, match="officer"):
        page.cell(deed, CLUB_STAFF, found)
