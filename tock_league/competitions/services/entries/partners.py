"""The partner desk: write a line, answer it, and become a team. An accepted answer makes the team that registers.

Everybody who may enter the event, or is a member of the club, may write one line there and answer others. Children do
neither: who looks after their club finds them a partner (decision 0045).
"""

from datetime import timedelta

from django.utils.translation import gettext_lazy as _

from tock_league.accounts.blocks import APART, are_apart
from tock_league.accounts.minors import is_child
from tock_league.accounts.models import Player
from tock_league.accounts.permissions import Person, player_who_asks, require
from tock_league.clubs.models import Club
from tock_league.common import clock
from tock_league.common.errors import Conflict, NotAllowed, NotThere, Refused
from tock_league.common.limits import spend_of_day
from tock_league.common.transactions import writing
from tock_league.common.validation import checked

from ...models import Competition, PartnerAnswer, PartnerSearch, RosterSpot
from ...permissions import seeks_here
from ...selectors.entries.partners import Place, has_desk, open_now, place_of, where
from .eligibility import take_part
from .partner_teams import team_with

LIFE = timedelta(days=30)  # of a line in a club
LIFE_IN_EVENT = timedelta(days=120)  # of one in an event; it closes with the entries
OPEN_MOST = 5  # lines that one person has open
ANSWERS_MOST = 20  # answers of one person that wait
SEARCHES_PER_DAY = 10
ANSWERS_PER_DAY = 40
TOO_MANY = _("You have done this often today. Come back tomorrow.")


def seek(*, by: Person, place: Place, text: str) -> PartnerSearch:
    """Return a new line of the person asking on the desk of a club or event.

    Raises Refused on `text` (empty, long, tags, control characters), `second_search`, `searches_most`, `plays_already`,
    `child_desk`, `suspended`; Conflict `desk_closed` once entries are closed or the event has begun.
    """
    with writing():
        person = _may_use(by, place)
        Player.objects.select_for_update().get(pk=person.pk)  # the limits hold for concurrent requests
        own = open_now().filter(player=person)
        if own.filter(**where(place)).exists():
            raise Refused("second_search", _("Your line is there already. Take it back to write another one."))
        if own.count() >= OPEN_MOST:
            raise Refused(
                "searches_most",
                _("You look for partners in %(most)d places, which is the most. Take a line back first.")
                % {"most": OPEN_MOST},
            )
        now = clock.now()
        # A line that has closed by itself keeps its state until now.
        stale = PartnerSearch.objects.filter(player=person, state=PartnerSearch.State.OPEN, **where(place))
        stale.update(state=PartnerSearch.State.WITHDRAWN, closed_at=now)
        life = LIFE if isinstance(place, Club) else LIFE_IN_EVENT
        search = PartnerSearch(player=person, text=" ".join(text.split()), since=now, until=now + life, **where(place))
        checked(search)
        spend_of_day(person, "partner-search", count=SEARCHES_PER_DAY, sentence=TOO_MANY)
        search.save()
        return search


def withdraw(*, by: Person, search: PartnerSearch) -> None:
    """Take the own line back, with the answers that wait. Idempotent."""
    with writing():
        search = _locked(search)
        if not isinstance(by, Player) or search.player_id != by.pk:
            raise NotAllowed(needed="player")
        _close(search, PartnerSearch.State.WITHDRAWN, by)


def remove(*, by: Person, search: PartnerSearch) -> None:
    """Remove somebody's line, as one who looks after the club or event. Idempotent."""
    with writing():
        search = _locked(search)
        require(by, "partner.moderate", place_of(search), needed="organiser")
        _close(search, PartnerSearch.State.REMOVED, by)


def answer(*, by: Person, search: PartnerSearch) -> PartnerAnswer:
    """Return the offer of `by` to play with the one who searches, who is asked on the own pages. Idempotent.

    Raises Refused `self_answered`, `answers_most` and what `seek` raises; NotThere for a line that is closed, and between
    people of whom one has blocked the other.
    """
    with writing():
        search = _open(search)
        person = _may_use(by, place_of(search))
        if person.pk == search.player_id:
            raise Refused("self_answered", _("This is your own line."))
        if are_apart(person, search.player):
            raise NotThere
        known = PartnerAnswer.objects.filter(search=search, player=person).first()
        if known is not None:
            return known
        Player.objects.select_for_update().get(pk=person.pk)
        waiting = PartnerAnswer.objects.filter(player=person, state=PartnerAnswer.State.OPEN, search__in=open_now())
        if waiting.count() >= ANSWERS_MOST:
            raise Refused(
                "answers_most",
                _("%(most)d of your answers wait already, which is the most. Take one back first.")
                % {"most": ANSWERS_MOST},
            )
        spend_of_day(person, "partner-answer", count=ANSWERS_PER_DAY, sentence=TOO_MANY)
        return PartnerAnswer.objects.create(search=search, player=person, at=clock.now())


