"""Disputes after the game: a player disputes a play, the other side answers, both may add statements."""

from collections.abc import Sequence
from datetime import timedelta

from django.utils.translation import gettext_lazy as _

from games.models import Game
from games.services import referee as tables
from tock_league.accounts.models import Player
from tock_league.accounts.permissions import Person, require
from tock_league.common import clock
from tock_league.common.errors import Conflict, NotAllowed, Refused
from tock_league.common.numbers import is_whole
from tock_league.common.transactions import writing
from tock_league.competitions.models import Competition, Match
from tock_league.competitions.services.results import settlement
from tock_league.competitions.services.shared.locking import lock_match
from tock_league.journal.models import PrivateText

from ...core import cases
from ...models import Case, CaseEvent, Deadline
from ...models.case import TEXT_LENGTH
from ...permissions import position_of
from ...selectors.cases.kinds import kinds_of
from ...selectors.cases.same_act import complaints
from . import deadlines, events, telling
from .calls import open_case
from .texts import clean

A_DAY = 3
INTEGRITY = frozenset({Case.Kind.CONDUCT, Case.Kind.DEAL})
CLOSED = (Competition.State.ARCHIVED, Competition.State.CANCELLED)


def file(*, by: Person, game: Game, seq: int, kind: str, text: str) -> Case:
    """File a dispute of a finished game at its row `seq`, by a player of it.

    A second complaint of a side about the same act, under whatever kind, is added to the open case, which is returned.
    Raises NotAllowed for strangers; Refused: `no_competition`, `game_running`, `seq`, `kind`, `text_missing`, `text_long`,
    `control_characters`, `markup`, `deadline_over`, `cases_a_day`, `competition_over`, `too_many` texts in the open case;
    Conflict `act_decided` with the number of the case that has decided it, `case_open` with the number of the dispute of
    this match that is being decided.
    """
    words = clean(text, field="text", most=TEXT_LENGTH)
    if game.state == Game.State.OVER:
        settlement.settle(game_id=game.pk)  # write the disputed result before the dispute
    with writing():
        known = Match.objects.filter(table=game.table_id).first()
        match = lock_match(known.pk) if known is not None else None
        if match is None:
            raise Refused("no_competition", _("Only games of a competition can be disputed."), field="game")
        game = Game.objects.select_related("table").get(pk=game.pk)
        stranger = _("Only the players of this game may dispute it.")
        require(by, "case.file", game, needed="player", sentence=stranger)
        side = side_of(by, match)
        if side is None or not isinstance(by, Player):
            raise NotAllowed(stranger, needed="player")
        _may_file(by, match, game, seq, kind)
        same = complaints(match=match, game=game, seq=seq, kind=kind, side=side)
        not_decided(same)
        for known_case in same:
            if known_case.state in cases.PENDING:
                return merge(known_case, side, by, kind, words)
        one_at_a_time(match)
        case = open_case(
            match=match, game=game, seq=seq, kind=kind, origin=Case.Origin.DISPUTE, by=by, side=side, text=words
        )
        start_deadlines(case)
        return case


def start_deadlines(case: Case) -> None:
    """Start the other side's time to answer a dispute, and the time for its ruling."""
    times, now = deadlines.deadlines_of(case.competition), clock.now()
    answer_until = now + timedelta(seconds=times.answer)
    deadlines.start(case, Deadline.Kind.ANSWER, answer_until)
    # At a live event the minutes for a ruling are counted from the end of the other side's time to answer.
    unheard = times.answer if times.ruling <= times.answer else 0
    deadlines.start(case, Deadline.Kind.RULING, now + timedelta(seconds=unheard + times.ruling))
    telling.opened(case, case.opened_by, answer_until=answer_until)


def side_of(by: Person, match: Match) -> int | None:
    """Return the side of `match` to which `by` belongs now, or None."""
    return position_of(by, Case(match=match, filed_at=clock.now())) if isinstance(by, Player) else None


def _may_file(by: Player, match: Match, game: Game, seq: int, kind: str) -> None:
    if match.competition.state in CLOSED:
        raise Refused("competition_over", _("This competition is closed; its results stand."))
    if game.state != Game.State.OVER:
        raise Refused("game_running", _("The game is still being played: call the referee at the table."))
    if not is_whole(seq) or not 1 <= seq <= game.last_seq:
        raise Refused("seq", _("Choose a play of the game, from 1 to %(last)s.") % {"last": game.last_seq}, field="seq")
    if kind not in dict(kinds_of(game.rules)):
        raise Refused("kind", _("Choose what the dispute is about."), field="kind")
    if clock.now() > deadlines.filing_ends(match):
        raise Refused("deadline_over", _("The time to dispute this game is over."), field="seq")
    few_today(by)


def few_today(by: Player) -> None:
    """Raise Refused `cases_a_day` for somebody who has filed A_DAY disputes in the last 24 hours."""
    since = clock.now() - timedelta(days=1)
    mine = Case.objects.filter(opened_by=by, origin=Case.Origin.DISPUTE, filed_at__gt=since).count()
    if mine >= A_DAY:
        raise Refused("cases_a_day", _("At most %(most)s disputes a day.") % {"most": A_DAY}, status=429)


def not_decided(same: Sequence[Case]) -> None:
    """Raise Conflict `act_decided` if one of the cases about the same act has been ruled."""
    decided = next((case for case in same if case.state in cases.RULED), None)
    if decided is not None:
        raise Conflict(
            "act_decided",
            _("This was decided in %(number)s: the way is an appeal.") % {"number": decided.number},
            number=decided.number,
        )


