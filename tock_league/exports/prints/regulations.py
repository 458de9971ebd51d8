"""The regulations of an event on one page: what its page of regulations says, in type as large as fits."""

from collections.abc import Iterator

from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from tock_league.accounts.models import Player
from tock_league.arbitration.templatetags.cases import lasting
from tock_league.competitions.models import Competition
from tock_league.competitions.selectors.rankings import standings
from tock_league.competitions.templatetags import shapes

from ..paper import LEADING, LEAST, MARGIN, POINTS, clean
from .document import THIN, Document
from .kinds import Choice

TERM = 0.25  # of the page's width, for what a line is about
LARGEST = 13.0  # points
BETWEEN = 1.2  # millimetres between two lines at the largest type

Line = tuple[str, str]  # what it is about, what holds


def regulations(found: Competition, _viewer: Player | None, choice: Choice) -> bytes:
    """Return the regulations on one page. Two queries."""
    document = Document(found, choice.paper)
    document.page_of(_("Regulations"))
    lines = [(term, text) for term, text in lines_of(found) if text]
    width, height = document.room
    size = LARGEST
    while size > LEAST and _height(document, lines, size) > height:
        size -= 0.25
    y = document.top
    for term, text in lines:
        taken = _taken(document, text, size)
        document.write_fitting(MARGIN, y, TERM * width, size / POINTS * LEADING * 1.3, term, size=size * 0.9, bold=True)
        document.set_font("atkinson", "", size)
        for place, part in enumerate(_parts(document, text)):
            document.set_xy(MARGIN + TERM * width, y + place * size / POINTS * LEADING + 0.2 * size / POINTS)
            document.cell((1 - TERM) * width, size / POINTS * LEADING, part)
        y += taken
        document.rule(y, thick=THIN)
    return document.made()


def _parts(document: Document, text: str) -> list[str]:
    inner = (1 - TERM) * document.room[0] - 2 * document.c_margin
    return [part for row in text.split("\n") for part in document.wrapped(clean(row), inner)]


def _taken(document: Document, text: str, size: float) -> float:
    document.set_font("atkinson", "", size)
    return len(_parts(document, text)) * size / POINTS * LEADING + 2 * BETWEEN * size / LARGEST


def _height(document: Document, lines: list[Line], size: float) -> float:
    return sum(_taken(document, text, size) for _term, text in lines)


def lines_of(found: Competition) -> Iterator[Line]:
    """Yield what holds for the event, in the order and the words of its page of regulations."""
    body = found.regulations.body
    yield _("Rule set"), f"{shapes.rules_name(found)} ({found.rules})"
    yield _("Table"), shapes.table_of(found)
    yield _("A game"), _length(found)
    yield from _matches(found)
    yield _("Clocks"), _clocks(found)
    if shapes.knows_touch(found):
        bound = _("a card laid or a marble touched is played")
        yield _("Touched marble"), bound if body.get("touch") else _("not enforced")
    bots = _("may play; a game with a bot account is not rated") if found.bots_allowed else _("may not play")
    yield _("Bots"), bots
    yield _("Points"), _("won %(win)s, tied %(tie)s, lost %(loss)s") % body["points"]
    yield (
        _("Order of the standings"),
        "\n".join(
            f"{number}. {standings.label_of(key, found.rules)}"
            for number, key in enumerate(found.regulations.criteria, 1)
        ),
    )
    yield _("Corrections"), _corrections(found)
    yield _("Seed of the lots"), found.lots_seed
    yield _("Regulations"), f"{found.regulations}, {found.regulations.digest[:12]}"


def _length(found: Competition) -> str:
    length = shapes.length_of(found)
    if not found.regulations.rounds:
        return length
    more = _(
        "Afterwards the higher rank wins, then the points made as opponents. Equal in both is a tie; in a knockout another game "
        "is played then."
    )
    return f"{length}\n{more}"


def _matches(found: Competition) -> Iterator[Line]:
    plan = found.tournament_plan
    if plan is not None:
        details = shapes.details(plan)
        yield _("Format"), f"{shapes.summary(plan)}. {details}" if details else shapes.summary(plan)
        yield _("Games of a match, at most"), shapes.most_games(plan)
        yield _("Seeding"), str(found.get_seeding_display())
        return
    best_of = found.regulations.best_of
    yield _("A match"), _("one game") if best_of == 1 else _("best of %(games)s games") % {"games": best_of}
    stage = found.stages.first()
    legs = stage.options.get("legs") if stage is not None else None
    if legs:
        yield _("Everybody meets everybody"), _("twice, home and away") if legs == 2 else _("once")


def _clocks(found: Competition) -> str:
    clocks = found.regulations.body.get("clocks")
    if not clocks:
        return pgettext("clocks", "none")
    return _(
        "%(bank)s seconds a player, %(increment)s more for each decision, at most %(cap)s for one; whoever is not seated "
        "%(no_show)s seconds after the hour loses by forfeit"
    ) % {
        "bank": clocks["bank_s"],
        "increment": clocks["increment_s"],
        "cap": clocks["cap_s"],
        "no_show": clocks["no_show_s"],
    }


def _corrections(found: Competition) -> str:
    if found.correction_s:
        said = _("The desk may correct a result for %(time)s; until then it is provisional.")
        text = said % {"time": lasting(found.correction_s)}
    else:
        text = _("A result is final at once; only a ruling changes it.")
    if not found.is_planned:
        return text
    if found.regulations.later == "stand":
        more = _("Later matches that have begun stand, whoever plays in them.")
    else:
        more = _(
            "Later knockout matches that have begun with the wrong team are played again; the pairings of Swiss rounds stand."
        )
    return f"{text}\n{more}"