def take_back_answer(*, by: Person, search: PartnerSearch) -> None:
    """Take the own answer back while it waits. Idempotent."""
    with writing():
        by = player_who_asks(by)
        search = _locked(search)
        PartnerAnswer.objects.filter(search=search, player=by, state=PartnerAnswer.State.OPEN).delete()


def reply(*, by: Person, answer: PartnerAnswer, accept: bool) -> PartnerAnswer:
    """Accept or decline an answer to the own line. An accepted one makes the team: `answer.search.team`.

    The line closes when the team is complete, and the other answers are declined. Raises Conflict `answered` for an answer
    that does not wait any more, `answer_gone` for one that was taken back; Refused `apart`, `plays_already` and what makes
    a team impossible.
    """
    with writing():
        search = _open(answer.search)
        if not isinstance(by, Player) or search.player_id != by.pk:
            raise NotAllowed(needed="player")
        row = (
            PartnerAnswer.objects.select_for_update(of=("self",)).select_related("player").filter(pk=answer.pk).first()
        )
        if row is None:
            raise Conflict("answer_gone", _("This answer has been taken back."))
        if row.state != PartnerAnswer.State.OPEN:
            raise Conflict("answered", _("You have answered this already."), state=row.state)
        row.search = search
        if accept:
            if are_apart(by, row.player):
                raise Refused("apart", APART)
            if not seeks_here(row.player, place_of(search)):
                raise Refused(
                    "not_a_member", _("%(player)s is no longer a member here.") % {"player": row.player.display_name}
                )
            for person in (by, row.player):
                _may_use(person, place_of(search))
            search.team = team_with(search, row.player)
            search.save(update_fields=["team"])
        row.state = PartnerAnswer.State.ACCEPTED if accept else PartnerAnswer.State.DECLINED
        row.save(update_fields=["state"])
        if accept and search.team is not None and not search.team.lacks:
            _close(search, PartnerSearch.State.FOUND, by)
        return row


def _may_use(by: Person, place: Place) -> Player:
    """Return the person asking, who may write lines and answer here now."""
    by = player_who_asks(by)
    require(by, "partner.seek", place, needed="member")
    if not seeks_here(by, place):
        raise NotAllowed(needed="member")
    if is_child(by):
        raise Refused(
            "child_desk",
            _("The desk is for people of 14 years and more: ask somebody who looks after your club for a partner."),
        )
    if isinstance(place, Competition):
        if not has_desk(place):
            raise Conflict("desk_closed", _("This event takes no more entries."), state=place.state)
        if RosterSpot.objects.filter(competition=place, player=by, left__isnull=True).exists():
            raise Refused("plays_already", _("%(player)s already plays in this event.") % {"player": by.display_name})
        take_part(place, by, field="text")
    return by


def _locked(search: PartnerSearch) -> PartnerSearch:
    rows = PartnerSearch.objects.select_for_update(of=("self",))
    found = rows.select_related("player", "club", "competition__club", "team").filter(pk=search.pk).first()
    if found is None:
        raise NotThere
    return found


def _open(search: PartnerSearch) -> PartnerSearch:
    """Return the line under lock; NotThere once it is closed."""
    search = _locked(search)
    if not open_now().filter(pk=search.pk).exists():
        raise NotThere(_("This line is closed."))
    return search


def _close(search: PartnerSearch, state: str, by: Person) -> None:
    if search.state != PartnerSearch.State.OPEN:
        return
    search.state, search.closed_at = state, clock.now()
    search.closed_by = by if isinstance(by, Player) else None
    search.save(update_fields=["state", "closed_at", "closed_by"])
    waiting = PartnerAnswer.objects.filter(search=search, state=PartnerAnswer.State.OPEN)
    waiting.update(state=PartnerAnswer.State.DECLINED)
