"""The roles of the page, and the people of the world who have them."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Role:
    """A column. `people` of `world.PEOPLE` have the role and nothing more that matters in its table."""

    title: str
    meaning: str  # one line
    people: tuple[str, ...]


OTHERS = Role(
    "Others",
    "Everybody else who has signed in: other players, and people with a role in another club or competition.",
    ("newcomer", "stranger", "strange_captain", "strange_officer", "strange_event_organiser", "strange_head_referee"),
)
STRANGERS = Role(
    "Others",
    "Everybody else who has signed in, and holds no office in a club or event.",
    ("newcomer", "stranger", "strange_captain", "site_referee"),
)
OTHER_DESK = Role(
    "Other desk",
    "Officers and organisers of another club, and organisers of an event or of the site.",
    ("strange_officer", "strange_club_organiser", "strange_event_organiser", "event_organiser", "organiser"),
)
PLAYER = Role("Player", "A player of the team or of the match who is not its captain.", ("partner",))
CAPTAIN = Role("Captain", "The first player of the team, who acts for it.", ("captain",))
OTHER_SIDE = Role("Other captain", "The captain of the team on the other side of the match.", ("other_captain",))
MEMBER = Role("Member", "A member of the club without a role in it.", ("partner", "club_referee"))
INVITED = Role("Invited player", "A player whom the captain has invited by name.", ("player",))
OFFICER = Role("Club officer", "Looks after the club: its page, its roles, its teams.", ("officer",))
CLUB_ORGANISER = Role("Club organiser", "Organises the competitions of the club.", ("club_organiser",))
EVENT_ORGANISER = Role(
    "Event organiser", "Named for this competition by its club, and for nothing else.", ("event_organiser",)
)
CLUB_STAFF = Role(
    "Club staff",
    "Officers and organisers of the club that holds the competition; they organise all of its competitions.",
    ("officer", "club_organiser"),
)
SITE_ORGANISER = Role("Site organiser", "Organises competitions anywhere on the site.", ("organiser",))
ORGANISER = Role(
    "Organiser",
    "An event organiser, club staff or a site organiser, who does not play in the match.",
    ("event_organiser", "officer", "club_organiser", "organiser"),
)
PLAYING_ORGANISER = Role(
    "Playing organiser", "An organiser of the competition who is on a roster of this match.", ("playing_organiser",)
)
REFEREE = Role(
    "Referee", "A referee of this competition.", ("referee", "club_referee", "playing_referee", "case_referee")
)
HEAD = Role("Head referee", "The head referee of this competition.", ("head_referee",))
SITE_REFEREE = Role(
    "Site referee", "A referee or head referee of the whole site.", ("site_referee", "site_head_referee")
)
ANY_REFEREE = Role(
    "Referee", "A referee of this competition or of the whole site.", ("referee", "club_referee", "site_referee")
)
HOLDER = Role("Holder", "The referee who has taken the case and holds it now.", ("case_referee",))
ANY_HEAD = Role(
    "Head referee",
    "The head referee of this competition, or of the whole site.",
    ("head_referee", "site_head_referee"),
)
FILER = Role("Filer", "The player who opened the case.", ("captain",))
FILERS_SIDE = Role("Filer’s side", "The other players of that side.", ("partner",))
ANSWERING = Role("Other side", "The players of the side that the case is against.", ("other_captain",))
PANEL = Role("Panel", "One of the three who judge the appeal.", ("panel_member",))
RESERVE = Role("Reserve", "Moves up when somebody leaves the panel.", ("panel_reserve",))
ADMINISTRATOR = Role("Administrator", "Looks after the whole site.", ("administrator", "superuser"))
