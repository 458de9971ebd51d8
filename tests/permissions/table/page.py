"""The text of docs/permissions.md."""

from collections.abc import Collection, Iterator, Mapping

from ..expected import ROWS
from .measure import Cell
from .roles import Role
from .rows import SUBJECTS, Deed, Subject

PATH = "docs/permissions.md"
COMMAND = "python -m tests.permissions.table"
INTRODUCTION = """\
# Who may do what

For organisers, referees and maintainers. Each table has one row for each thing that somebody can do, with the code name
of its permission, and one column for each role.

- **yes**: the role may do it, at the times of the column “When” where the table has one.
- A time: the role may do it only then. The list below the table says what the times are.
- –: the role may not. The site refuses it, and no page offers it.

Who has several roles may do what any of them may. Visitors who have not signed in may do nothing of this. The site
itself (its scheduled tasks) passes every permission.
"""
END = f"""\
## For maintainers

This page is generated: `{COMMAND}` asks the registered rules (`*/permissions.py`) about real people and real things, tries
the services at every time, and writes what it found. `tests/permissions` compares every cell with a second table, which is
written by hand from the roles (`tests/permissions/expected.py`), and this file with it. To add a permission, add its rule,
its rows in `expected.py` and in `tests/permissions/table/rows.py`, where its time matters a try in the `*_stages.py` of its
subject, and run the command.
"""


class Mixed(ValueError):
    """People of one role of whom some may and some may not; they need columns of their own."""


When = Mapping[tuple[str, str], Collection[str]]  # the stages by deed and title of the role


def text(cells: Mapping[Cell, bool], when: When) -> str:
    """Return the page. Raises Mixed."""
    parts = [INTRODUCTION, *(_section(subject, cells, when) for subject in SUBJECTS), END]
    return "\n".join(parts)


def _section(subject: Subject, cells: Mapping[Cell, bool], when: When) -> str:
    parts = [f"## {subject.title}", ""]
    if subject.text:
        parts += [subject.text, ""]
    parts += [*_lines(subject, cells, when), ""]
    parts += [f"- **{role.title}**: {role.meaning}" for role in subject.roles]
    if subject.stages:
        parts += ["", "When:", "", *(f"- *{_name(stage)}*: {words}" for stage, words in subject.stages.items())]
    return "\n".join([*parts, ""])


def _lines(subject: Subject, cells: Mapping[Cell, bool], when: When) -> Iterator[str]:
    staged = bool(subject.stages)
    head = ["", "Permission", *(["When"] if staged else []), *(role.title for role in subject.roles)]
    yield _line(head)
    yield _line(["---"] * len(head))
    for deed in subject.deeds:
        by_role = [set(when.get((deed.tried, role.title), ())) for role in subject.roles]
        every = set().union(*by_role)
        values = [deed.words, f"`{deed.action}`"]
        if staged:
            values.append(stages_in_words(subject, every) if deed.tried else "always")
        for role, own in zip(subject.roles, by_role, strict=True):
            said = cell(deed, role, cells)
            if deed.tried and said == "yes":
                said = "yes" if own == every else stages_in_words(subject, own) if own else "–"
            values.append(said)
        yield _line(values)


def _name(stage: str) -> str:
    return stage.replace("_", " ")


def stages_in_words(subject: Subject, stages: Collection[str]) -> str:
    """Return the stages in their order; three or more that follow one another are told as a span."""
    order = list(subject.stages)
    if set(stages) - set(order):
        raise ValueError(f"{subject.title} has no stages {set(stages) - set(order)}")
    runs: list[list[str]] = []
    for stage in order:
        if stage not in stages:
            continue
        if runs and order.index(stage) == order.index(runs[-1][-1]) + 1:
            runs[-1].append(stage)
        else:
            runs.append([stage])
    spans = [[f"{_name(run[0])} to {_name(run[-1])}"] if len(run) > 2 else map(_name, run) for run in runs]
    return ", ".join(name for span in spans for name in span)


def _line(values: list[str]) -> str:
    return f"| {' | '.join(values)} |".replace("|  |", "| |")


def cell(deed: Deed, role: Role, cells: Mapping[Cell, bool]) -> str:
    """Return what a role's column says of a deed. Raises Mixed."""
    row = next(row for row in ROWS if (row.action, row.thing) == (deed.action, deed.thing))
    by_person = {
        name: tuple(state for state in row.states if cells[Cell(deed.action, deed.thing, state, name)])
        for name in role.people
    }
    if len(set(by_person.values())) > 1:
        raise Mixed(f"{deed.words}: {role.title}: {by_person}")
    allowed = by_person[role.people[0]]
    if allowed and allowed != row.states:
        raise Mixed(f"{deed.words}: {role.title}: only in the states {', '.join(allowed)}")
    return "yes" if allowed else "–"
