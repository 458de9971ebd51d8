"""On a board or at a table of the site: captains agree match by match, where the competition allows it; organisers decide."""

from collections.abc import Callable

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from games.services import tables
from tock_league.accounts.models import Player
from tock_league.accounts.permissions import Person, require
from tock_league.common import clock
from tock_league.common.errors import Conflict, NotAllowed
from tock_league.common.transactions import writing
from tock_league.common.validation import checked

from ...core import places as core
from ...models import Match, PlaceProposal, Side
from ...permissions import captain_side
from ...selectors.rounds.places import may_change, proposed
from ..shared import telling
from ..shared.journal import name_of, note
from ..shared.locking import lock_match
from .opening import call_due, open_table

S = PlaceProposal.State


def act(*, by: Person, match: Match, what: str, on_board: bool) -> Match:
    """Do one of core.places.DEEDS. `on_board`: what is proposed or decided; for an answer, what the page showed.

    Raises as the functions below, and Conflict `proposal_changed` where the answer is to another proposal.
    """
    deeds: dict[str, Callable[..., Match]] = {
        core.PROPOSE: propose,
        core.ACCEPT: accept,
        core.DECLINE: decline,
        core.WITHDRAW: withdraw,
        core.DECIDE: decide,
    }
    return deeds[what](by=by, match=match, on_board=on_board)


def propose(*, by: Person, match: Match, on_board: bool) -> Match:
    """Propose to play a match elsewhere, as its captain; the same wish of the other captain accepts the proposal.

    Idempotent. Raises Conflict: `not_by_agreement`, `match_begun`, `place_stands`.
    """
    with writing():
        match, side, person = _captain(by, match)
        if match.is_on_board == on_board:
            raise Conflict("place_stands", _place_stands(on_board))
        found = proposed(match)
        if found is not None and found.position != side.position:
            return _answer(found, match, person, S.ACCEPTED)
        if found is not None:
            return match
        made = PlaceProposal(
            match=match, on_board=on_board, by=person, position=side.position or 0, made_at=clock.now()
        )
        checked(made).save()
        telling.place_proposed(made, match)
        return match


def accept(*, by: Person, match: Match, on_board: bool | None = None) -> Match:
    """Accept the other captain's proposal. Raises as `propose`, and Conflict: `nothing_proposed`."""
    return _reply(by, match, on_board, S.ACCEPTED)


def decline(*, by: Person, match: Match, on_board: bool | None = None) -> Match:
    """Decline the other captain's proposal: the match stays where it is. Raises as `accept`."""
    return _reply(by, match, on_board, S.DECLINED)


def withdraw(*, by: Person, match: Match, on_board: bool | None = None) -> Match:
    """Take the own side's proposal back. Raises as `accept`."""
    with writing():
        match, side, person = _captain(by, match)
        found = proposed(match)
        if found is None or found.position != side.position:
            raise _nothing()
        return _answer(found, match, person, S.WITHDRAWN)


def decide(*, by: Person, match: Match, on_board: bool) -> Match:
    """Decide as an organiser where a match is played, in any competition; an open proposal ends. Idempotent.

    Raises Conflict `match_begun`.
    """
    with writing():
        match = lock_match(match.pk)
        require(by, "match.place", match, needed="organiser")
        _check_open(match)
        found = proposed(match)
        if found is not None:
            _close(found, S.ENDED, by if isinstance(by, Player) else None)
        if match.is_on_board != on_board:
            _place(match, on_board, by)
        return match


def _captain(by: Person, match: Match) -> tuple[Match, Side, Player]:
    """Return the locked match with the captain's side. Raises NotAllowed, Conflict `not_by_agreement`, `match_begun`."""
    match = lock_match(match.pk)
    require(by, "result.report", match, needed="captain")
    side = captain_side(by, match) if isinstance(by, Player) else None
    if side is None or not isinstance(by, Player):  # the site and administrators are no captains
        raise NotAllowed(needed="captain")
    if not match.competition.by_agreement:
        raise Conflict("not_by_agreement", _("In this competition the organiser says where matches are played."))
    _check_open(match)
    return match, side, by


def _check_open(match: Match) -> None:
    if not may_change(match):
        raise Conflict("match_begun", _("This match has begun or is over: it stays where it is."), state=match.state)


def _reply(by: Person, match: Match, on_board: bool | None, state: PlaceProposal.State) -> Match:
    with writing():
        match, side, person = _captain(by, match)
        found = proposed(match)
        if found is None and state == S.ACCEPTED and on_board is not None and match.is_on_board == on_board:
            return match  # a second press
        if found is None or found.position == side.position:
            raise _nothing()
        if on_board is not None and found.on_board != on_board:
            raise Conflict(
                "proposal_changed", _("The proposal has changed while you looked at it; look at the newest one.")
            )
        return _answer(found, match, person, state)


def _answer(found: PlaceProposal, match: Match, person: Player, state: PlaceProposal.State) -> Match:
    _close(found, state, person)
    if state == S.ACCEPTED:
        _place(match, found.on_board, person)
    else:
        telling.place_answered(found, match)
    return match


def _close(found: PlaceProposal, state: PlaceProposal.State, by: Player | None) -> None:
    found.state, found.answered_by, found.answered_at = state, by, clock.now()
    checked(found).save()


def _place(match: Match, on_board: bool, by: Person) -> None:
    """Let the match be played there: close a table at which nobody has played, or open one if it is time."""
    match.on_board = None if on_board == match.competition.on_paper else on_board
    if match.table is not None:
        tables.close(match.table)
        match.table = None
    if match.state in (Match.State.SCHEDULED, Match.State.CALLED):
        match.state = Match.State.SCHEDULED
        if on_board and match.competition.is_planned:
            match.state = Match.State.CALLED
    match.save()
    note(match.competition, "match.placed", by, **name_of(match), on_board=on_board)
    telling.placed(match, by)
    if on_board:
        call_due(match)
    elif match.state == Match.State.SCHEDULED:
        open_table(match_id=match.pk)
        match.refresh_from_db()


def _nothing() -> Conflict:
    return Conflict("nothing_proposed", _("No proposal waits for your answer; look at the match as it is now."))


def _place_stands(on_board: bool) -> str | Promise:
    if on_board:
        return _("This match is played on a board already.")
    return _("This match is played at a table of the site already.")
