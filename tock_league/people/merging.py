"""Merging two players who are one person, and separating them again (decision 0060). For administrators.

Nothing is rewritten. The log of ratings notes the merge and is read with the player who stays, so that a separation gives
the states back bit for bit; results keep the names that were played under.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from django.db.models import Max
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from ratings.core.recompute import Entry
from ratings.models import RatedResult
from ratings.selectors.log import entry_of
from ratings.selectors.merge_previews import LadderChange, change
from ratings.services import log_merge, log_separation
from tock_league.accounts.models import Merge, Player, User
from tock_league.accounts.permissions import SITE, Person, label, require
from tock_league.clubs.services import merging as clubs
from tock_league.common import clock
from tock_league.common.errors import Conflict, Refused
from tock_league.common.transactions import rolled_back, writing
from tock_league.journal.services import OPEN, record
from tock_league.notices.services import tell

from .meetings import Meetings, meetings
from .merge_rules import must_end, require_mergeable

LONGEST = 500  # letters of a reason
LOGIN = "login"  # of `Merge.moved`: the key of a login that a code joined to `kept` (people.joining)


@dataclass(frozen=True)
class MergePreview:
    """What a merge or a separation would do. It is run and rolled back, so it is what will happen."""

    former: Player
    kept: Player
    met: Meetings
    clubs: Sequence[str]  # the clubs that `kept` joins, or that are given back
    teams: Sequence[str]
    ladders: Sequence[LadderChange]


def preview(*, by: Person, former: Player, kept: Player) -> MergePreview:
    """Return what `merge` would do. Raises what `merge` raises, except for the reason and for meetings."""
    require(by, "player.merge", needed="administrator")
    met = meetings(former, kept)
    with rolled_back(), clock.held():
        after = _last_row()
        made = _merge(by, former, kept)
        (joined, teams), added = clubs.names_of(made.moved), _added(after)
    return MergePreview(former, kept, met, joined, teams, _changes(added, former, kept))


def preview_separation(*, by: Person, merge: Merge) -> MergePreview:
    """Return what `separate` would do. Raises Conflict `separated` when it is done."""
    require(by, "player.merge", needed="administrator")
    joined, teams = clubs.names_of(merge.moved)
    with rolled_back(), clock.held():
        after = _last_row()
        made = _separate(by, merge)
        added = _added(after)
    former, kept = made.former, made.kept
    return MergePreview(former, kept, Meetings(), joined, teams, _changes(added, former, kept))


def merge(*, by: Person, former: Player, kept: Player, reason: str, despite_meetings: bool = False) -> Merge:
    """Note that `former` and `kept` are one person, who goes on as `kept`.

    `despite_meetings`: that games in which both sat are omitted from the ratings is known. Raises Refused: `reason` without
    one, `met` on `despite_meetings`, and what merge_rules.require_mergeable refuses.
    """
    with writing():
        require(by, "player.merge", needed="administrator")
        reason = _reason(reason)
        list(Player.objects.select_for_update().filter(pk__in=[former.pk, kept.pk]).order_by("pk"))
        met = meetings(former, kept)
        if met and not despite_meetings:
            raise Refused(
                "met",
                _("The two have met: tick that those games count no more, or do not merge them."),
                field="despite_meetings",
                games=list(met.games),
                matches=list(met.matches),
            )
        made = _merge(by, former, kept)
        _tell("players_merged", made)
        body = {"player": label(former), "kept": label(kept), "meetings": len(met)}
        record(OPEN, "player.merged", actor=label(by), body=body, private={"reason": reason})
        return made


def merge_as_site(*, former: Player, kept: Player, login: int) -> Merge:
    """Note that the owner of a login, by its key, has shown to be `kept`, and give up the player that it had before.

    For people.joining, inside its transaction: nobody judges there, because `former` has no games. A separation gives the
    login back to `former`. Raises what merge_rules refuses.
    """
    made = _merge(SITE, former, kept)
    made.moved = {**made.moved, LOGIN: [login]}
    made.save(update_fields=["moved"])
    record(OPEN, "player.merged", actor=label(SITE), body={"player": label(former), "kept": label(kept), "meetings": 0})
    return made


def separate(*, by: Person, merge: Merge, reason: str) -> Merge:
    """Note that a merge was wrong: ratings, clubs and teams return. Raises Conflict `separated` when it is done."""
    with writing():
        require(by, "player.merge", needed="administrator")
        reason = _reason(reason)
        made = _separate(by, merge)
        _tell("players_separated", made)
        body = {"player": label(made.former), "kept": label(made.kept)}
        record(OPEN, "player.separated", actor=label(by), body=body, private={"reason": reason})
        return made


def _merge(by: Person, former: Player, kept: Player) -> Merge:
    require_mergeable(former, kept)
    must_end(former)
    moved = clubs.take_over(by=by, former=former, kept=kept)
    log_merge(former=former.pk, kept=kept.pk)
    who = by if isinstance(by, Player) else None
    return Merge.objects.create(former=former, kept=kept, at=clock.now(), by=who, moved=moved)


def _separate(by: Person, merge: Merge) -> Merge:
    made = Merge.objects.select_for_update(of=("self",)).select_related("former", "kept").get(pk=merge.pk)
    if made.separated_at is not None:
        raise Conflict("separated", _("These two players are separate already."))
    made.separated_at, made.separated_by = clock.now(), by if isinstance(by, Player) else None
    made.save(update_fields=["separated_at", "separated_by"])
    log_separation(former=made.former_id)
    clubs.give_back(by=by, moved=made.moved)
    # A login that a code had joined goes back, unless the person has been erased since.
    for login in User.objects.filter(pk__in=made.moved.get(LOGIN, ()), player=made.kept_id):
        Player.objects.filter(pk=made.kept_id).update(user=None)
        Player.objects.filter(pk=made.former_id, user=None).update(user=login)
    return made


def _reason(text: str) -> str:
    text = " ".join(text.split())
    if not text:
        raise Refused("reason", _("Say why. The reason is kept apart from the public journal."), field="reason")
    if len(text) > LONGEST:
        raise Refused("reason", _("A reason has at most %(most)d letters.") % {"most": LONGEST}, field="reason")
    return text


def _tell(kind: str, made: Merge) -> None:
    """Notify the person, where one of the two has a login."""
    tell(
        [made.kept_id, made.former_id],
        kind,
        f"{made.pk}",
        address=reverse("pages:player", args=[made.kept.slug]),
        former=made.former.slug,
        kept=made.kept.slug,
    )


def _last_row() -> int:
    return RatedResult.objects.aggregate(last=Max("pk"))["last"] or 0


def _added(after: int) -> dict[str, list[Entry]]:
    """Return the rows that the logs of ladders got after the row `after`, by ladder."""
    added: dict[str, list[Entry]] = {}
    for row in RatedResult.objects.filter(pk__gt=after).select_related("ladder").order_by("ladder__key", "pk"):
        added.setdefault(row.ladder.key, []).append(entry_of(row))
    return added


def _changes(added: Mapping[str, Sequence[Entry]], former: Player, kept: Player) -> list[LadderChange]:
    """Return what the added rows change. After the rollback: a replay of a long log must hold nobody up."""
    return [change(key, entries, former.pk, kept.pk) for key, entries in added.items()]
