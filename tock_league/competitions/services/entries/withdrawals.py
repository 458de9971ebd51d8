"""Withdrawal, disqualification, no-show and forfeit, with their consequences for the matches.

| fact | who says so | what it does |
| --- | --- | --- |
| withdrawal | the captain, the organiser | core.leaving: the rest is forfeited, or all of it void; who is out is paired no more |
| disqualification | the head referee | the same, and the entry stands last of all; falls with its ruling |
| no-show | organiser, referee | one match: the other side wins, nothing else changes |
| forfeit | the side's own captain, organiser, referee | the same, declared before play; after a game it counts as played |

A double forfeit is `settlement.award` with no winner. See docs/tournaments.md, "While it runs".
"""

from collections.abc import Callable

from django.utils.translation import gettext_lazy as _

from tock_league.accounts.permissions import Person, require
from tock_league.common.errors import Refused
from tock_league.common.transactions import writing
from tock_league.common.validation import checked

from ...core.leaving import HOWS, Award
from ...models import Competition, Entry, Match, ResultVersion, Stage
from ...selectors.changes import consequences
from ...selectors.changes.previews import Preview
from ...selectors.changes.world import world_of
from ..changes.previews import as_seen, preview_of
from ..results.propagation import close_table, fed_matches, propagate, walk_over
from ..results.settlement import give_up
from ..results.versions import append, decision
from ..rounds.progression import push
from ..shared.journal import note
from ..shared.locking import hold_games, lock_competition, lock_match
from ..shared.refusals import entry_not_now, not_now
from .registration import public_reason

UNDER_WAY = (Competition.State.CLOSED, Competition.State.RUNNING, Competition.State.SUSPENDED)
TAKING_PART = (Entry.State.ACCEPTED, Entry.State.CHECKED_IN, Entry.State.PLAYING)


def withdraw(*, by: Person, entry: Entry, reason: str, digest: str | None = None) -> Entry:
    """Take an entry out after the draw. The reason is public. `digest`: that of the preview that the person has seen.

    Raises Conflict: `not_drawn` (registration.withdraw_before_draw is for that), `entry_state`, `preview_moved`; Refused
    on `reason`.
    """
    return _seen(entry, digest, lambda: _leave(by=by, entry=entry, how="withdrawal", reason=reason))


def disqualify(*, by: Person, entry: Entry, reason: str, digest: str | None = None) -> Entry:
    """Put an entry out of the competition. The reason is public; raises as `withdraw` does."""
    return _seen(entry, digest, lambda: _leave(by=by, entry=entry, how="disqualification", reason=reason))


def preview(*, by: Person, entry: Entry, how: str) -> Preview:
    """Return what the entry's `withdrawal` or `disqualification` would change now. Raises as these do, Refused on `how`."""
    if how not in HOWS:
        raise Refused("how", _("A team withdraws or is disqualified."), field="how")
    return preview_of(entry.competition, lambda: _leave(by=by, entry=entry, how=how, reason="–"))


def no_show(*, by: Person, match: Match, position: int, reason: str) -> ResultVersion:
    """Record that the side at `position` did not come: the other one wins. Raises as `settlement.award` does."""
    return _give_up(by=by, match=match, position=position, reason=reason, fact="no_show")


def forfeit(*, by: Person, match: Match, position: int, reason: str) -> ResultVersion:
    """Record that the side at `position` gives the match up before it is played. Raises as `settlement.award` does."""
    return _give_up(by=by, match=match, position=position, reason=reason, fact="forfeit")


def _give_up(*, by: Person, match: Match, position: int, reason: str, fact: str) -> ResultVersion:
    with writing():
        match = lock_match(match.pk)
        if match.sides != 2 or position not in (0, 1):
            raise Refused("position", _("Choose one of the two teams."), field="position")
        if fact == "forfeit":
            require(by, "match.forfeit", (match, position), needed="captain")
        else:
            require(by, "match.award", match, needed="organiser")
        return give_up(match, fact=fact, winner=1 - position, reason=reason, by=by)


def _seen(entry: Entry, digest: str | None, leave: Callable[[], Entry]) -> Entry:
    return leave() if digest is None else as_seen(entry.competition, digest, leave)


def _leave(*, by: Person, entry: Entry, how: str, reason: str) -> Entry:
    state = Entry.State.WITHDRAWN if how == "withdrawal" else Entry.State.DISQUALIFIED
    with writing():
        competition = lock_competition(entry.competition_id)
        entry = Entry.objects.select_for_update(of=("self",)).select_related("team", "player").get(pk=entry.pk)
        entry.competition = competition
        action = "entry.withdraw" if how == "withdrawal" else "entry.disqualify"
        require(by, action, entry, needed="captain" if how == "withdrawal" else "head_referee")
        if entry.state == state:
            return entry
        if not Stage.objects.filter(competition=competition).exists() or competition.state not in UNDER_WAY:
            raise not_now(competition, UNDER_WAY, "not_drawn")
        if entry.state not in TAKING_PART:
            raise entry_not_now(entry, TAKING_PART)
        if not reason.strip():
            raise Refused("reason_missing", _("Give a reason; it is shown to everybody."), field="reason")
        world = world_of(competition)
        awards = consequences.leaving(world, entry, how)
        hold_games(world.downstream(pk for pk, seats in world.seats.items() if entry.pk in seats))
        entry.state, entry.reason = state, public_reason(reason)
        checked(entry).save()
        kind = "entry.withdrawn" if how == "withdrawal" else "entry.disqualified"
        note(competition, kind, by, entry=entry.slug, voided=sum(award.fact == "void" for award in awards))
        for award in awards:
            _write(award, by, entry.reason)
        for match in _waiting(entry):
            walk_over(match)
        if competition.is_planned:
            push(competition)  # the ranks of its group may change although no match does
            for match in _after_groups(entry):
                walk_over(match)  # where its place rolls down and nobody is left
        return entry


def _write(award: Award, by: Person, reason: str) -> None:
    match = lock_match(award.match)
    close_table(match)
    append(
        match,
        fact=award.fact,
        lines=decision(award.winner, match.sides) if award.fact != "void" else (),
        source=ResultVersion.Source.RULES,
        reason=reason,
        by=by,
    )
    propagate(match)


def _after_groups(entry: Entry) -> list[Match]:
    played = Match.objects.filter(side_rows__entry=entry, round__group__feeds__isnull=False)
    first = played.select_related("round__group__stage", "competition").first()
    return fed_matches(first) if first is not None else []


def _waiting(entry: Entry) -> list[Match]:
    """Return the entry's matches of a bracket that wait for the other side, locked."""
    ids = Match.objects.filter(side_rows__entry=entry, state=Match.State.WAITING).values_list("pk", flat=True)
    return [lock_match(pk) for pk in list(ids)]
