"""Results on paper: one captain reports, the other accepts or contests with other values; or one referee certifies.

A paper is a version of the match that counts once it is signed by the captains of all sides, for the same values, or by
one referee. No answer never counts as acceptance. Every form carries the version that its page showed (`seen`): a
request from an outdated page gets a 409 with the newest version and its signatures, unless the values are the same.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.translation import gettext_lazy as _

from tock_league.accounts.models import Player
from tock_league.accounts.permissions import Person, can, label, require
from tock_league.common import clock
from tock_league.common.errors import Conflict, NotAllowed, Refused
from tock_league.common.transactions import writing
from tock_league.common.validation import checked

from ...models import Match, ResultEffect, ResultSignature, ResultVersion, RosterSpot, Side
from ...permissions import captain_side, of_one_club_only
from ...selectors.results.effective import effects_in_force
from ...selectors.results.paper import counting_sheet, newest
from ...selectors.seasons.counting import asked_of, counting_of
from ..entries.eligibility import take_part
from ..seasons.lifecycle import DECIDED
from ..shared import telling
from ..shared.journal import name_of, note
from ..shared.locking import lock_match
from .contradictions import changed, stands
from .propagation import propagate
from .timed import capped_sheet, fact_of
from .versions import append

S = Match.State
REPORTABLE = (S.SCHEDULED, S.CALLED, S.LIVE, S.REPORTED, S.CONTESTED)
NO_RESULT = (
    ResultEffect.Kind.REPLAY,
    ResultEffect.Kind.POINTS,
    ResultEffect.Kind.RATING,
)  # rulings that leave the match open


@dataclass(frozen=True)
class Game:
    """One game of a paper: the winner's position, None for a tie, and the winner's lead in marbles or levels.

    Under a time cap only what each side reached, by position; winner and lead follow from it (core.caps).
    """

    winner: int | None = None
    margin: int = 0
    counts: tuple[int, ...] = ()

    @classmethod
    def of(cls, given: Sequence[int | None]) -> "Game":
        """Return a game as forms give it: (winner, lead), or under a time cap (None, 0, count, count)."""
        winner, lead, *counts = given
        return cls(winner, lead or 0, tuple(one or 0 for one in counts))


def report(*, by: Person, match: Match, games: Sequence[Game], seen: int = 0) -> ResultVersion:
    """Write a captain's result; equal values from the other captain confirm it. Return the version that holds it.

    Idempotent: the same form again returns the first version. Raises Conflict: `result_changed`, `result_stands`,
    `not_open`; Refused on `games`, `suspended` among them: a player who was not allowed to play.
    """
    with writing():
        match, side = _captain(by, match)
        sheet = checked_sheet(match, games)
        last = newest(match)
        same = last is not None and last.sheet == sheet
        if last is not None and same and match.state in DECIDED and _signed_by(last, side):
            return last
        _open(match, last)
        if last is not None and same:
            return _sign(last, match, by, side)
        if last is not None and seen != last.version and _side_of(last) != side.pk:
            raise changed(match, last)
        version = append(match, fact=fact_of(sheet), source=ResultVersion.Source.CAPTAIN, sheet=sheet, by=by)
        _sign(version, match, by, side)
        telling.reported(version, match, by)
        return version


def accept(*, by: Person, match: Match, seen: int) -> ResultVersion:
    """Sign the other captain's result as it stands. Raises Conflict: `result_changed`, `result_stands`, `nothing_reported`."""
    with writing():
        match, side = _captain(by, match)
        last = newest(match)
        if last is not None and match.state in DECIDED and _signed_by(last, side):
            return last
        _open(match, last)
        if last is None:
            raise Conflict("nothing_reported", _("No result has been reported yet."), state=match.state)
        if seen != last.version:
            raise changed(match, last)
        return _sign(last, match, by, side)


def contest(*, by: Person, match: Match, games: Sequence[Game], seen: int) -> ResultVersion:
    """Contest the other captain's result with other values; the referee's queue shows both. Raises as `report` does."""
    with writing():
        match, _side = _captain(by, match)
        if newest(match) is None:
            raise Conflict("nothing_reported", _("No result has been reported yet."), state=match.state)
        return report(by=by, match=match, games=games, seen=seen)


def certify(
    *, by: Person, match: Match, games: Sequence[Game], reason: str = "", seen: int | None = None
) -> ResultVersion:
    """Write the result as a referee or an organiser who does not play in the match; it counts at once.

    `seen`: the newest paper that the person has seen, 0 for none; None where nobody looked at a page. Values that stand
    already are no error, other ones never replace what somebody else entered meanwhile: the refusal says who and what.
    Raises as `report` does, and NotAllowed for those who play in the match.
    """
    with writing():
        match = lock_match(match.pk)
        require(
            by,
            "result.certify",
            match,
            needed="organiser",
            sentence=_("Organisers and referees who do not play in a match enter its result."),
        )
        sheet = checked_sheet(match, games)
        last = newest(match)
        if last is not None and match.state in DECIDED and counting_sheet(match) == [tuple(game) for game in sheet]:
            return last
        _open(match, last)
        if last is not None and seen is not None and seen != last.version and last.sheet != sheet:
            raise changed(match, last)
        referee = can(by, "competition.referee", match.competition)
        version = append(
            match,
            fact=fact_of(sheet),
            source=ResultVersion.Source.REFEREE if referee else ResultVersion.Source.ORGANISER,
            sheet=sheet,
            reason=reason.strip(),
            by=by,
            tied=isinstance(by, Player) and of_one_club_only(by, match),
        )
        signature = ResultSignature(
            result=version,
            signer=by if isinstance(by, Player) else None,
            capacity=ResultSignature.Capacity.REFEREE,
            at=clock.now(),
        )
        checked(signature).save()
        _told(version, match, by, "referee" if referee else "organiser", None)
        propagate(match)
        return version


