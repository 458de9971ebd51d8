"""Teams that the desk enters after the start, and takes back until they are paired.

Where a team may join: `selectors.entries.late`; what it does to the rounds: `services.rounds.joining`. The rule for
the points: docs/tournaments.md, "Late entries".
"""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from django.utils.dateparse import parse_datetime
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext

from tock_league.accounts.models import Player
from tock_league.accounts.permissions import Person, require
from tock_league.clubs.models import Team
from tock_league.common import bus, clock
from tock_league.common.errors import Conflict, Refused
from tock_league.common.ids import derived_slug
from tock_league.common.transactions import writing
from tock_league.common.validation import checked

from ...announcements import PlayersEntered
from ...models import CheckIn, Competition, Entry, LateEntry, RosterSpot
from ...selectors.changes.previews import Preview
from ...selectors.entries.late import UNDER_WAY, Opening, late_entry, may_be_taken_back, openings, smallest
from ...selectors.entries.registration import was_drawn
from ..changes.previews import as_seen, preview_of
from ..rounds.joining import put_in, take_out
from ..rounds.progression import push
from ..shared.journal import note
from ..shared.locking import lock_competition, lock_entry
from ..shared.refusals import entry_not_now, not_now
from .eligibility import nobody_twice, starters_of
from .entry_states import next_seed, places_left
from .naming import no_entry_alike

S = Entry.State
OUTSIDE = (S.WITHDRAWN, S.REFUSED, S.DROPPED)  # what an entry that takes no part may be


def enter_late(*, by: Person, competition: Competition, team: Team, digest: str, group: int | None = None) -> Entry:
    """Return the entry of a team that joins after the start, with the last seed; `digest`: of the preview seen.

    All its players count as having said yes. `group`: the ordinal of the group that it joins, by default the smallest.
    Raises NotAllowed; Conflict: `preview_moved`, the state of the competition; Refused on `team`: `late_knockout`,
    `late_over`, `late_rounds`, `full`, `bring_back`, I06, I07, `suspended`, and what `eligibility.starters_of` refuses;
    Refused on `group`: `group`, `late_over`, `late_rounds`.
    """
    return as_seen(competition, digest, lambda: _enter(by, competition, team, group))


def preview(*, by: Person, competition: Competition, team: Team, group: int | None = None) -> Preview:
    """Return what the late entry would change. Raises what `enter_late` raises, except for the digest."""
    return preview_of(competition, lambda: _enter(by, competition, team, group))


def take_back(*, by: Person, entry: Entry, digest: str) -> Competition:
    """Take a late entry back and restore what was before; return the competition. `digest`: of the preview seen.

    A new entry is deleted; the journal keeps it. Raises NotAllowed; Conflict: `preview_moved`, `not_late`, `paired` when
    a round has been opened with the team or another team has joined its group since, `entry_state`, and the state of the
    competition.
    """
    return as_seen(entry.competition, digest, lambda: _take_back(by, entry))


def preview_take_back(*, by: Person, entry: Entry) -> Preview:
    """Return what taking the entry back would change. Raises what `take_back` raises, except for the digest."""
    return preview_of(entry.competition, lambda: _take_back(by, entry))


def _enter(by: Person, competition: Competition, team: Team, group: int | None) -> Entry:
    with writing():
        competition = lock_competition(competition.pk)
        require(by, "entry.late", competition, needed="organiser")
        if not competition.is_planned or competition.state not in UNDER_WAY:
            raise not_now(competition, UNDER_WAY)
        opening = _opening(competition, group)
        entry = Entry.objects.select_for_update(of=("self",)).filter(competition=competition, team=team).first()
        _may_join(competition, team, entry)
        before = None if entry is None else _kept(entry)
        spots = list(RosterSpot.objects.filter(entry=entry, left__isnull=True)) if entry is not None else []
        players = [] if spots else starters_of(competition, team)
        nobody_twice(competition, players)
        no_entry_alike(competition, team)
        ids = tuple(spot.player_id for spot in spots) or tuple(player.pk for player in players)
        bus.publish(PlayersEntered(competition.pk, ids))
        if entry is None:
            # The same name in the preview and in the deed; and whoever enters a team twice gets no other lots.
            entry = Entry(competition=competition, team=team, slug=derived_slug("late", competition.slug, team.slug))
        entry.state, entry.reason, entry.queued_at = S.PLAYING, "", None
        entry.seed = next_seed(competition)
        checked(entry).save()
        now = clock.now()
        _seat(entry, players, now)
        made = LateEntry.objects.create(
            entry=entry,
            group=opening.group,
            missed=opening.missed,
            before={"entry": before, "roster": bool(players)},
            by=by if isinstance(by, Player) else None,
            at=now,
        )
        made.before |= put_in(competition, opening.group, entry)
        made.save(update_fields=["before"])
        note(
            competition,
            "entry.late",
            by,
            entry=entry.slug,
            team=team.slug,
            group=opening.group.ordinal,
            missed=opening.missed,
            players=[player.slug for player in Player.objects.filter(pk__in=ids).order_by("pk")],
        )
        push(competition)
        return entry


