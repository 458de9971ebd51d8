"""Which sheets an event has, who may have them, and what is still missing for each. Nothing here imports fpdf2."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext_lazy

from tock_league.accounts.models import Player
from tock_league.accounts.permissions import can, require
from tock_league.common.errors import NotThere
from tock_league.competitions.core.registry import format_of
from tock_league.competitions.models import Competition
from tock_league.competitions.selectors.rankings.kept.bracket import bracket_ranks
from tock_league.competitions.selectors.rankings.kept.keeping import kept
from tock_league.competitions.selectors.rankings.podium import PodiumStep, podium
from tock_league.competitions.selectors.rounds.matches import name_of_round
from tock_league.hall.models import TeamLink

PAPERS = ("letter", "a4")
MOST_SHEETS = 4  # of a bracket
OVER = (Competition.State.FINISHED, Competition.State.ARCHIVED)


@dataclass(frozen=True)
class Kind:
    """A sheet: its key in the address, its title, what it is for; `staff`: whether only organisers may have it."""

    key: str
    title: str | Promise
    about: str | Promise
    staff: bool = False
    of_round: bool = False


KINDS = (
    Kind(
        "pairings",
        gettext_lazy("Pairings by table"),
        gettext_lazy("The matches of a round by the numbers of their tables."),
        of_round=True,
    ),
    Kind(
        "pairings-by-name",
        gettext_lazy("Pairings by name"),
        gettext_lazy("A line for each player: at which table, against whom."),
        of_round=True,
    ),
    Kind("standings", gettext_lazy("Standings"), gettext_lazy("Each table with its numbers.")),
    Kind(
        "cross-table",
        pgettext_lazy("of a competition", "Cross-table"),
        gettext_lazy("Everybody against everybody; of a Swiss event round by round."),
    ),
    Kind("bracket", gettext_lazy("Bracket"), gettext_lazy("On one to four sheets, to hang side by side.")),
    Kind("regulations", gettext_lazy("Regulations"), gettext_lazy("On one page.")),
    Kind(
        "slips",
        gettext_lazy("Score slips"),
        gettext_lazy("One for each match of a round, signed by both sides; several on a sheet, to be cut."),
        staff=True,
        of_round=True,
    ),
    Kind("check-in", gettext_lazy("Check-in list"), gettext_lazy("A box for each player, by team."), staff=True),
    Kind(
        "badges",
        gettext_lazy("Badges"),
        gettext_lazy("Eight on a sheet; the code checks the player in."),
        staff=True,
    ),
    Kind(
        "poster",
        gettext_lazy("Check-in poster"),
        gettext_lazy("To hang at the door; its code leads players to their own check-in."),
        staff=True,
    ),
    Kind(
        "team-links",
        gettext_lazy("Links of the teams"),
        gettext_lazy("Eight on a sheet; the code shows a team its table and time on the phone."),
        staff=True,
    ),
    Kind(
        "room",
        gettext_lazy("How to reach this site in the room"),
        gettext_lazy("The address in large letters, and a code for phones."),
        staff=True,
    ),
    Kind("certificates", gettext_lazy("Certificates"), gettext_lazy("One for each place of the podium."), staff=True),
)
BY_KEY = {kind.key: kind for kind in KINDS}


@dataclass(frozen=True)
class Choice:
    """What the reader has chosen: `round` as its key, "" for the one under way; `sheets` of a bracket, 0 as it fits.

    `site`: the address of the site without a slash at its end, for codes that a phone reads.
    """

    paper: str = "letter"
    round: str = ""
    sheets: int = 0
    site: str = ""


@dataclass(frozen=True)
class Round:
    """A round that has matches: its key, such as 1-3 for the third one of the first stage, and its name."""

    key: str
    name: str
    is_bracket: bool


@dataclass(frozen=True)
class Offer:
    """A sheet on the page; `missing`: what is missing before it can be printed, "" when nothing is."""

    kind: Kind
    missing: str = ""


def allow(person: Player | None, found: Competition, what: str) -> None:
    """Raise NotThere for a sheet that does not exist, NotAllowed (403) where it is for the organisers of the event."""
    if what not in BY_KEY:
        raise NotThere
    if BY_KEY[what].staff:
        require(person, "competition.organise", found, needed="organiser")


def rounds_of(found: Competition) -> list[Round]:
    """Return the rounds that have matches, in order. One query."""
    rows = found.matches.order_by("round__group__stage__ordinal", "round__number", "number").values_list(
        "round__group__stage__ordinal", "round__group__stage__format", "round__number", "label", "label_no"
    )
    labels: dict[tuple[int, str, int], list[tuple[str, int]]] = {}
    for stage, format_key, number, label, label_no in rows:
        labels.setdefault((stage, format_key, number), []).append((label, label_no))
    stages = len({stage for stage, _format, _number in labels})
    made = []
    for (stage, format_key, number), found_labels in labels.items():
        name = name_of_round(found_labels, number)
        if stages > 1 and not found_labels[0][0]:
            name = _("Stage %(stage)s, %(round)s") % {"stage": stage, "round": name}
        made.append(Round(f"{stage}-{number}", name, format_of(format_key).is_bracket))
    return made


def offered(found: Competition, person: Player | None, rounds: Sequence[Round]) -> list[Offer]:
    """Return the sheets that `person` may have of this event, in order. A constant number of queries."""
    staff = can(person, "competition.organise", found)
    return [
        Offer(kind, _missing(kind.key, found, rounds))
        for kind in KINDS
        if (staff or not kind.staff) and _has(found, kind.key)
    ]


def _has(found: Competition, key: str) -> bool:
    """Return whether the format of the event has such a sheet. No query."""
    plan = found.tournament_plan
    brackets = [False] if plan is None else [format_of(stage.format).is_bracket for stage in plan.stages]
    if key in ("standings", "cross-table"):
        return not all(brackets)
    if key == "poster":
        return found.has_check_in
    return any(brackets) if key == "bracket" else True


def _missing(key: str, found: Competition, rounds: Sequence[Round]) -> str:
    drawn = any(row.is_bracket for row in rounds) if key == "bracket" else bool(rounds)
    if key == "team-links":
        return "" if TeamLink.objects.filter(entry__competition=found).exists() else _("No link is made yet.")
    if key in ("check-in", "badges"):
        return "" if found.teams else _("No team is entered yet.")  # type: ignore[attr-defined]
    if key == "certificates":
        return "" if winners(found) else _("The podium is not certain yet.")
    if key in ("regulations", "poster", "room") or drawn:
        return ""
    return _("The draw is not made yet.") if found.is_planned else _("The calendar is not made yet.")


def winners(found: Competition) -> list[PodiumStep]:
    """Return the podium as far as it is certain; of a league or club night once it is finished. A few queries."""
    if found.is_planned:
        return podium(found, bracket_ranks(kept(found)))
    if found.state not in OVER:
        return []
    lines = [line for table in kept(found).tables for line in table.lines]
    return podium(found, [(line.rank, line.entry) for line in lines])