def _captain(by: Person, match: Match) -> tuple[Match, Side]:
    match = lock_match(match.pk)
    require(by, "result.report", match, needed="captain")
    side = captain_side(by, match) if isinstance(by, Player) else None
    if side is None:  # the site and administrators are no captains
        raise NotAllowed(needed="captain")
    return match, side


def _open(match: Match, last: ResultVersion | None) -> None:
    """Raise Conflict unless a result on paper may be given now."""
    if match.state in DECIDED or _is_ruled(match):
        raise stands(match, last)
    if match.state == S.WAITING:
        raise Conflict("not_open", _("This match still waits for its teams; it has no result yet."), state=match.state)
    if not match.is_on_board or match.state not in REPORTABLE:
        raise Conflict("not_open", _("No result can be given for this match now."), state=match.state)
    may_have_played(match)


def may_have_played(match: Match) -> None:
    """Raise Refused on `games` if a starter was suspended when the match began, or is now if it has no time.

    Who starts since the match began is not looked at: a substitution is checked when it is made.
    """
    now = clock.now()
    at = min(match.starts_at or now, now)
    spots = RosterSpot.objects.filter(
        entry__side_rows__match=match, role=RosterSpot.Role.STARTER, left__isnull=True, joined__lte=at
    )
    take_part(match.competition, *(spot.player for spot in spots.select_related("player")), field="games", at=at)


def _is_ruled(match: Match) -> bool:
    """Return whether a ruling or a correction has decided something of the match since it was last ordered again."""
    effects = effects_in_force().filter(match=match)
    order = effects.filter(kind=ResultEffect.Kind.REPLAY, game_number__isnull=True).last()
    since = effects.filter(pk__gt=order.pk) if order is not None else effects
    return since.exclude(kind__in=NO_RESULT).exists()


def checked_sheet(match: Match, games: Sequence[Game]) -> list[list[int | None]]:
    """Return the games as they are stored. Raises Refused on `games`: too few or too many, no such side, a tie where there is
    none, a difference that cannot be."""
    asked = asked_of(match)
    if asked.cap is not None:
        return capped_sheet(match, asked, games)
    if any(game.counts for game in games):
        raise Refused("no_cap", _("These games have no time cap: say who won, and by how much."), field="games")
    least, most = asked.least, asked.most
    needed = (match.best_of + 1) // 2
    won = [0] * match.sides
    for number, game in enumerate(games, start=1):
        if game.winner is None:
            _check_tie(match, number, game)
            least_now, most_now = 0, 0
        elif not 0 <= game.winner < match.sides:
            raise Refused("winner", _("Game %(number)d: choose who won.") % {"number": number}, field="games")
        else:
            least_now, most_now = least, most
        if not least_now <= game.margin <= most_now:
            words = counting_of(match.competition.rules).refusal
            values = {"number": number, "least": least_now, "most": most_now}
            raise Refused("margin", str(words) % values, field="games")
        if match.mode == Match.Mode.FIRST_TO and max(won) == needed:
            raise Refused(
                "too_many_games",
                _("The match is over at %(needed)d games won; there is one too many.") % {"needed": needed},
                field="games",
            )
        if game.winner is not None:
            won[game.winner] += 1
    played = len(games) == match.best_of
    whole = played if match.mode == Match.Mode.PLAY_ALL else max(won) == needed or (played and asked.ties)
    if not whole or len(games) > match.best_of:
        raise Refused(
            "games_missing",
            _("A match that is best of %(best_of)d needs its result whole.") % {"best_of": match.best_of},
            field="games",
        )
    return [[game.winner, game.margin] for game in games]


def _check_tie(match: Match, number: int, game: Game) -> None:
    """Raise Refused on `games` where the game cannot have been tied, or a tie decides nothing."""
    if asked_of(match).ties:
        return
    if match.competition.regulations.rounds:
        sentence = _("Game %(number)d: in a knockout a tied game is played again; report the one that was won.")
    else:
        sentence = _("Game %(number)d: choose who won.")
    raise Refused("winner", sentence % {"number": number}, field="games")


def _sign(version: ResultVersion, match: Match, by: Person, side: Side) -> ResultVersion:
    """Add the captain's signature, unless it is there, and propagate the result."""
    if not _signed_by(version, side):
        signature = ResultSignature(
            result=version,
            signer=by if isinstance(by, Player) else None,
            capacity=ResultSignature.Capacity.CAPTAIN,
            side=side,
            at=clock.now(),
        )
        checked(signature).save()
        _told(version, match, by, "captain", side.position)
    propagate(match)
    return version


def _told(version: ResultVersion, match: Match, by: Person, capacity: str, position: int | None) -> None:
    note(
        match.competition,
        "result.signed",
        by,
        **name_of(match),
        version=version.version,
        digest=version.hash,
        capacity=capacity,
        position=position,
        signer=label(by),
    )


def _signed_by(version: ResultVersion, side: Side) -> bool:
    return ResultSignature.objects.filter(result=version, side=side).exists()


def _side_of(version: ResultVersion) -> int | None:
    """Return the side whose captain wrote the version: its first signature."""
    return version.signatures.order_by("pk").values_list("side", flat=True).first()
