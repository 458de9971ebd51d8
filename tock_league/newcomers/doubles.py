"""Who of a list is known: members, names of earlier lists of the place, and players elsewhere with a like name."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from tock_league.accounts.merged import formers, kept_of
from tock_league.accounts.minors import children
from tock_league.accounts.models import Merge, Player
from tock_league.clubs.models import Club, Membership
from tock_league.clubs.selectors import with_homes
from tock_league.common.names import plain_look_of, skeleton
from tock_league.competitions.models import Competition, Match

from .lines import Line
from .models import ListedName

OTHER = "other"  # the choice "this is somebody else"
Place = Club | Competition
MOST_CANDIDATES = 5  # that a line shows


@dataclass(frozen=True)
class Candidate:
    """A player who may be meant: with the home club, "" for none, and the last decided match."""

    player: Player
    club: str
    event: str
    last: datetime | None


@dataclass(frozen=True)
class Matched:
    """A line, and whom it means. `state`: new, here (nothing changes), joins (known, and not here now), double.

    `candidates`: players with a like name; `choice`: what was chosen among them, "" before that.
    """

    line: Line
    state: str
    player: Player | None = None
    candidates: Sequence[Candidate] = ()
    choice: str = ""

    @property
    def is_undecided(self) -> bool:
        return self.state == "double" and not self.choice


def matched(place: Place, lines: Sequence[Line], choices: Mapping[int, str]) -> list[Matched]:
    """Return the lines in order, each with whom it means. At most eight queries, and two for each merged player.

    `choices`: by the number of a line the public id of a candidate, or OTHER; others are not heeded.
    """
    known = _listed(place, {line.look for line in lines})
    members = _members(place)
    by_name = {skeleton(player.display_name): player for player in members.values()}
    asked = [line for line in lines if line.look not in known and skeleton(line.name) not in by_name]
    candidates = _candidates(asked)
    found = []
    for line in lines:
        player = known.get(line.look) or by_name.get(skeleton(line.name))
        near = candidates.get(line.number, ())
        if player is not None:
            is_here = isinstance(place, Competition) or player.pk in members
            found.append(Matched(line, "here" if is_here else "joins", player))
        elif near:
            choice = choices.get(line.number, "")
            chosen = next((one.player for one in near if one.player.slug == choice), None)
            choice = choice if chosen is not None or choice == OTHER else ""
            found.append(Matched(line, "double", chosen, near, choice))
        else:
            found.append(Matched(line, "new"))
    return found


def _listed(place: Place, looks: Collection[str]) -> dict[str, Player]:
    """Return the players whom lists of the place have named so, by the look of the name; the newest list counts."""
    where = {"made_by__club": place} if isinstance(place, Club) else {"made_by__competition": place}
    rows = ListedName.objects.filter(look__in=looks, made_by__undone_at__isnull=True, **where)
    known = {row.look: row.player for row in rows.select_related("player").order_by("made_by__at", "pk")}
    given_up = Merge.objects.filter(former__in=[one.pk for one in known.values()], separated_at__isnull=True)
    gone = set(given_up.values_list("former", flat=True))
    return {look: (kept_of(one) or one) if one.pk in gone else one for look, one in known.items()}


def _members(place: Place) -> dict[int, Player]:
    if not isinstance(place, Club):
        return {}
    ties = Membership.objects.filter(club=place, until__isnull=True).select_related("player")
    return {tie.player_id: tie.player for tie in ties}


def _candidates(lines: Iterable[Line]) -> dict[int, list[Candidate]]:
    """Return by the number of the line the people whose name is like it: without accents, or the family name first."""
    looks: dict[str, set[int]] = {}
    for line in lines:
        for name in _written_otherwise(line.name):
            looks.setdefault(plain_look_of(name), set()).add(line.number)
    people = Player.objects.filter(look__in=looks, bot="").exclude(pk__in=formers()).exclude(pk__in=children())
    players = list(with_homes(people.order_by("pk")))
    last = _last_matches([player.pk for player in players])
    found: dict[int, list[Candidate]] = {}
    for player in players:
        club = next((tie.club.name for tie in player.home_ties), "")  # type: ignore[attr-defined]
        event, at = last.get(player.pk, ("", None))
        for number in looks[player.look]:
            if len(found.setdefault(number, [])) < MOST_CANDIDATES:
                found[number].append(Candidate(player, club, event, at))
    return found


def _written_otherwise(name: str) -> set[str]:
    """Return the name, and the name with its last word first and with its first word last."""
    words = name.replace(",", " ").split()
    return {name, " ".join([words[-1], *words[:-1]]), " ".join([*words[1:], words[0]])} if words else {name}


def _last_matches(players: Collection[int]) -> dict[int, tuple[str, datetime]]:
    """Return by player the name of the event and the time of the last decided match in public events. One query."""
    rows = (
        Match.objects.filter(
            side_rows__entry__roster__player__in=players,
            decided_at__isnull=False,
            competition__is_rehearsal=False,
        )
        .order_by("decided_at")
        .values_list("side_rows__entry__roster__player", "competition__name", "decided_at")
    )
    return {player: (event, at) for player, event, at in rows if at is not None}