def _opening(competition: Competition, group: int | None) -> Opening:
    """Return the group to join. Raises Refused on `team`, or on `group` if one was chosen."""
    found = openings(competition)
    if not found:
        raise Refused(
            "late_knockout", _("The bracket of a knockout is drawn: no team can join it any more."), field="team"
        )
    if group is None:
        chosen, field = smallest(found) or min(found, key=lambda opening: opening.missed), "team"
    else:
        by_ordinal = {opening.group.ordinal: opening for opening in found}
        if group not in by_ordinal:
            raise Refused("group", _("Choose one of the groups."), field="group")
        chosen, field = by_ordinal[group], "group"
    if chosen.obstacle == "late_over":
        raise Refused("late_over", _("No round is left that a late team could play."), field=field)
    if chosen.obstacle and not chosen.most:
        raise Refused("late_rounds", _("In this tournament no team is entered after the start."), field=field)
    if chosen.obstacle:
        sentence = ngettext(
            "%(missed)d round has begun; a late team may miss %(most)d.",
            "%(missed)d rounds have begun; a late team may miss %(most)d.",
            chosen.missed,
        )
        raise Refused("late_rounds", sentence % {"missed": chosen.missed, "most": chosen.most}, field=field)
    return chosen


def _may_join(competition: Competition, team: Team, entry: Entry | None) -> None:
    """Raise Refused on `team` for a team that is in it already, or was, and where no place is free."""
    if entry is not None and entry.state == S.WITHDRAWN and was_drawn(entry):
        raise Refused(
            "bring_back",
            _("%(team)s withdrew after the draw: bring it back on its own page.") % {"team": team.name},
            field="team",
        )
    if entry is not None and (entry.state not in OUTSIDE or was_drawn(entry)):
        raise Refused("I06", _("%(team)s is already entered.") % {"team": team.name}, field="team")
    left = places_left(competition)
    if left is not None and left < 1:
        raise Refused(
            "full", _("Every place is taken: there are %(size)d.") % {"size": competition.size or 0}, field="team"
        )


def _kept(entry: Entry) -> dict[str, Any]:
    """Return the fields of the entry that a late entry changes, as JSON."""
    queued = entry.queued_at.isoformat() if entry.queued_at is not None else None
    return {"state": entry.state, "reason": entry.reason, "seed": entry.seed, "queued_at": queued}


def _seat(entry: Entry, players: Sequence[Player], now: datetime) -> None:
    RosterSpot.objects.bulk_create(
        RosterSpot(competition=entry.competition, entry=entry, player=player, slot=slot, joined=now, confirmed_at=now)
        for slot, player in enumerate(players, start=1)
    )


def _take_back(by: Person, entry: Entry) -> Competition:
    with writing():
        competition, entry = lock_entry(entry)
        require(by, "entry.late", competition, needed="organiser")
        if competition.state not in UNDER_WAY:
            raise not_now(competition, UNDER_WAY)
        late = late_entry(entry)
        if late is None:
            raise Conflict("not_late", _("This team did not come late."))
        if entry.state != S.PLAYING:
            raise entry_not_now(entry, (S.PLAYING,))
        if not may_be_taken_back(late):
            raise Conflict(
                "paired",
                _("The team is paired, or another one has joined its group since. It can withdraw."),
            )
        take_out(late)
        before = late.before
        late.delete()
        note(competition, "entry.late_taken_back", by, entry=entry.slug)
        if before["roster"]:
            RosterSpot.objects.filter(entry=entry, joined__gte=late.at).delete()
        if before["entry"] is None:
            CheckIn.objects.filter(entry=entry).delete()
            entry.delete()
        else:
            was = before["entry"]
            entry.state, entry.reason, entry.seed = was["state"], was["reason"], was["seed"]
            entry.queued_at = parse_datetime(was["queued_at"]) if was["queued_at"] else None
            checked(entry).save()
        push(competition)
        return competition
