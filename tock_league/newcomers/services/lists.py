"""Saves a list of names for a club or an event: whole, or not at all.

A list for a club makes members, and teams of the club. A list for an event makes visitors' teams, of no club, and enters
them as the desk does; after the start it only makes them, and the desk enters each as a late one. A name that the place
knows already means the player whom it meant before, so the same list again changes nothing.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from django.utils.translation import gettext_lazy as _

from tock_league.accounts.merged import require_separate
from tock_league.accounts.minors import require_consent
from tock_league.accounts.models import Player
from tock_league.accounts.permissions import SITE, Person, label, require
from tock_league.accounts.services import create_players
from tock_league.clubs.models import SIZES, Club, Membership, Team, TeamPlayer
from tock_league.clubs.selectors import with_players
from tock_league.clubs.services import form_team
from tock_league.clubs.services.clubs import enrol, enrol_new
from tock_league.clubs.services.naming import locked_club, no_member_alike
from tock_league.common import clock
from tock_league.common.errors import Refused
from tock_league.common.names import skeleton
from tock_league.common.transactions import writing
from tock_league.competitions.models import Competition, Entry
from tock_league.competitions.models.entry import OUT
from tock_league.competitions.selectors.entries.late import takes_late_teams
from tock_league.competitions.services.entries.registration import register
from tock_league.competitions.services.shared.locking import lock_competition
from tock_league.journal.services import OPEN, record

from ..doubles import OTHER, Matched, Place, matched
from ..lines import Fault, judged, teams_of
from ..models import ListedName, NameList
from ..reading import Row


@dataclass(frozen=True)
class ListedTeam:
    """A team that the list makes, or that it enters where its players are one already."""

    members: Sequence[Matched]
    team: Team | None

    @property
    def name(self) -> str:
        return self.members[0].line.team


@dataclass(frozen=True)
class Preview:
    """What `save` would do with a list; `teams` has only those that change something."""

    lines: Sequence[Matched]
    faults: Sequence[Fault]
    teams: Sequence[ListedTeam]

    def count(self, state: str) -> int:
        return sum(_state(one) == state for one in self.lines)

    @property
    def new(self) -> int:
        """How many players the list makes."""
        return self.count("new")

    @property
    def joining(self) -> int:
        """How many players are known and come in."""
        return self.count("joins")

    @property
    def here(self) -> int:
        """How many are here already."""
        return self.count("here")

    @property
    def undecided(self) -> int:
        """How many lines wait for a choice."""
        return sum(one.is_undecided for one in self.lines)

    @property
    def changes(self) -> bool:
        """Whether `save` would write anything."""
        return bool(self.new or self.joining or self.teams or self.undecided)


def may(person: Person, place: Place) -> None:
    """Raise NotAllowed unless `person` may enter names here: officers and organisers of the club, or of the event."""
    if isinstance(place, Club):
        require(person, "team.form", (place, ()), needed="club_officer")
    else:
        require(person, "competition.organise", place, needed="organiser")


def preview(*, by: Person, place: Place, rows: Sequence[Row], choices: Mapping[int, str] | None = None) -> Preview:
    """Return what `save` would do; nothing is written. Raise Refused for a list whose columns are not understood."""
    may(by, place)
    return _seen(place, rows, choices or {})


def save(
    *, by: Person, place: Place, rows: Sequence[Row], agreed: bool, choices: Mapping[int, str] | None = None
) -> NameList | None:
    """Write the list in one transaction and return it; None when everything is there already.

    `choices`: as `doubles.matched` says. `agreed`: that those on the list know of it, and none is a child. Raise Refused:
    `faults` naming the first line and column, `undecided`, `agreed`; and what the services of members, teams and entries
    refuse.
    """
    with writing():
        place = locked_club(place) if isinstance(place, Club) else lock_competition(place.pk, changes=False)
        may(by, place)
        seen = _seen(place, rows, choices or {})
        if seen.faults:
            first = seen.faults[0]
            text = _("Line %(line)d %(column)s: %(sentence)s")
            values = {"line": first.line, "column": first.column, "sentence": first.sentence}
            raise Refused("faults", text % values, field="text", line=first.line, column=first.column)
        waiting = next((one.line for one in seen.lines if one.is_undecided), None)
        if waiting is not None:
            text = _("Line %(line)d: choose whether %(name)s is one of these players, or somebody else.")
            values = {"line": waiting.number, "name": waiting.name}
            raise Refused("undecided", text % values, field="text", line=waiting.number)
        if not seen.changes:
            return None
        if not agreed:
            text = _("Tick that everybody on the list knows of it, and that nobody is younger than 14.")
            raise Refused("agreed", text, field="agreed")
        return _written(by, place, seen)


def add_one(*, by: Person, club: Club, name: str, agreed: bool, choice: str = "") -> NameList | None:
    """Add one player by name: a list of one line. Raises what `save` raises."""
    return save(by=by, place=club, rows=one_row(name), agreed=agreed, choices={2: choice})


def one_row(name: str) -> Sequence[Row]:
    """Return the rows of a list with this name alone."""
    return ((1, ("name",)), (2, (name,)))


def _seen(place: Place, rows: Sequence[Row], choices: Mapping[int, str]) -> Preview:
    lines, faults = judged(rows)
    sizes = (place.side_size,) if isinstance(place, Competition) else SIZES
    mates, wrong = teams_of(lines, sizes)
    faults = [*faults, *wrong]
    if isinstance(place, Competition):
        alone = _("each visitor of an event has a team.")
        faults += [Fault(line.number, "", alone) for line in lines if not line.team]
    people = {one.line.number: one for one in matched(place, lines, choices)}
    known = _known_teams(place, [one.player.pk for one in people.values() if one.player is not None])
    entered = _entered(place)
    new = []
    for name, own in mates.items():
        members = [people[line.number] for line in own]
        team = next((one for one in known.get(name, ()) if _is_of(one, members)), None)
        if team is not None and (isinstance(place, Club) or team.pk in entered):
            continue
        if team is None and isinstance(place, Club) and name in known:
            text = _("the club has a team “%(team)s” of other players.") % {"team": members[0].line.team}
            faults.append(Fault(own[0].number, "", text))
        new.append(ListedTeam(members, team))
    faults.sort(key=lambda fault: (fault.line, fault.column))
    return Preview([people[line.number] for line in lines], faults, new)


def _known_teams(place: Place, players: Sequence[int]) -> dict[str, list[Team]]:
    """Return by the skeleton of the name the teams of the club; for an event those of no club, of these players. Two queries."""
    teams = Team.objects.filter(drawn=False, dissolved_at__isnull=True)
    if isinstance(place, Club):
        teams = teams.filter(club=place)
    else:
        spells = TeamPlayer.objects.filter(player__in=players, left__isnull=True)
        teams = teams.filter(club__isnull=True, pk__in=spells.values("team"))
    found: dict[str, list[Team]] = {}
    for team in with_players(teams):
        found.setdefault(skeleton(team.name), []).append(team)
    return found


def _entered(place: Place) -> set[int]:
    """Return the teams that are entered in an event. One query."""
    if isinstance(place, Club):
        return set()
    entries = Entry.objects.filter(competition=place, team__isnull=False).exclude(state__in=OUT)
    return set(entries.values_list("team_id", flat=True))


def _is_of(team: Team, members: Sequence[Matched]) -> bool:
    """Return whether these people, and nobody else, are in the team now."""
    keys = {one.player.pk for one in members if one.player is not None}
    return len(keys) == len(members) and keys == {spell.player_id for spell in team.now}  # type: ignore[attr-defined]


def _state(one: Matched) -> str:
    """Return what becomes of the line once its choice is known."""
    if one.state != "double":
        return one.state
    return "new" if one.choice == OTHER else "joins" if one.choice else "undecided"


def _written(by: Person, place: Place, seen: Preview) -> NameList:
    where = {"club": place} if isinstance(place, Club) else {"competition": place}
    who = by if isinstance(by, Player) else None
    made = NameList.objects.create(**where, by=who, at=clock.now())
    rows = {
        one.line.number: ListedName(made_by=made, line=one.line.number, look=one.line.look, player=one.player)
        for one in seen.lines
    }
    new = [one.line for one in seen.lines if one.player is None]
    for line, player in zip(new, create_players([line.name for line in new]), strict=True):
        rows[line.number].player, rows[line.number].made_player = player, True
    if isinstance(place, Club):
        _enrolled(by, place, seen, rows)
    for team in seen.teams:
        _teamed(by, place, team, [rows[one.line.number] for one in team.members])
    ListedName.objects.bulk_create(rows.values(), batch_size=200)
    body = {
        "list": made.slug,
        "club" if isinstance(place, Club) else "competition": place.slug,
        "made": len(new),
        "joined": sum(row.made_tie is not None for row in rows.values()),
        "teams": len(seen.teams),
    }
    record(OPEN, "names.listed", actor=label(by), body=body)
    return made


def _enrolled(by: Person, club: Club, seen: Preview, rows: Mapping[int, ListedName]) -> None:
    """Make everybody a member who is none: new players at home here, others too, or as guests. The club's row is locked."""
    new = [row for row in rows.values() if row.made_player]
    for row, tie in zip(new, enrol_new(club, [row.player for row in new], by=by), strict=True):
        row.made_tie = tie
    for one in seen.lines:
        player = one.player
        if player is None or one.state == "here":
            continue
        if Membership.objects.filter(club=club, player=player, until__isnull=True).exists():
            continue  # chosen for a name that is written otherwise
        require_consent(player.pk, field="text")
        require_separate(player.pk, field="text")
        no_member_alike(club, player, player.display_name, field="text")
        home = not Membership.objects.filter(player=player, home=True, until__isnull=True).exists()
        rows[one.line.number].made_tie = enrol(club, player, home=home, by=by)


def _teamed(by: Person, place: Place, listed: ListedTeam, rows: Sequence[ListedName]) -> None:
    """Form the team of these lines unless it is there, and enter it in the event.

    After the start it is only formed: its late entry has a preview of its own.
    """
    team = listed.team
    if team is None:
        club = place if isinstance(place, Club) else None
        # As the site: the rights are checked, and a whole list is one deed and not a hundred of the day.
        team = form_team(by=SITE, name=listed.name, players=[row.player for row in rows], club=club)
    for row in rows:
        row.team, row.made_team = team, listed.team is None
    if isinstance(place, Competition) and not takes_late_teams(place):
        register(by=by, competition=place, team=team)
