"""From entries to dated matches: one stage, one group, every round of the calendar before the first game."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

from django.utils.formats import date_format
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from tock_league.accounts.permissions import Person, require
from tock_league.common import clock
from tock_league.common.errors import Conflict, Refused
from tock_league.common.transactions import writing

from ...core import dates, registry
from ...core.format import FormatError, RoundPlan
from ...models import Competition, Entry, Group, Match, ResultVersion, Round, Side, Stage
from ..shared import telling
from ..shared.locking import lock_competition

BEFORE_START = (
    Competition.State.DRAFT,
    Competition.State.PUBLISHED,
    Competition.State.OPEN,
    Competition.State.CLOSED,
)
TOO_FEW = _("At least two teams must be entered first.")
RESULTS_STAND = _("A match of the calendar has a result already: the calendar stays.")


def weekly(*, first: datetime, zone: str, rounds: int, days: int = 7) -> Sequence[datetime]:
    """Return the instants of `rounds` rounds at one wall-clock hour, `days` apart.

    `first`: naive, in `zone`. Raises Refused on `first` when the clock skips that hour on one of the days.
    """
    if not 1 <= days <= 60:
        raise Refused("days_between", _("Rounds lie 1 to 60 days apart."), field="days")
    try:
        return dates.every(first, ZoneInfo(zone), count=rounds, days=days)
    except dates.NoSuchHour as error:
        raise Refused(
            "no_such_hour", _("The clocks skip this hour on one of the days; choose another hour."), field="first"
        ) from error


def rounds_needed(competition: Competition, *, legs: int) -> int:
    """Return how many rounds the calendar of the present entries has."""
    return len(_plan(_entries(competition), {"legs": legs}))


def too_few(competition: Competition) -> str | Promise:
    """Return why no calendar can be made of the present entries, in a sentence; "" where it can. One query."""
    return TOO_FEW if len(_entries(competition)) < 2 else ""


def make_calendar(*, by: Person, competition: Competition, times: Sequence[datetime | None], legs: int = 2) -> Stage:
    """Write the stage, its rounds and its matches, all of a round at the same time.

    `times`: one instant per round, or None where the date is not set. Raises Refused naming `times`: wrong number, in the
    past, outside the season; Conflict when there is a calendar already or the competition has started.
    """
    with writing():
        competition = lock_competition(competition.pk)
        require(by, "competition.organise", competition, needed="organiser")
        _not_started(competition)
        if Stage.objects.filter(competition=competition).exists():
            raise Conflict("calendar_made", _("There is a calendar already; discard it first."))
        entries = {entry.pk: entry for entry in _entries(competition)}
        plan = _plan(list(entries.values()), {"legs": legs})
        if len(times) != len(plan):
            raise Refused(
                "rounds", _("This needs %(count)s dates, one for each round.") % {"count": len(plan)}, field="times"
            )
        for at in times:
            if at is not None:
                check_date(competition, at, field="times")
        form = registry.calendar_format()
        stage = Stage.objects.create(competition=competition, ordinal=1, format=form.key, options={"legs": legs})
        group = Group.objects.create(stage=stage, ordinal=1)
        for made, at in zip(plan, times, strict=True):
            _write_round(competition, stage, group, made, at)
        telling.fact("round.published", competition)
        return stage


def discard_calendar(*, by: Person, competition: Competition) -> None:
    """Delete the planned matches of a competition that has not started.

    Raises Conflict after the start, and `results_stand` when a match was awarded before it.
    """
    with writing():
        competition = lock_competition(competition.pk)
        require(by, "competition.organise", competition, needed="organiser")
        _not_started(competition)
        if has_results(competition):
            raise Conflict("results_stand", RESULTS_STAND)
        rounds = Round.objects.filter(group__stage__competition=competition)
        Side.objects.filter(round__in=rounds).delete()
        Match.objects.filter(competition=competition).delete()
        rounds.delete()
        Group.objects.filter(stage__competition=competition).delete()
        Stage.objects.filter(competition=competition).delete()


def has_results(competition: Competition) -> bool:
    """Return whether a match of the calendar has a result, so that it is not discarded. One query."""
    return ResultVersion.objects.filter(match__competition=competition).exists()


def check_date(competition: Competition, at: datetime, *, field: str) -> None:
    """Raise Refused naming `field` when `at` lies in the past or outside the season's days, given in Toronto's dates."""
    if at < clock.now() - timedelta(minutes=1):
        raise Refused("in_the_past", _("This date lies in the past; choose a later one."), field=field)
    if competition.division is None:
        return
    season = competition.division.season
    day = at.astimezone(ZoneInfo("America/Toronto")).date()
    if not season.starts_on <= day <= season.ends_on:
        raise Refused(
            "outside_season",
            _("%(day)s lies outside the season, which runs from %(first)s to %(last)s.")
            % {"day": date_format(day), "first": date_format(season.starts_on), "last": date_format(season.ends_on)},
            field=field,
        )


def _entries(competition: Competition) -> list[Entry]:
    return list(Entry.objects.filter(competition=competition, state=Entry.State.ACCEPTED).order_by("seed", "pk"))


def _plan(entries: Sequence[Entry], options: dict[str, object]) -> tuple[RoundPlan, ...]:
    form = registry.calendar_format()
    try:
        return form.plan([entry.pk for entry in entries], registry.options_of(form.key, options))
    except FormatError as error:
        sentences = {
            "too_few_entries": TOO_FEW,
            "bad_options": _("A round robin has one leg or two."),
        }
        raise Refused(error.code, sentences.get(error.code), field=error.field) from error


def _not_started(competition: Competition) -> None:
    if competition.state not in BEFORE_START:
        raise Conflict("started", _("The competition has started; its matches are moved one by one."))


def _write_round(competition: Competition, stage: Stage, group: Group, made: RoundPlan, at: datetime | None) -> None:
    regulations = competition.regulations
    row = Round.objects.create(group=group, number=made.number)
    for number, pairing in enumerate(made.pairings, start=1):
        match = Match.objects.create(
            competition=competition,
            round=row,
            number=number,
            sides=len(pairing.sides),
            mode=Match.Mode.PLAY_ALL if regulations.play_all else Match.Mode.FIRST_TO,
            best_of=regulations.best_of,
            state=Match.State.READY if at is None else Match.State.SCHEDULED,
            starts_at=at,
        )
        Side.objects.bulk_create(
            Side(stage=stage, round=row, match=match, position=position, entry_id=entry)
            for position, entry in enumerate(pairing.sides)
        )
    Side.objects.bulk_create(Side(stage=stage, round=row, entry_id=entry, kind=Side.Kind.REST) for entry in made.rests)
