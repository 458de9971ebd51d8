"""Disputes of results that people entered: on paper, awarded without play, or corrected by the desk.

One entered result is judged once: a second complaint about it, of whichever side, is added to the open case, and refused
after the ruling.
"""

from django.utils.translation import gettext_lazy as _

from tock_league.accounts.models import Player
from tock_league.accounts.permissions import Person, require
from tock_league.common import clock
from tock_league.common.errors import Conflict, NotAllowed, Refused
from tock_league.common.transactions import writing
from tock_league.competitions.models import Match
from tock_league.competitions.selectors.results.entered import Entered, entered
from tock_league.competitions.services.shared.locking import lock_match

from ...core import cases
from ...models import Case
from ...models.case import TEXT_LENGTH
from ...selectors.cases.result_disputes import KINDS
from ...selectors.cases.same_act import complaints_of_result
from . import deadlines, drafts
from .calls import open_case
from .disputes import CLOSED, few_today, merge, not_decided, one_at_a_time, side_of, start_deadlines
from .texts import clean


def file(*, by: Person, match: Match, kind: str, asks: str, text: str) -> Case:
    """Dispute the result of `match` that people have entered, by a player of it; return the case.

    `kind`: one of KINDS; `asks`: what is asked for, one of Case.Asks. A further complaint about the same result is added to
    the open case, which is returned. Raises NotAllowed for strangers; Refused: `kind`, `asks`, `text_missing`, `text_long`,
    `control_characters`, `markup`, `deadline_over`, `cases_a_day`, `competition_over`, `too_many` texts in the open case;
    Conflict: `not_entered` for a result that no person has entered, `act_decided` and `case_open` with the number of the
    case.
    """
    words = clean(text, field="text", most=TEXT_LENGTH)
    with writing():
        match = lock_match(match.pk)
        stranger = _("Only the players of this match may dispute its result.")
        require(by, "case.dispute_result", match, needed="player", sentence=stranger)
        side = side_of(by, match)
        if side is None or not isinstance(by, Player):
            raise NotAllowed(stranger, needed="player")
        if kind not in KINDS:
            raise Refused("kind", _("Choose what the dispute is about."), field="kind")
        if asks not in Case.Asks.values:
            raise Refused("asks", _("Choose what you ask for."), field="asks")
        stands = _disputable(match)
        same = complaints_of_result(match, stands.ref)
        not_decided(same)
        known = next((case for case in same if case.state in cases.PENDING), None)
        if known is not None:
            case = merge(known, side, by, kind, words, asks=asks)
        else:
            few_today(by)
            one_at_a_time(match)
            case = open_case(
                match=match,
                game=None,
                seq=0,
                kind=kind,
                origin=Case.Origin.DISPUTE,
                by=by,
                side=side,
                text=words,
                entered=stands.ref,
                asks=asks,
            )
            start_deadlines(case)
        drafts.filed(match, by)
        return case


def _disputable(match: Match) -> Entered:
    """Return the result that stands and may be disputed now."""
    if match.competition.state in CLOSED:
        raise Refused("competition_over", _("This competition is closed; its results stand."))
    stands = entered(match)
    if stands is None:
        raise Conflict("not_entered", _("No person has entered the result that stands now."), state=match.state)
    if clock.now() > deadlines.result_filing_ends(match, stands.at):
        raise Refused("deadline_over", _("The time to dispute this result is over."), field="kind")
    return stands