def one_at_a_time(match: Match) -> None:
    """Raise Conflict `case_open` while a dispute of the match is being decided."""
    other = Case.objects.filter(match=match, origin=Case.Origin.DISPUTE, state__in=cases.PENDING).first()
    if other is not None:
        raise Conflict(
            "case_open",
            _("A dispute of this match is open: %(number)s. Add your words there.") % {"number": other.number},
            number=other.number,
        )


def merge(case: Case, side: int, by: Player, kind: str, words: str, *, asks: str = "") -> Case:
    """Add a second complaint about the same act to the open case; the kind that it names is answered too.

    Idempotent: the same words of the same person are added once. `asks`: as in Case.Asks, or "".
    """
    case = events.lock(case)
    own = PrivateText.objects.filter(entry__case_event__case=case, entry__case_event__actor=by, field="text")
    if own.filter(text=words).exists():
        return case
    said = case.events.filter(type="stated").values_list("body", flat=True)
    if sum(body.get("side") == side for body in said) >= cases.TEXTS:
        raise Refused("too_many", _("Each side adds at most %(most)s texts.") % {"most": cases.TEXTS}, field="text")
    hidden = {"about": str(kind)} | ({"asks": asks} if asks else {})
    events.append(case, "stated", by=by, role="party", body={"side": side}, private={"text": words}, hidden=hidden)
    return case


def answer(*, by: Person, case: Case, text: str) -> CaseEvent:
    """Write a side's only answer: of the other side to a dispute, of each side to a re-examination.

    The case is heard with the last of them. Raises NotAllowed; Conflict `not_open`, `answered`; Refused on `text`.
    """
    words = clean(text, field="text", most=TEXT_LENGTH)
    with writing():
        case = events.lock(case)
        require(by, "case.answer", case, needed="player", sentence=_("The other side answers this dispute."))
        side = _own_side(by, case)
        if side == case.side:
            raise NotAllowed(_("The other side answers this dispute."), needed="player")
        events.expect(case, "answered")
        if case.heard or side in sides_heard(case):
            raise Conflict("answered", _("This dispute has been answered already."), number=case.number)
        return _speak(case, side, by, words)


def add(*, by: Person, case: Case, text: str) -> CaseEvent:
    """Add a statement of either side before the ruling, at most TEXTS a side.

    What a person has just added is not added again: a double click gets the first event.
    Raises NotAllowed; Conflict `not_open`; Refused `too_many` and those of `text`.
    """
    words = clean(text, field="text", most=TEXT_LENGTH)
    with writing():
        case = events.lock(case)
        require(by, "case.state", case, needed="player", sentence=_("Only the two sides speak here."))
        side = _own_side(by, case)
        events.expect(case, "stated")
        again = case.origin == Case.Origin.REVIEW
        if (same := _just_said(case, by, words)) is not None:
            return same
        types, most = ["stated", "answered"] if again else ["stated"], cases.TEXTS + again
        said = case.events.filter(type__in=types).values_list("body", flat=True)
        if sum(body.get("side") == side for body in said) >= most:
            raise Refused("too_many", _("Each side adds at most %(most)s texts.") % {"most": most}, field="text")
        return _speak(case, side, by, words, answers=case.origin == Case.Origin.REVIEW)


def _just_said(case: Case, by: Person, words: str) -> CaseEvent | None:
    """Return the last statement of this person in the case, if it has the same words."""
    actor = by if isinstance(by, Player) else None
    said = case.events.filter(actor=actor, type__in=["stated", "answered"]).order_by("seq").last()
    same = said is not None and PrivateText.objects.filter(entry=said.entry_id, field="text", text=words).exists()
    return said if same else None


def sides_heard(case: Case) -> frozenset[int]:
    """Return the sides that have answered; in a re-examination, where both answer, those that have said anything."""
    types = ["answered", "stated"] if case.origin == Case.Origin.REVIEW else ["answered"]
    said = case.events.filter(type__in=types).values_list("body", flat=True)
    return frozenset(body["side"] for body in said)


def _speak(case: Case, side: int, by: Person, words: str, *, answers: bool = True) -> CaseEvent:
    """Write what a side says: an `answered` event if it `answers`, in a re-examination with the last side only."""
    last = answers and not case.heard
    if case.origin == Case.Origin.REVIEW:
        last = last and sides_heard(case) | {side} == set(range(case.match.sides))
    if last:
        deadlines.stop(case, [Deadline.Kind.ANSWER])
    return events.append(
        case, "answered" if last else "stated", by=by, role="party", body={"side": side}, private={"text": words}
    )


def _own_side(by: Person, case: Case) -> int:
    side = position_of(by, case) if isinstance(by, Player) else None
    if side is None:
        raise NotAllowed(_("Only the two sides speak here."), needed="player")
    return side


def withdraw_case(*, by: Person, case: Case) -> Case:
    """Withdraw a case without a ruling; allowed for its opener only. A waiting table plays on.

    Raises NotAllowed; Conflict `not_open`; Refused `integrity`: cases about conduct or the deal cannot be withdrawn.
    """
    with writing():
        case = events.lock(case, table=True)
        owner = _("Only the player who opened this case may take it back.")
        require(by, "case.withdraw", case, needed="player", sentence=owner)
        if not isinstance(by, Player) or by.pk != case.opened_by_id:
            raise NotAllowed(owner, needed="player")
        events.expect(case, "withdrawn")
        if case.kind in INTEGRITY:
            raise Refused("integrity", _("A case about conduct or the deal is decided once it is raised."))
        release_table(case, "withdrawn")
        deadlines.stop(case)
        case.leases.filter(ended_at__isnull=True).update(ended_at=clock.now())
        events.append(case, "withdrawn", by=by, role="party")
        return case


def release_table(case: Case, why: str) -> None:
    """Let a table that waits for this case play on. The caller has locked the game's row."""
    if case.live and case.game_id is not None:
        tables.resume(game_id=case.game_id, ref=f"{case.number}/{why}")
