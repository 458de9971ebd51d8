"""Permission rules of competitions. Administrators pass all of them (accounts.permissions).

The organisers of a competition are the holders of the site role `organiser`, the organisers and officers of its club,
and those named for this competition. Its referees are named one by one; a referee of the whole site may take its cases
(arbitration.permissions) but may not enter results.
"""

from collections.abc import Collection, Iterable

from django.db.models import Q

from games.models import Game, HeldSeat, Seating, Table
from tock_league.accounts.models import Player, Role
from tock_league.accounts.permissions import can, has_role, in_force, offices, rule
from tock_league.clubs.models import Club, ClubRole, Membership, Team
from tock_league.clubs.permissions import holds
from tock_league.clubs.permissions import in_force as in_force_in_clubs

from .core.neutrality import of_some_sides_only
from .models import Competition, CompetitionRole, Entry, Match, RosterSpot, Side, Stage

PRIVATE_STATES = frozenset({Competition.State.DRAFT})
CLUB_OFFICES = ("organiser", "officer")  # of the club that holds the competition
REFEREES = (CompetitionRole.Name.REFEREE, CompetitionRole.Name.HEAD_REFEREE)


@offices
def _of_events(person: Player) -> Iterable[str]:
    return CompetitionRole.objects.filter(player=person, until__isnull=True).values_list("name", flat=True)


def organises(person: Player, club: Club | None) -> bool:
    """Return whether `person` organises for the site or for `club`."""
    return has_role(person, Role.Name.ORGANISER) or holds(person, club, CLUB_OFFICES)


def organises_something(person: Player) -> bool:
    """Return whether `person` organises for the site, for a club or in an event. Three queries at most."""
    return (
        has_role(person, Role.Name.ORGANISER)
        or ClubRole.objects.filter(in_force_in_clubs(), player=person, name__in=CLUB_OFFICES).exists()
        or CompetitionRole.objects.filter(in_force(), player=person, name=CompetitionRole.Name.ORGANISER).exists()
    )


def serves(person: Player, competition: Competition, names: Collection[str]) -> bool:
    """Return whether `person` holds one of the offices `names` in this competition now."""
    return CompetitionRole.objects.filter(in_force(), competition=competition, player=person, name__in=names).exists()


def runs(person: Player, competition: Competition) -> bool:
    """Return whether `person` organises this competition."""
    return organises(person, competition.club) or serves(person, competition, [CompetitionRole.Name.ORGANISER])


def run_by(person: Player, competitions: Collection[Competition]) -> set[int]:
    """Return the keys of the competitions that `person` organises: `runs` for many. Three queries."""
    if has_role(person, Role.Name.ORGANISER):
        return {competition.pk for competition in competitions}
    clubs = ClubRole.objects.filter(in_force_in_clubs(), player=person, name__in=CLUB_OFFICES)
    of_clubs = set(clubs.values_list("club", flat=True))
    held = CompetitionRole.objects.filter(
        in_force(),
        competition__in=[competition.pk for competition in competitions],
        player=person,
        name=CompetitionRole.Name.ORGANISER,
    )
    named = set(held.values_list("competition", flat=True))
    return named | {competition.pk for competition in competitions if competition.club_id in of_clubs}


def referees(person: Player, competition: Competition) -> bool:
    """Return whether `person` is a referee of this competition."""
    return serves(person, competition, REFEREES)


def is_public(competition: Competition) -> bool:
    """Return whether visitors may read it: neither a draft nor a rehearsal."""
    return competition.state not in PRIVATE_STATES and not competition.is_rehearsal


@rule("season.create")
def _create_season(person: Player, club: Club | None) -> bool:
    """Allow the site's organisers, and for the seasons of a club its officers and organisers."""
    return organises(person, club)


@rule("competition.create")
def _create(person: Player, club: Club | None) -> bool:
    return organises(person, club)


@rule("competition.organise")
def _organise(person: Player, competition: Competition) -> bool:
    return runs(person, competition)


@rule("competition.see_private")
def _see_private(person: Player, competition: Competition) -> bool:
    return runs(person, competition) or referees(person, competition)


