"""Who is told what about a competition: notices to the players whom a fact concerns (tock_league.notices), and public facts
for the programs that listen (`PublicFacts`, tock_league.feed).

Call these in the transaction of the fact. Nobody is told of what they have just done, and nobody of a draft or a rehearsal.
"""

from collections.abc import Collection, Sequence
from datetime import datetime

from django.db.models import QuerySet
from django.urls import reverse

from tock_league.accounts.models import Player
from tock_league.accounts.permissions import Person
from tock_league.common import bus, clock
from tock_league.notices.services import is_silent, tell, tell_withdrawn

from ...announcements import PublicFact, PublicFacts
from ...models import Competition, Correction, Entry, Match, PlaceProposal, ResultVersion, RosterSpot
from ...permissions import is_public

DECIDED = (Match.State.CONFIRMED, Match.State.AWARDED, Match.State.VOID)
REMINDERS = ("match_in_a_day", "match_in_an_hour")
S = Entry.State
PUBLIC_KINDS = {"draw_published": "round.published", "event_cancelled": "event.cancelled"}
TAKING_PART = (S.PENDING, S.ACCEPTED, S.WAITLISTED, S.CHECKED_IN, S.PLAYING)


def fact(kind: str, competition: Competition, *, match: str = "", subject: str = "") -> None:
    """Publish a public fact, see `announcements.PublicFact`; the caller holds the competition's row."""
    facts(competition, [PublicFact(kind, match, subject)])


def facts(competition: Competition, told: Sequence[PublicFact]) -> None:
    """Publish public facts in this order; the caller holds the competition's row."""
    if told and is_public(competition) and not is_silent():
        bus.publish(PublicFacts(competition.pk, tuple(told)))


def result(match: Match, *, before: str, ruling: str, ranked: bool) -> None:
    """Publish what has become of a match's result, as `result_facts` has it."""
    facts(match.competition, result_facts(match, before=before, ruling=ruling, ranked=ranked))


def result_facts(match: Match, *, before: str, ruling: str, ranked: bool) -> list[PublicFact]:
    """Return what has become of a match's result. `before`: the state that the match had; `ruling`: what changed it, or "".

    `ranked`: whether the match counts in a table.
    """
    was, now = before in DECIDED, match.state in DECIDED
    if not was and not now:
        return []
    if now and not was and not ruling:
        found = [PublicFact("result.confirmed", match.slug)]
    elif ruling or before != match.state:
        found = [PublicFact("result.corrected", match.slug, ruling)]
    else:
        return []
    return [*found, PublicFact("standings.changed")] if ranked else found


def event(kind: str, competition: Competition, by: Person, *, once: object = "") -> None:
    """Tell the players of every entry that takes part. `once`: what tells this fact from the next of its kind."""
    if kind in PUBLIC_KINDS:
        fact(PUBLIC_KINDS[kind], competition)
    spots = RosterSpot.objects.filter(entry__competition=competition, entry__state__in=TAKING_PART)
    if is_public(competition):
        tell(
            _players(spots, by),
            kind,
            f"{competition.pk}:{once}",
            address=reverse("competitions:competition", args=[competition.slug]),
            competition=competition.slug,
        )


def entry_taken(entry: Entry, competition: Competition, by: Person, *, kind: str = "entry_accepted") -> None:
    """Tell the entry's players that it has a place; `kind`: entry_accepted or entry_moved_up."""
    fact("entry.accepted", competition, subject=entry.slug)
    if is_public(competition):
        tell(
            _players(RosterSpot.objects.filter(entry=entry), by),
            kind,
            f"{entry.slug}:{clock.ms(entry.queued_at or clock.now())}",
            address=reverse("competitions:entry", args=[entry.slug]),
            entry=entry.slug,
            competition=competition.slug,
        )


def partner_silent(spot: RosterSpot, *, until: datetime) -> int:
    """Tell the others on the roster that this player has not answered, and until when it is time; return how many."""
    entry = spot.entry
    if not is_public(entry.competition):
        return 0
    others = RosterSpot.objects.filter(entry=entry).exclude(pk=spot.pk)
    return tell(
        _players(others, None),
        "partner_silent",
        silent_key(spot, until),
        address=reverse("competitions:entry", args=[entry.slug]),
        useless_at=until,
        entry=entry.slug,
        competition=entry.competition.slug,
        player=spot.player.slug,
        until=until,
    )


