"""Creates tournaments and edits their settings until the draw."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from tock_league.accounts.permissions import Person, require
from tock_league.clubs.models import Club
from tock_league.common import clock
from tock_league.common.errors import Refused
from tock_league.common.transactions import writing
from tock_league.common.validation import checked

from ...core.kind import MAX_GROUPS, MAX_QUALIFY, MAX_ROUNDS, PlanError
from ...core.plan import MAX_PAUSE_S, TournamentPlan
from ...models import Competition, Regulations
from ..entries.registration import move_up, not_drawn
from ..shared.journal import note
from ..shared.locking import lock_competition
from ..shared.refusals import not_now
from .creation import make, seed_of_lots
from .regulations import check_cap

C = Competition.State
MAX_SIZE = 128
# What may still change before the draw.
EDITABLE = frozenset(
    {
        "name",
        "plan",
        "regulations",
        "size",
        "starts_at",
        "entries_close_at",
        "check_in_from",
        "check_in_until",
        "on_paper",
        "by_agreement",
        "seeding",
        "bots_allowed",
    }
)


def create_tournament(
    *,
    by: Person,
    name: str,
    plan: TournamentPlan | Mapping[str, Any],
    regulations: Regulations,
    club: Club | None = None,
    size: int | None = None,
    starts_at: datetime | None = None,
    entries_close_at: datetime | None = None,
    check_in_from: datetime | None = None,
    check_in_until: datetime | None = None,
    on_paper: bool = False,
    by_agreement: bool = False,
    seeding: str = Competition.Seeding.RATING,
    bots_allowed: bool = False,
    lots_seed: str = "",
) -> Competition:
    """Return a new tournament, in draft. `size`: places, None for no limit; later entries wait.

    A tournament has a check-in when `check_in_until` is set. `lots_seed`: drawn here unless the site's own commands
    bring one. Raises Refused naming the field: a plan that cannot be played, dates that lie in the past or out of
    order (entries close, check-in opens, check-in closes, first round), a size below what the plan needs or over 128.
    """
    with writing():
        require(by, "competition.create", club, needed="organiser")
        competition = make(
            Competition.Kind.TOURNAMENT, name, regulations, club, None, bots_allowed, seed_of_lots(by, lots_seed)
        )
        competition.plan = read_plan(plan).to_json()
        competition.size, competition.seeding = size, seeding
        competition.on_paper, competition.by_agreement = on_paper, by_agreement
        competition.starts_at, competition.entries_close_at = starts_at, entries_close_at
        competition.check_in_from, competition.check_in_until = check_in_from, check_in_until
        _check(competition, changed={"starts_at", "entries_close_at", "check_in_from", "check_in_until"})
        checked(competition).save()
        note(
            competition,
            "competition.created",
            by,
            name=competition.name,
            format=competition.plan["kind"],
            regulations=regulations.digest,
            lots_seed=competition.lots_seed,
        )
        return competition


def edit(*, by: Person, competition: Competition, **changes: Any) -> Competition:
    """Change what a tournament says of itself, until the draw. `changes`: fields of EDITABLE; others raise TypeError.

    Once it is announced, the rules of play (`regulations`, `plan`) still change, and the journal says so. Raises what
    `create_tournament` does, Conflict after the draw.
    """
    unknown = changes.keys() - EDITABLE
    if unknown:
        raise TypeError(f"a tournament has no {sorted(unknown)}")
    with writing():
        competition = lock_competition(competition.pk)
        require(by, "competition.organise", competition, needed="organiser")
        if competition.state not in (C.DRAFT, C.PUBLISHED, C.OPEN, C.CLOSED) or not competition.is_planned:
            raise not_now(competition, (C.DRAFT, C.PUBLISHED, C.OPEN, C.CLOSED))
        not_drawn(competition)
        if "plan" in changes:
            changes["plan"] = read_plan(changes["plan"]).to_json()
        if "name" in changes:
            changes["name"] = changes["name"].strip()
        changed = {key for key, value in changes.items() if getattr(competition, key) != value}
        for key in changed:
            setattr(competition, key, changes[key])
        if "regulations" in changed:
            competition.rules = competition.regulations.body["rules"]
            competition.seats = competition.regulations.seats
        _check(competition, changed=changed)
        checked(competition).save()
        if changed:
            note(
                competition,
                "competition.edited",
                by,
                fields=sorted(changed),
                regulations=competition.regulations.digest,
            )
        if "size" in changed:
            move_up(competition)
        return competition


def read_plan(plan: TournamentPlan | Mapping[str, Any]) -> TournamentPlan:
    """Return the plan, read from JSON if need be. Raises Refused naming the field that is out of its range."""
    try:
        return plan if isinstance(plan, TournamentPlan) else TournamentPlan.read(plan)
    except PlanError as error:
        raise Refused(error.code, _sentence(error.code), field=error.field) from error


def _sentence(code: str) -> str | Promise:
    sentences: Mapping[str, str | Promise] = {
        "plan_kind": _("Choose one of the kinds of tournament that are offered."),
        "plan_pause": _("The pause between rounds is 0 to %(most)d seconds.") % {"most": MAX_PAUSE_S},
        "plan_groups": _("There are 1 to %(most)d groups.") % {"most": MAX_GROUPS},
        "plan_qualify": _("Of each group 1 to %(most)d teams go on, at least two in all.") % {"most": MAX_QUALIFY},
        "plan_legs": _("Everybody meets everybody once or twice."),
        "plan_rounds": _("A Swiss tournament has 1 to %(most)d rounds.") % {"most": MAX_ROUNDS},
        "plan_late_rounds": _("A late team misses 0 to %(most)d rounds.") % {"most": MAX_ROUNDS},
        "plan_late_points": _("A missed round counts as lost or as a tie."),
        "best_of_even": _("A match is best of 1, 3, 5, 7 or 9 games."),
    }
    return sentences.get(code, _("This value is not allowed here."))


def _check(competition: Competition, *, changed: set[str]) -> None:
    plan = TournamentPlan.read(competition.plan)
    check_cap(competition.regulations, max(plan.best_of.values()), on_paper=competition.on_paper)
    size = competition.size
    if size is not None and not 2 <= size <= MAX_SIZE:
        raise Refused("size", _("A tournament has 2 to %(most)d places.") % {"most": MAX_SIZE}, field="size")
    if size is not None and size < plan.least:
        raise Refused(
            "size_below_plan", _("This plan needs at least %(least)d teams.") % {"least": plan.least}, field="size"
        )
    now = clock.now()
    times = ("entries_close_at", "check_in_from", "check_in_until", "starts_at")
    for name in times:
        at = getattr(competition, name)
        if name in changed and at is not None and at < now:
            raise Refused("in_the_past", _("This date lies in the past; choose a later one."), field=name)
    if competition.check_in_from is not None and competition.check_in_until is None:
        raise Refused("check_in_end", _("Say when check-in closes."), field="check_in_until")
    for before, after, sentence in (
        ("check_in_from", "check_in_until", _("Check-in closes after it opens.")),
        ("entries_close_at", "check_in_until", _("Check-in closes after the entries do.")),
        ("check_in_until", "starts_at", _("The first round comes after check-in.")),
        ("entries_close_at", "starts_at", _("The first round comes after entries close.")),
    ):
        first, second = getattr(competition, before), getattr(competition, after)
        wrong = first is not None and second is not None and first > second
        if wrong or (before == "check_in_from" and first is not None and first == second):
            raise Refused("dates_order", sentence, field=after)
