"""A Swiss event or a round robin as text in the form that chess programs exchange: TRF16 of FIDE, with teams as its players.

Positions of columns count from 1, as the form's description does. What has no meaning here is left blank: sex, title,
rating, federation, FIDE number, birth. Colours: w is the home side. docs/exports.md says what else differs.
"""

import unicodedata
from collections.abc import Mapping, Sequence
from fractions import Fraction

from tock_league.common.errors import NotThere
from tock_league.competitions.core.scoring import HALF_POINTS, PLAYED
from tock_league.competitions.models import Competition, Side, Stage
from tock_league.competitions.selectors.rankings import group_tables
from tock_league.competitions.selectors.rankings.standings import StandingView, table
from tock_league.competitions.selectors.rounds.matches import MatchView, views
from tock_league.competitions.selectors.rounds.progress import is_bracket

NAME = 33  # letters of a name
ABSENT = {Side.Kind.PAIRING_BYE: "U", Side.Kind.REQUESTED_BYE: "H", Side.Kind.ABSENCE: "Z", Side.Kind.REST: "Z"}
EMPTY = "0000 - Z"  # no match in this round


def text(found: Competition) -> str:
    """Return the event as lines. Raise NotThere unless its only table is that of one group of matches between two."""
    lines, played = _table(found)
    numbers = {line.entry.pk: number for number, line in enumerate(_seeded(lines), start=1)}
    rounds = sorted({view.match.round.number for view in played})
    cells: dict[tuple[int, int], str] = {}
    for view in played:
        for side in view.sides:
            if side.entry_id in numbers:
                cells[side.entry_id, view.match.round.number] = _cell(view, side.position, numbers)
    for kind, number, entry in _without(found):
        cells[entry, number] = f"0000 - {ABSENT[Side.Kind(kind)]}"
    made = [
        f"012 {plain(found.name)}",
        *([f"042 {found.starts_at:%Y/%m/%d}"] if found.starts_at is not None else []),
        f"062 {len(lines)}",
        f"092 {'Swiss System' if found.is_planned else 'Round Robin'}, teams of Tock",
        f"XXR {rounds[-1] if rounds else 0}",
    ]
    for line in _seeded(lines):
        own = [cells.get((line.entry.pk, number), EMPTY) for number in rounds]
        made.append(_row(numbers[line.entry.pk], line, own))
    return "\n".join(made) + "\n"


def _table(found: Competition) -> tuple[Sequence[StandingView], list[MatchView]]:
    played = views(found.matches.order_by("round__number", "number"))
    if not found.is_planned:
        return table(found, [view for view in played if view.is_decided]), played
    groups = group_tables.of_groups(found, played)
    if len(groups) != 1 or any(is_bracket(stage) for stage in Stage.objects.filter(competition=found)):
        raise NotThere
    return groups[0].rows, list(groups[0].matches)


def _seeded(lines: Sequence[StandingView]) -> list[StandingView]:
    return sorted(lines, key=lambda line: (line.entry.seed or 10_000, line.entry.pk))


def _without(found: Competition) -> list[tuple[str, int, int]]:
    sides = Side.objects.filter(stage__competition=found, match__isnull=True, entry__isnull=False)
    return [
        (kind, number, entry) for kind, number, entry in sides.values_list("kind", "round__number", "entry_id") if entry
    ]


def _row(number: int, line: StandingView, cells: Sequence[str]) -> str:
    score = sum((Fraction(HALF_POINTS[meeting.outcome], 2) for meeting in line.row.meetings), Fraction(0))
    # 001, number (5-8), sex (10), title (11-13), name (15-47), then blanks to the points (81-84) and the rank (86-89).
    head = f"001 {number:4}      {plain(line.name)[:NAME]:<{NAME}}".ljust(80)
    return f"{head}{float(score):4.1f} {line.row.rank:4}  {'  '.join(cells)}".rstrip()


def _cell(view: MatchView, position: int, numbers: Mapping[int, int]) -> str:
    """Return opponent, colour and result of one side: 1 = 0 of a match at the table, + - without one, blank before it."""
    others = [side for side in view.sides if side.position != position]
    other = numbers.get(others[0].entry_id or 0, 0) if others else 0
    result = view.effective
    if not view.is_decided or result.state != "decided":
        return EMPTY if result.state == "void" else " " * len(EMPTY)
    outcome, at_table = result.sides[position].outcome, result.fact in PLAYED
    sign = {"win": "1" if at_table else "+", "tie": "=", "loss": "0" if at_table else "-"}[outcome]
    return f"{other:4} {'wb'[position % 2] if at_table else '-'} {sign}"


def plain(name: str) -> str:
    """Return a name in ASCII, as these programs read it: without accents, and ? for what has no letter there."""
    shown = unicodedata.normalize("NFKD", name.replace("œ", "oe").replace("Œ", "OE").replace("’", "'"))
    kept = "".join(sign for sign in shown if not unicodedata.combining(sign))
    return " ".join("".join(sign if " " <= sign <= "~" else "?" for sign in kept).split())