def silent_key(spot: RosterSpot, until: datetime) -> str:
    """Return the key of notices that this player has not answered for an entry until then."""
    return f"{spot.entry.slug}:{spot.player.slug}:{clock.ms(until)}"


def match_at(kind: str, match: Match, by: Person = None, *, address: str = "", once: object = "") -> int:
    """Tell the starters of a dated match `match_in_a_day`, `match_in_an_hour`, `table_open` or `match_moved`; return how many.

    `address`: of another page than the match's. No mail is sent after the start.
    """
    if match.starts_at is None or not is_public(match.competition):
        return 0
    return tell(
        _players(_of_match(match).filter(role=RosterSpot.Role.STARTER), by),
        kind,
        key_at(match, match.starts_at) + f"{once}",
        address=address or reverse("competitions:match", args=[match.slug]),
        useless_at=match.starts_at,
        match=match.slug,
        competition=match.competition.slug,
        starts_at=match.starts_at,
    )


def key_at(match: Match, at: datetime) -> str:
    """Return the key of notices about the match at that time."""
    return f"{match.slug}:{clock.ms(at)}"


def moved(match: Match, before: datetime | None, by: Person) -> None:
    """Tell the starters the new date, and take the reminders of the former one back."""
    fact("match.moved", match.competition, match=match.slug)
    if before is not None:
        for kind in REMINDERS:
            tell_withdrawn(kind, key_at(match, before))
    match_at("match_moved", match, by, once=f":{clock.now_ms()}")


def placed(match: Match, by: Person) -> None:
    """Notify the starters that the match is now played on a board, or at a table of the site."""
    if is_public(match.competition):
        tell(
            _players(_of_match(match).filter(role=RosterSpot.Role.STARTER), by),
            "match_on_board" if match.is_on_board else "match_at_table",
            f"{match.slug}:{clock.now_ms()}",
            address=reverse("competitions:match", args=[match.slug]),
            match=match.slug,
            competition=match.competition.slug,
        )


def place_proposed(proposal: PlaceProposal, match: Match) -> None:
    """Ask the other captains whether they agree."""
    captains = _of_match(match).filter(role=RosterSpot.Role.STARTER, slot=1)
    _about_place("place_proposed", captains, proposal, match, proposal.by)


def place_answered(proposal: PlaceProposal, match: Match) -> None:
    """Notify the captain who proposed that the other one has declined."""
    if proposal.state == PlaceProposal.State.DECLINED:
        _about_place("place_declined", RosterSpot.objects.filter(player=proposal.by), proposal, match, None)


def _about_place(kind: str, spots: QuerySet[RosterSpot], proposal: PlaceProposal, match: Match, by: Person) -> None:
    if is_public(match.competition):
        tell(
            _players(spots, by),
            kind,
            f"{match.slug}:{proposal.pk}",
            address=reverse("competitions:match", args=[match.slug]),
            match=match.slug,
            competition=match.competition.slug,
        )


def reported(version: ResultVersion, match: Match, by: Person) -> None:
    """Ask the captains of the other sides to confirm a result that one captain has reported."""
    if not is_public(match.competition) or match.state not in (Match.State.REPORTED, Match.State.CONTESTED):
        return
    signed = version.signatures.filter(side__isnull=False).values("side__entry")
    captains = _of_match(match).filter(role=RosterSpot.Role.STARTER, slot=1).exclude(entry__in=signed)
    tell(
        _players(captains, by),
        "result_to_confirm",
        f"{match.slug}:{version.version}",
        address=reverse("competitions:paper", args=[match.slug]),
        match=match.slug,
    )


def corrected(correction: Correction, matches: Collection[Match], by: Person) -> None:
    """Tell everybody on the rosters of the matches that the desk has corrected their result."""
    for match in matches if is_public(correction.competition) else ():
        tell(
            _players(_of_match(match), by),
            "result_corrected",
            f"{match.slug}:{correction.ref}",
            address=reverse("competitions:match", args=[match.slug]),
            match=match.slug,
            competition=correction.competition.slug,
            reference=correction.ref,
        )


def _of_match(match: Match) -> QuerySet[RosterSpot]:
    return RosterSpot.objects.filter(entry__side_rows__match=match)


def _players(spots: QuerySet[RosterSpot], by: Person) -> list[int]:
    """Return the keys of those who are on these rosters now, without `by`."""
    found = spots.filter(left__isnull=True).values_list("player", flat=True).distinct()
    return [pk for pk in found if not (isinstance(by, Player) and pk == by.pk)]
