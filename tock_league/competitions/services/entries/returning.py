"""Teams that come back: a quashed disqualification, and a withdrawal that was a mistake."""

from django.db.models import QuerySet
from django.utils.translation import gettext_lazy as _

from games.models import Table
from tock_league.accounts.permissions import Person, require
from tock_league.common import clock
from tock_league.common.errors import Refused
from tock_league.common.transactions import writing
from tock_league.common.validation import checked

from ...models import Competition, Entry, Match, MatchGame, ResultVersion, RosterSpot, Round, Stage
from ...selectors.changes.previews import Preview
from ...selectors.entries.registration import was_drawn
from ...selectors.results.effective import by_rules
from ...selectors.rounds.progress import begun, has_begun, pairs_as_it_goes
from ..changes.previews import as_seen, preview_of
from ..results.propagation import later_matches, propagate, walk_over
from ..results.versions import append
from ..rounds.progression import push
from ..shared.journal import note
from ..shared.locking import hold_games, lock_competition, lock_match
from ..shared.refusals import entry_not_now, not_now
from .eligibility import take_part
from .registration import public_reason
from .withdrawals import UNDER_WAY


def bring_back(*, by: Person, entry: Entry, reason: str, digest: str) -> Entry:
    """Let a team that withdrew after the draw play on; for the desk. The reason is public; `digest`: of the preview seen.

    Its matches without play are taken back as by `reinstate`. Rounds that were paired without it stay missed. A team that
    withdrew before the draw is a late entry instead (services.entries.late). Raises NotAllowed; Conflict:
    `preview_moved`, `entry_state`, the state of the competition; Refused on `reason`, and `suspended` for a player who
    may not play.
    """
    return as_seen(entry.competition, digest, lambda: _bring_back(by, entry, reason))


def preview(*, by: Person, entry: Entry) -> Preview:
    """Return what bringing the team back would change. Raises what `bring_back` raises, except for digest and reason."""
    return preview_of(entry.competition, lambda: _bring_back(by, entry, "–"))


def _bring_back(by: Person, entry: Entry, reason: str) -> Entry:
    with writing():
        competition, entry = _held(entry)
        require(
            by,
            "entry.bring_back",
            entry,
            needed="organiser",
            sentence=_("Organisers and referees who are not on its roster bring a team back."),
        )
        if competition.state not in UNDER_WAY:
            raise not_now(competition, UNDER_WAY)
        if entry.state != Entry.State.WITHDRAWN or not was_drawn(entry):
            raise entry_not_now(entry, (Entry.State.WITHDRAWN,))
        if not reason.strip():
            raise Refused("reason_missing", _("Give a reason; it is shown to everybody."), field="reason")
        spots = RosterSpot.objects.filter(entry=entry, left__isnull=True).select_related("player")
        take_part(competition, *(spot.player for spot in spots), field="reason")
        note(competition, "entry.brought_back", by, entry=entry.slug, reason=public_reason(reason))
        return _play_on(competition, entry, entry.reason)


def reinstate(*, by: Person, entry: Entry, reason: str) -> Entry:
    """Take back the disqualification that was given for `reason`, a ruling no longer in force; any other one stands.

    Awards by the rules against the entry are reverted too, except where later matches that depend on them have begun:
    there the present holders keep their places.
    """
    with writing():
        competition, entry = _held(entry)
        require(by, "entry.disqualify", entry, needed="head_referee")
        if entry.state != Entry.State.DISQUALIFIED or entry.reason != reason:
            return entry
        note(competition, "entry.reinstated", by, entry=entry.slug)
        return _play_on(competition, entry, reason)


def _held(entry: Entry) -> tuple[Competition, Entry]:
    competition = lock_competition(entry.competition_id)
    entry = Entry.objects.select_for_update(of=("self",)).select_related("team", "player").get(pk=entry.pk)
    entry.competition = competition
    return competition, entry


def _play_on(competition: Competition, entry: Entry, reason: str) -> Entry:
    """Let the entry play again, and take back what the rules wrote because it had left for `reason`."""
    hold_games(Match.objects.filter(side_rows__entry=entry).values_list("pk", flat=True))
    entry.state, entry.reason = _state_of_others(competition), ""
    checked(entry).save()
    mine = Match.objects.filter(side_rows__entry=entry).order_by("round__group__stage__ordinal", "round__number", "pk")
    for pk in list(mine.values_list("pk", flat=True)):
        _take_back(lock_match(pk), reason)
    if competition.is_planned:
        push(competition)  # the ranks of its group may change although no match does
    return entry


def _state_of_others(competition: Competition) -> Entry.State:
    """Return the state of those who still take part, the furthest on first."""
    present = set(competition.entries.values_list("state", flat=True))
    states = (Entry.State.PLAYING, Entry.State.FINISHED, Entry.State.CHECKED_IN)
    return next((state for state in states if state in present), Entry.State.ACCEPTED)


def _take_back(match: Match, reason: str) -> None:
    """Revert results that the rules wrote because of `reason` or of a side that left; then apply the rules again."""
    standing = by_rules(match)
    if standing is None or _is_built_on(match, standing):
        return
    expunged = standing.fact == "void"
    if expunged and standing.reason != reason:
        return  # it was written for another side that left
    if match.table is not None and match.table.state == Table.State.CLOSED:
        match.table = None
    if match.table is None and match.starts_at is not None and match.starts_at < clock.now():
        match.starts_at = None if match.competition.is_planned else clock.now()
    if expunged:
        append(match, fact="reopened", source=ResultVersion.Source.RULES, revokes=standing)
        match.state = Match.State.READY
        propagate(match)
    walk_over(match)


def _is_built_on(match: Match, award: ResultVersion) -> bool:
    """Return whether a match that has begun since the award, or a round that was paired, depends on this match's result.

    What had begun before, because the match was played again afterwards, does not depend on the award.
    """
    stage = match.round.group.stage
    if pairs_as_it_goes(stage):
        later = Round.objects.filter(group=match.round.group_id, number__gt=match.round.number)
        return later.exists()
    following = Stage.objects.filter(competition=match.competition, ordinal=stage.ordinal + 1).first()
    if following is not None and has_begun(following):
        return not _began_before(Match.objects.filter(round__group__stage=following), award)
    found = [target for target in _following(match) if begun(target)]
    return any(not _began_before(Match.objects.filter(pk=target.pk), award) for target in found)


def _following(match: Match) -> list[Match]:
    """Return the later matches of the bracket up to the first that was not just awarded by the rules, on every way."""
    found = later_matches(match)
    for target in list(found):
        if target.state == Match.State.AWARDED and not begun(target):
            found += _following(target)
    return found


def _began_before(matches: QuerySet[Match], award: ResultVersion) -> bool:
    """Return whether a game of these matches had begun, or a result was written, before the award."""
    written = ResultVersion.objects.filter(match__in=matches, pk__lt=award.pk)
    played = MatchGame.objects.filter(match__in=matches, game__started_at__lt=award.recorded_at)
    return written.exclude(source=ResultVersion.Source.RULES).exists() or played.exists()
