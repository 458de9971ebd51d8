"""Settings of a competition, checked once and frozen under the digest of what they say."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any

from django.db.models import Max
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from games.engine import registry
from games.fold.clocks import ClockSettings
from games.selectors import rule_sets
from tock_league.common import canonical
from tock_league.common.errors import Refused
from tock_league.common.transactions import writing

from ...core.caps import LEAST_MINUTES, MATCH, MOST_ABSENT, MOST_FINISHED, MOST_MARBLE, MOST_MINUTES, Cap, CapError
from ...core.corrections import LATER, MOST_CORRECTION_S, REPLAY
from ...core.scoring import PointsRule
from ...core.tiebreaks import SUPPORTED
from ...models import Regulations
from ...models.competition import MOST_ROUNDS, SEATS
from ...selectors.seasons.shapes import SIDES

LEAGUE_TIEBREAKS = ("head_to_head", "margin", "wins", "sonneborn_berger", "lots")
REFEREE_WAIT_S = 300
STANDARD_CLOCKS: Mapping[str, int] = ClockSettings().to_json()


def freeze(
    *,
    code: str,
    rules: str = "shawinigan/1",
    seats: int = SEATS,
    best_of: int = 1,
    play_all: bool = False,
    clocks: Mapping[str, int] | None = STANDARD_CLOCKS,
    points: PointsRule | None = None,
    tiebreaks: Sequence[str] = LEAGUE_TIEBREAKS,
    margin_cap: int | None = None,
    touch: bool = True,
    referee_wait_s: int = REFEREE_WAIT_S,
    rounds: int = 0,
    correction_s: int | None = None,
    later: str = REPLAY,
    cap: Mapping[str, Any] | None = None,
) -> Regulations:
    """Return the regulations with these settings. Idempotent: equal settings share one row.

    `seats`: of a table, half of them each side's; written only where it is not four, so that what was frozen before there
    were larger tables keeps its digest. `rounds`: how many a game of Tractor lasts, 0 to the ace; likewise. `clocks`:
    ClockSettings as JSON, or None where no clock runs. `margin_cap`: marbles or levels a match can bring at most. `touch`:
    what is touched binds, as it must wherever something can be touched. `referee_wait_s`: how long a table waits for a
    referee who is called; 0 where nobody is on duty. `correction_s`: for how long the desk may correct a result, None for
    the default of the kind of competition; `later`: what a correction does to later matches of a bracket that have begun,
    one of LATER. Both are written only where they are not the default, likewise. `cap`: the time cap of the games, as
    core.caps.Cap reads it; written only where there is one.
    Raises Refused naming the field: unknown rule set, a table where two teams do not play it (no_such_table), even best
    of, unknown or repeated tie-break, touches that do not bind, a wait of over an hour, rounds where a game has none, or
    over 50 of them, a correction period of over 30 days, a time cap out of its range or where nothing is counted.
    """
    if not rule_sets.is_played(rules):
        raise Refused(
            "unknown_rules",
            _("There is no rule set %(given)s; offered: %(known)s.")
            % {"given": rules, "known": ", ".join(one.id for one in rule_sets.offered())},
            field="rules",
        )
    _two_teams_play(rules, seats)
    if best_of < 1 or best_of % 2 == 0 or best_of > 9:
        raise Refused("best_of_even", _("A match is best of 1, 3, 5, 7 or 9 games."), field="best_of")
    unknown = [key for key in tiebreaks if key not in SUPPORTED]
    if unknown or len(set(tiebreaks)) != len(tiebreaks):
        raise Refused(
            "unknown_tiebreak",
            _("Tie-breaks are named once each, out of: %(known)s.") % {"known": ", ".join(SUPPORTED)},
            field="tiebreaks",
        )
    try:
        ClockSettings(**clocks or {})
    except (TypeError, ValueError) as error:
        raise Refused("clocks", str(error), field="clocks") from error
    if not 0 <= referee_wait_s <= 3600:
        raise Refused("referee_wait", _("A referee is waited for at most an hour."), field="referee_wait_s")
    if rounds and not rule_sets.has_rounds(rules):
        raise Refused(
            "no_rounds", _("Under these rules a game goes to its end; it has no rounds to count."), field="rounds"
        )
    if not 0 <= rounds <= MOST_ROUNDS:
        raise Refused("rounds", _("A game lasts 0 to %(most)d rounds.") % {"most": MOST_ROUNDS}, field="rounds")
    if correction_s is not None and not 0 <= correction_s <= MOST_CORRECTION_S:
        raise Refused("correction_s", _("Results are corrected within 30 days at most."), field="correction_s")
    if not touch and rule_sets.touches(rules):
        raise Refused("free_touch", _("In a competition, what is touched must be played."), field="touch")
    if later not in LATER:
        raise Refused("later", _("Say what happens to later matches that were played."), field="later")
    body = {
        "rules": rules,
        "best_of": best_of,
        "play_all": play_all,
        "clocks": dict(clocks) if clocks is not None else None,
        "points": asdict(points or PointsRule()),
        "tiebreaks": list(tiebreaks),
        "margin_cap": margin_cap,
        "touch": touch and rule_sets.touches(rules),
        "referee_wait_s": referee_wait_s,
    }
    if seats != SEATS:
        body["seats"] = seats
    if rounds:
        body["rounds"] = rounds
    if correction_s is not None:
        body["correction_s"] = correction_s
    if later != REPLAY:
        body["later"] = later
    if cap is not None:
        body["cap"] = _checked_cap(cap, rules).to_json()
    digest = canonical.digest([code, body])
    with writing():
        known = Regulations.objects.filter(digest=digest).first()
        if known is not None:
            return known
        last = Regulations.objects.filter(code=code).aggregate(last=Max("version"))["last"] or 0
        return Regulations.objects.create(code=code, version=last + 1, digest=digest, body=body)


def _checked_cap(value: Mapping[str, Any], rules: str) -> Cap:
    """Return the cap. Raises Refused naming its field, with `cap_` before the name."""
    if rule_sets.counting_of(rules).finished is None:
        raise Refused(
            "no_cap", _("Under these rules a game has a number of rounds instead of a time cap."), field="cap_minutes"
        )
    try:
        return Cap.read(value)
    except CapError as error:
        raise Refused(error.code, cap_sentence(error.code), field=f"cap_{error.field}") from error
    except TypeError as error:
        raise Refused("cap", _("This value is not allowed here."), field="cap") from error


def check_cap(regulations: Regulations, best_of: int, *, on_paper: bool) -> None:
    """Raise Refused on `cap_of` where one cap is for several games of a match at tables: each game there has its own."""
    cap = regulations.cap
    if cap is not None and cap.of == MATCH and best_of > 1 and not on_paper:
        raise Refused(
            "cap_of",
            _("At the tables of this site the minutes are for each game; choose that, or one game in a match."),
            field="cap_of",
        )


def cap_sentence(code: str) -> str | Promise:
    """Return what is wrong with a setting of a cap."""
    sentences: Mapping[str, str | Promise] = {
        "cap_minutes": _("A time cap is %(least)d to %(most)d minutes.")
        % {"least": LEAST_MINUTES, "most": MOST_MINUTES},
        "cap_marble": _("A marble home is worth 1 to %(most)d points.") % {"most": MOST_MARBLE},
        "cap_finished": _("A finished game is worth 0 to %(most)d points more.") % {"most": MOST_FINISHED},
        "cap_absent": _("The side that came scores at least as much as the absent one, and at most %(most)d.")
        % {"most": MOST_ABSENT},
    }
    return sentences.get(code, _("This value is not allowed here."))


def _two_teams_play(rules: str, seats: int) -> None:
    """Raise Refused("no_such_table") naming `seats` unless two teams share that many seats under these rules."""
    tables = registry.rules(rules).teams
    known = [number for number, teams in sorted(tables.items()) if SIDES in teams]
    if seats not in known:
        raise Refused(
            "no_such_table",
            _("Under these rules two teams play at tables of %(known)s seats, not %(given)s.")
            % {"known": ", ".join(map(str, known)), "given": seats},
            field="seats",
        )