@rule("competition.referee")
def _referee(person: Player, competition: Competition) -> bool:
    return referees(person, competition)


@rule("competition.desk")
def _work_at_the_desk(person: Player, competition: Competition) -> bool:
    """Allow its organisers and referees: they enter results and check teams in."""
    return runs(person, competition) or referees(person, competition)


@rule("competition.give_role")
def _give_role(person: Player, thing: tuple[Competition, str]) -> bool:
    """Thing: the competition and the office. Its organisers name referees; the club's organisers name organisers."""
    competition, name = thing
    if name == CompetitionRole.Name.ORGANISER:
        return organises(person, competition.club)
    return runs(person, competition)


@rule("partner.seek")
def seeks_here(person: Player, place: Club | Competition) -> bool:
    """Allow members of a club; in an event who may enter it: in a league of a club its members, else everybody.

    The services ask it of administrators too: a line is somebody's own.
    """
    club = place if isinstance(place, Club) else None if place.is_planned else place.club
    if club is None:
        return True
    return Membership.objects.filter(club=club, player=person, until__isnull=True).exists()


@rule("partner.moderate")
def _moderate_partners(person: Player, place: Club | Competition) -> bool:
    """Allow who organises in the club, or the event."""
    return organises(person, place) if isinstance(place, Club) else runs(person, place)


@rule("talk.say")
def _say(person: Player, game: Game) -> bool:
    """Allow those who played."""
    if game.table.kind == Table.Kind.CASUAL:
        return HeldSeat.objects.filter(game=game, player=person).exists()
    return Seating.objects.filter(table=game.table_id, player=person, bot="").exists()


@rule("talk.moderate")
def _moderate_talk(person: Player, game: Game) -> bool:
    """Allow officers and organisers of the club of the event; without one, of the home clubs of those who played."""
    event = Competition.objects.filter(matches__table=game.table_id, club__isnull=False).first()
    if event is not None:
        return holds(person, event.club, CLUB_OFFICES)
    held = HeldSeat.objects.filter(game=game, player__isnull=False).values("player")
    seated = Seating.objects.filter(table=game.table_id, player__isnull=False, bot="").values("player")
    homes = Membership.objects.filter(Q(player__in=held) | Q(player__in=seated), home=True, until__isnull=True)
    return ClubRole.objects.filter(
        in_force_in_clubs(), club__in=homes.values("club"), player=person, name__in=CLUB_OFFICES
    ).exists()


@rule("consent.witness")
def _witness_consent(person: Player, _child: Player) -> bool:
    """Allow the staff of any club, event or the site: a child's code shows that it stands before them."""
    return organises_something(person)


@rule("match.move")
def _move(person: Player, match: Match) -> bool:
    return runs(person, match.competition)


@rule("match.place")
def _place(person: Player, match: Match) -> bool:
    """Allow organisers and referees who do not play in the match."""
    return serves_match(person, match)


@rule("match.award")
def _award(person: Player, match: Match) -> bool:
    return serves_match(person, match)


@rule("entry.make")
def _enter(person: Player, thing: tuple[Competition, Team]) -> bool:
    """Allow the team's captain, an officer of the team's club, or the competition's organiser."""
    competition, team = thing
    return can(person, "team.edit", team) or runs(person, competition)


@rule("entry.late")
def _enter_late(person: Player, competition: Competition) -> bool:
    """Allow the competition's organisers."""
    return runs(person, competition)


@rule("entry.answer")
def _answer(person: Player, entry: Entry) -> bool:
    """Allow the players who are on its roster now."""
    return RosterSpot.objects.filter(entry=entry, player=person, left__isnull=True).exists()


@rule("roster.change")
def _change_roster(person: Player, entry: Entry) -> bool:
    """Allow those who look after the team until the draw, then only the competition's organisers and referees."""
    if runs(person, entry.competition) or referees(person, entry.competition):
        return True
    drawn = Stage.objects.filter(competition=entry.competition_id).exists()
    return not drawn and entry.team is not None and can(person, "team.edit", entry.team)


