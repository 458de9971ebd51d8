"""The people of the demo league: two clubs of Shawinigan, sixteen people, eight teams. All of them are invented.

`bot` is the program that plays for a name at a live table; `care`, 0 to 100, is how often the person of the records
plays as carefully as the better program does: it makes the players of the past seasons unequal, so that ratings differ.
"""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Person:
    """A person of the demo league."""

    slug: str  # the public id, over which lots are drawn
    name: str
    care: int  # 0 to 100, see the module

    @property
    def bot(self) -> str:
        """The level of the program that plays for this name tonight."""
        return "club" if self.care >= 50 else "novice"


@dataclass(frozen=True, slots=True)
class Pair:
    """A team of the league: its name and its two players, captain first."""

    name: str
    players: tuple[Person, Person]


@dataclass(frozen=True, slots=True)
class ClubPlan:
    """A club with its four teams."""

    name: str
    town: str
    about: str
    teams: tuple[Pair, ...]


DEMO_PLAYER = Person("m-gelinas", "Martine Gélinas", 80)  # whose account is printed at each start

CLUBS = (
    ClubPlan(
        "Club de tock de Shawinigan",
        "Shawinigan",
        "En ligne chaque semaine à 19 h 30 ; une soirée à la salle paroissiale au début de chaque saison.",
        (
            Pair("Les Draveurs", (DEMO_PLAYER, Person("r-lampron", "Réjean Lampron", 65))),
            Pair("Les Castors", (Person("s-doucet", "Sylvie Doucet", 100), Person("m-villemure", "Marc Villemure", 55))),
            Pair("Huit pareil", (Person("d-tellier", "Diane Tellier", 30), Person("j-hubert", "Jocelyn Hubert", 45))),
            Pair("Les Tocqués", (Person("f-marchand", "Félix Marchand", 60), Person("l-boisvert", "Lucie Boisvert", 0))),
        ),
    ),
    ClubPlan(
        "Les Pieux de Grand-Mère",
        "Shawinigan, secteur Grand-Mère",
        "Quatre équipes, du café et un vieux plateau en érable près du rocher.",
        (
            Pair("Les Vieux Pieux", (Person("y-bellemare", "Yvon Bellemare", 100), Person("o-trudel", "Océane Trudel", 90))),
            Pair("Les Roches", (Person("g-pronovost", "Gaston Pronovost", 75), Person("d-cloutier", "Denise Cloutier", 50))),
            Pair("Ciel ouvert", (Person("a-rojas", "Andréa Rojas", 40), Person("b-matteau", "Benoît Matteau", 85))),
            Pair("Les Deux Capitaines", (Person("c-heroux", "Carole Héroux", 20), Person("p-milot", "Pierre-Luc Milot", 10))),
        ),
    ),
)  # fmt: skip

TEAMS: tuple[Pair, ...] = tuple(team for club in CLUBS for team in club.teams)
PEOPLE: tuple[Person, ...] = tuple(person for team in TEAMS for person in team.players)
BY_SLUG = {person.slug: person for person in PEOPLE}
DEMO_TEAM = TEAMS[0]

# The league's order of entry: clubs in turn, so that neighbours do not meet in the first round.
ENTRY_ORDER: tuple[Pair, ...] = tuple(
    team for four in zip(*(club.teams for club in CLUBS), strict=True) for team in four
)

# Referees belong to no club: they may look at every case. (public id, name)
HEAD_REFEREE = ("g-lafreniere", "Ginette Lafrenière")
REFEREES = (
    ("n-bergeron", "Normand Bergeron"),
    ("t-vaillancourt", "Thérèse Vaillancourt"),
    ("c-gervais", "Claude Gervais"),
    ("h-desilets", "Huguette Désilets"),
)
ORGANISER = ("l-vadeboncoeur", "Lise Vadeboncœur")
ADMINISTRATOR = ("administration", "Administration")
