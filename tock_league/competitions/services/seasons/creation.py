"""Seasons, leagues and club nights: making the competitions that teams enter."""

import secrets
from datetime import date

from django.utils.text import slugify
from django.utils.translation import gettext_lazy as _

from tock_league.accounts.permissions import Person, Site, require
from tock_league.clubs.models import Club
from tock_league.common.errors import Refused
from tock_league.common.ids import new_slug
from tock_league.common.transactions import writing
from tock_league.common.validation import checked

from ...core.registry import calendar_format
from ...models import Competition, Division, Regulations, Season
from ...models.season import NAME_TAKEN
from ..shared.journal import note
from ..shared.locking import give_version
from .regulations import check_cap

RESERVED_SLUGS = frozenset({"new", "nights", "seasons"})


def create_season(*, by: Person, name: str, starts_on: date, ends_on: date, club: Club | None = None) -> Season:
    """Return a new season, of `club` for its own leagues or of the whole site.

    Raises Refused naming the field: name taken in the club, or on the site; last day before the first.
    """
    with writing():
        require(by, "season.create", club, needed="organiser")
        if ends_on < starts_on:
            raise Refused("season_ends_after_start", _("The last day lies before the first day."), field="ends_on")
        if Season.objects.filter(club=club, name=name.strip()).exists():
            raise Refused("season_name", NAME_TAKEN, field="name")
        season = Season(
            slug=free_slug(Season, name), name=name.strip(), club=club, starts_on=starts_on, ends_on=ends_on
        )
        checked(season).save()
        return season


def create_league(
    *,
    by: Person,
    season: Season,
    name: str,
    size: int,
    regulations: Regulations,
    club: Club | None = None,
    division_name: str = "1",
    tier: int = 1,
    bots_allowed: bool = False,
    lots_seed: str = "",
    on_paper: bool = False,
    by_agreement: bool = False,
) -> Competition:
    """Return a new league, in draft, with one division of `season` for `size` teams.

    `lots_seed`: drawn here unless the site's own commands bring one, so that a demo draws the same everywhere.

    Raises Refused naming the field: a division of that name exists, fewer than two teams, more than 20, a season of
    another club.
    """
    with writing():
        require(by, "competition.create", club, needed="organiser")
        if season.club is not None and season.club != club:
            raise Refused(
                "season_of_club",
                _("%(season)s is a season of %(club)s, for its own leagues.")
                % {"season": season.name, "club": season.club.name},
                field="season",
            )
        in_range(size)
        check_cap(regulations, regulations.best_of, on_paper=on_paper)
        if Division.objects.filter(season=season, tier=tier, name=division_name).exists():
            raise Refused("I03", _("This season already has a division of that name."), field="name")
        division = Division(season=season, tier=tier, name=division_name, size=size)
        checked(division).save()
        seed = seed_of_lots(by, lots_seed)
        place = {"on_paper": on_paper, "by_agreement": by_agreement}
        league = make(Competition.Kind.LEAGUE, name, regulations, club, division, bots_allowed, seed, **place)
        _created(by, league)
        return league


def create_tournament(
    *,
    by: Person,
    name: str,
    regulations: Regulations,
    club: Club | None = None,
    bots_allowed: bool = False,
    lots_seed: str = "",
    on_paper: bool = False,
    by_agreement: bool = False,
) -> Competition:
    """Return a new club night, in draft: sides are drawn, everybody meets everybody (services.seasons.nights).

    A tournament with a plan of its own is made by services.seasons.tournaments.
    """
    with writing():
        require(by, "competition.create", club, needed="organiser")
        check_cap(regulations, regulations.best_of, on_paper=on_paper)
        seed = seed_of_lots(by, lots_seed)
        place = {"on_paper": on_paper, "by_agreement": by_agreement}
        night = make(Competition.Kind.TOURNAMENT, name, regulations, club, None, bots_allowed, seed, **place)
        _created(by, night)
        return night


def in_range(size: int) -> None:
    """Raise Refused naming `size` unless a division may have so many teams."""
    if not 2 <= size <= 20:
        raise Refused("division_size", _("A division has 2 to 20 teams."), field="size")


def seed_of_lots(by: Person, given: str) -> str:
    """Return the seed of a new competition's lots: `given` only from the site, for nobody who plays or organises chooses."""
    return given if given and isinstance(by, Site) else secrets.token_hex(16)


def _created(by: Person, competition: Competition) -> None:
    note(
        competition,
        "competition.created",
        by,
        name=competition.name,
        format=calendar_format().key.split("/")[0],
        regulations=competition.regulations.digest,
        lots_seed=competition.lots_seed,
    )


def make(
    kind: str,
    name: str,
    regulations: Regulations,
    club: Club | None,
    division: Division | None,
    bots_allowed: bool,
    lots_seed: str,
    *,
    on_paper: bool = False,
    by_agreement: bool = False,
) -> Competition:
    """Return a new row of `kind`, in draft, under an address made of its name; rights and journal are the caller's."""
    competition = Competition(
        slug=free_slug(Competition, name),
        kind=kind,
        name=name.strip(),
        club=club,
        division=division,
        regulations=regulations,
        rules=regulations.body["rules"],
        seats=regulations.seats,
        bots_allowed=bots_allowed,
        lots_seed=lots_seed,
        on_paper=on_paper,
        by_agreement=by_agreement,
    )
    checked(competition).save()
    give_version(competition)
    return competition


def free_slug(model: type[Season] | type[Competition], name: str) -> str:
    """Return a readable address made of `name`, with random letters when another row has it."""
    slug = slugify(name)[:48]
    if not slug or slug in RESERVED_SLUGS or model.objects.filter(slug=slug).exists():
        slug = f"{slug}-{new_slug(4)}".strip("-")
    return slug