@rule("entry.check_in")
def _check_in(person: Player, thing: tuple[Entry, Player]) -> bool:
    """Thing: the entry and the player who is here.

    Allow the player; captain and club of the team; organisers, referees.
    """
    entry, player = thing
    if person.pk == player.pk and can(person, "entry.answer", entry):
        return True
    if entry.team is not None and can(person, "team.edit", entry.team):
        return True
    return runs(person, entry.competition) or referees(person, entry.competition)


# --- results ---------------------------------------------------------------------------------------------------------


def captain_side(person: Player, match: Match) -> Side | None:
    """Return the side of `match` whose captain `person` is: the first starter of its roster. One query."""
    return Side.objects.filter(
        match=match,
        entry__roster__player=person,
        entry__roster__role=RosterSpot.Role.STARTER,
        entry__roster__slot=1,
        entry__roster__left__isnull=True,
    ).first()


def plays_in(person: Player, match: Match) -> bool:
    """Return whether `person` is on a roster of `match`, substitutes included. One query."""
    return Side.objects.filter(match=match, entry__roster__player=person, entry__roster__left__isnull=True).exists()


def of_one_club_only(person: Player, match: Match) -> bool:
    """Return whether `person` belongs to a club of some sides and of no other: the team's, or a player's home club.

    Three queries.
    """
    mine = set(Membership.objects.filter(player=person, until__isnull=True).values_list("club", flat=True))
    sides = Side.objects.filter(match=match, entry__isnull=False)
    clubs: dict[int, set[int]] = {
        entry: set() if club is None else {club} for entry, club in sides.values_list("entry", "entry__team__club")
    }
    homes = Membership.objects.filter(home=True, until__isnull=True, player__roster_spots__left__isnull=True)
    for entry, club in homes.filter(player__roster_spots__entry__in=list(clubs)).values_list(
        "player__roster_spots__entry", "club"
    ):
        if entry in clubs:
            clubs[entry].add(club)
    return of_some_sides_only(mine, clubs.values())


def serves_match(person: Player, match: Match) -> bool:
    """Return whether `person` is an organiser or a referee of the competition and does not play in `match`.

    Staff of a club whose team plays may enter and correct results too; the result says so (`of_one_club_only`). Only
    rulings ask for a referee without a tie.
    """
    return (runs(person, match.competition) or referees(person, match.competition)) and not plays_in(person, match)


@rule("match.forfeit")
def _forfeit(person: Player, thing: tuple[Match, int]) -> bool:
    """Thing: the match and the position that gives it up.

    Allow that side's captain, organisers and referees who do not play in the match.
    """
    match, position = thing
    side = captain_side(person, match)
    return (side is not None and side.position == position) or can(person, "match.award", match)


@rule("result.report")
def _report(person: Player, match: Match) -> bool:
    return captain_side(person, match) is not None


@rule("result.certify")
def _certify(person: Player, match: Match) -> bool:
    return serves_match(person, match)


@rule("result.correct")
def _correct(person: Player, match: Match) -> bool:
    return serves_match(person, match)


@rule("entry.withdraw")
def _withdraw(person: Player, entry: Entry) -> bool:
    """Allow its captain, those who look after its team, and the organisers."""
    captain = RosterSpot.objects.filter(
        entry=entry, player=person, role=RosterSpot.Role.STARTER, slot=1, left__isnull=True
    ).exists()
    return (
        captain or (entry.team is not None and can(person, "team.edit", entry.team)) or runs(person, entry.competition)
    )


@rule("entry.bring_back")
def _bring_back(person: Player, entry: Entry) -> bool:
    """Allow organisers and referees who are not on its roster."""
    official = runs(person, entry.competition) or referees(person, entry.competition)
    return official and not can(person, "entry.answer", entry)


@rule("entry.disqualify")
def _disqualify(person: Player, entry: Entry) -> bool:
    """Allow the head referee, or a referee where there is none; never a player of its roster."""
    heads = CompetitionRole.objects.filter(
        in_force(), competition_id=entry.competition_id, name=CompetitionRole.Name.HEAD_REFEREE
    )
    names = [CompetitionRole.Name.HEAD_REFEREE] if heads.exists() else list(REFEREES)
    return serves(person, entry.competition, names) and not can(person, "entry.answer", entry)
