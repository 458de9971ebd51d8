"""The regulations of a competition in words, line by line: for its page and for paper."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from django.utils import timezone, translation
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from games.selectors import rule_sets
from tock_league.common.durations import lasting

from ...models import Competition
from ..rankings.standings import label_of
from .cap_words import cap_words
from .counting import length_words
from .shapes import table_words


@dataclass(frozen=True)
class RegulationLine:
    """What a line is about, what holds, and what a reader may want to know besides.

    `items`: a list in its order. `code`: something for programs. `rules_page`: of the page that explains the rule set.
    """

    term: str
    text: str = ""
    more: str = ""
    items: Sequence[str] = ()
    code: str = ""
    rules_page: str = ""


def regulation_lines(found: Competition) -> list[RegulationLine]:
    """Return the lines in the order of the page. Three queries at most."""
    return list(_lines(found))


def _lines(found: Competition) -> Iterator[RegulationLine]:
    body, regulations = found.regulations.body, found.regulations
    name, page = rule_sets.name_of(found.rules), rule_sets.page_of(found.rules)
    yield RegulationLine(_("Rule set"), name, code=found.rules, rules_page=page)
    yield RegulationLine(_("Table"), table_words(found.seats))
    yield from _length(found)
    yield from _matches(found)
    yield RegulationLine(_("Where the games are played"), _place(found))
    if regulations.cap is not None:
        for term, text in cap_words(regulations.cap):
            yield RegulationLine(term, text)
    yield RegulationLine(_("Clocks"), _clocks(body.get("clocks")))
    if rule_sets.touches(found.rules):
        bound = _("a card laid or a marble touched is played")
        yield RegulationLine(_("Touched marble"), bound if body.get("touch") else _("not enforced"))
    bots = _("may play; a game with a bot account is not rated") if found.bots_allowed else _("may not play")
    yield RegulationLine(_("Bots"), bots)
    yield RegulationLine(_("Points"), _("won %(win)s, tied %(tie)s, lost %(loss)s") % body["points"])
    criteria = [str(label_of(key, found.rules, regulations.cap)) for key in regulations.criteria]
    yield RegulationLine(_("Order of the standings"), items=criteria)
    yield RegulationLine(_("Corrections"), _corrections(found), _later(found))
    how = _(
        "A lot is the SHA-256 of this seed, a colon and the public name of an entry or player; the smallest comes first. Anybody "
        "can draw it again."
    )
    yield RegulationLine(_("Seed of the lots"), more=how, code=found.lots_seed)
    for former in found.former_seeds.all():
        day = date_format(timezone.localtime(former.at), "j F Y")
        replaced = _("replaced on %(day)s: %(reason)s") % {"day": day, "reason": former.reason}
        yield RegulationLine(_("Former seed of the lots"), more=replaced, code=former.seed)
    yield RegulationLine(_("Regulations"), f"{regulations},", code=regulations.digest[:12])


def _length(found: Competition) -> Iterator[RegulationLine]:
    length = str(length_words(found))
    more = _(
        "Afterwards the higher rank wins, then the points made as opponents. Equal in both is a tie; in a knockout another game "
        "is played then."
    )
    if length:
        yield RegulationLine(_("A game"), length, more if found.regulations.rounds else "")


def _matches(found: Competition) -> Iterator[RegulationLine]:
    plan = found.tournament_plan
    if plan is not None:
        summary, details = plan.chosen.summary(plan, translation), " ".join(plan.chosen.details(plan, translation))
        yield RegulationLine(_("Format"), f"{summary}. {details}" if details else summary)
        yield RegulationLine(_("Games of a match, at most"), plan.chosen.games(plan, translation))
        yield RegulationLine(_("Seeding"), str(found.get_seeding_display()))
        return
    best_of = found.regulations.best_of
    games = _("one game") if best_of == 1 else _("best of %(games)s games") % {"games": best_of}
    yield RegulationLine(_("A match"), games)
    stage = found.stages.first()
    if stage is not None and (legs := stage.options.get("legs")):
        yield RegulationLine(_("Everybody meets everybody"), _("twice, home and away") if legs == 2 else _("once"))


def _place(found: Competition) -> str:
    if found.on_paper:
        return _("on boards; the captains enter the results, or a referee does")
    if found.by_agreement:
        return _("at the tables of this site, or on a board where both captains of a match agree")
    return _("at the tables of this site")


def _clocks(clocks: dict[str, int] | None) -> str:
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
    if not found.correction_s:
        return _("A result is final at once; only a ruling changes it.")
    said = _("The desk may correct a result for %(time)s; until then it is provisional.")
    return said % {"time": lasting(found.correction_s)}


def _later(found: Competition) -> str:
    if not found.is_planned:
        return ""
    if found.regulations.later == "stand":
        return _("Later matches that have begun stand, whoever plays in them.")
    return _(
        "Later knockout matches that have begun with the wrong team are played again; the pairings of Swiss rounds stand."
    )
