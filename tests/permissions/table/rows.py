"""The rows of docs/permissions.md: what can be done, in plain words, and the permission that it needs.

To add a permission, add a `Deed` to the subject that it is about, and rows to `expected`.
"""

from dataclasses import dataclass

from .roles import (
    ADMINISTRATOR,
    ANSWERING,
    ANY_HEAD,
    ANY_REFEREE,
    CAPTAIN,
    CLUB_ORGANISER,
    CLUB_STAFF,
    EVENT_ORGANISER,
    FILER,
    FILERS_SIDE,
    HEAD,
    HOLDER,
    INVITED,
    MEMBER,
    OFFICER,
    ORGANISER,
    OTHER_SIDE,
    OTHERS,
    PANEL,
    PLAYER,
    PLAYING_ORGANISER,
    REFEREE,
    RESERVE,
    SITE_ORGANISER,
    SITE_REFEREE,
    Role,
)


@dataclass(frozen=True)
class Deed:
    """One row. `thing`: the object of the permission, as `expected` names it."""

    words: str
    action: str
    thing: str


@dataclass(frozen=True)
class Subject:
    """One table of the page."""

    title: str
    text: str
    roles: tuple[Role, ...]
    deeds: tuple[Deed, ...]


ACCOUNT = Subject(
    "Accounts and the site",
    "The player is the owner of the profile.",
    (CAPTAIN, OTHERS, ADMINISTRATOR),
    (
        Deed("Edit a profile", "profile.edit", "captain's profile"),
        Deed("Give or end a role of the whole site", "role.give", "the site"),
        Deed("See the page of the site’s components", "components.see", "nothing"),
    ),
)
CLUB = Subject(
    "Clubs and teams",
    "",
    (OTHERS, INVITED, MEMBER, CAPTAIN, CLUB_ORGANISER, OFFICER, SITE_ORGANISER, ADMINISTRATOR),
    (
        Deed("Found a club", "club.found", "nothing"),
        Deed("Join a club", "club.join", "the club"),
        Deed("Edit the club’s page", "club.edit", "the club"),
        Deed("Give or end a role in the club", "club.give_role", "the club"),
        Deed("Found a team without a club", "team.found", "no club"),
        Deed("Found a team of the club", "team.found", "the club"),
        Deed("Form a team of the club without asking its players", "team.form", "the club and two players"),
        Deed("Form a team without a club, without asking its players", "team.form", "no club and two players"),
        Deed("Edit a team, invite players, dissolve it", "team.edit", "the team"),
        Deed("Edit a team that was dissolved", "team.edit", "a dissolved team"),
        Deed("Answer an invitation by name", "invitation.answer", "an invitation of the player"),
        Deed("Answer an invitation by link without its link", "invitation.answer", "an invitation by link"),
    ),
)
COMPETITION = Subject(
    "Competitions",
    "",
    (
        OTHERS,
        CAPTAIN,
        REFEREE,
        HEAD,
        SITE_REFEREE,
        EVENT_ORGANISER,
        CLUB_STAFF,
        SITE_ORGANISER,
        ADMINISTRATOR,
    ),
    (
        Deed("Create a season", "season.create", "nothing"),
        Deed("Create a competition of the club", "competition.create", "the club"),
        Deed("Create a competition without a club", "competition.create", "no club"),
        Deed("Organise it: settings, states, calendar, draw, desk", "competition.organise", "the league"),
        Deed("See it while it is a draft or a rehearsal", "competition.see_private", "the league"),
        Deed("Act as its referee", "competition.referee", "the league"),
        Deed("Name or end an organiser", "competition.give_role", "the league, an organiser"),
        Deed("Name or end a referee", "competition.give_role", "the league, a referee"),
        Deed("See the queue of its cases", "case.queue", "the league"),
    ),
)
ENTRIES = Subject(
    "Entries and rosters",
    "",
    (OTHERS, PLAYER, CAPTAIN, REFEREE, HEAD, EVENT_ORGANISER, CLUB_STAFF, SITE_ORGANISER, ADMINISTRATOR),
    (
        Deed("Enter a team", "entry.make", "the league and the team"),
        Deed("Confirm or decline one’s place on the roster", "entry.answer", "the entry"),
        Deed("Check the captain in", "entry.check_in", "the entry and the captain"),
        Deed("Check another player in", "entry.check_in", "the entry and the partner"),
        Deed("Change the roster before the draw", "roster.change", "an entry before the draw"),
        Deed("Change the roster after the draw", "roster.change", "the entry"),
        Deed("Withdraw the team", "entry.withdraw", "the entry"),
        Deed("Bring a withdrawn team back", "entry.bring_back", "the entry"),
        Deed("Disqualify the team", "entry.disqualify", "the entry"),
    ),
)
MATCH = Subject(
    "Matches and results",
    "",
    (OTHERS, PLAYER, CAPTAIN, OTHER_SIDE, REFEREE, HEAD, ORGANISER, PLAYING_ORGANISER, ADMINISTRATOR),
    (
        Deed("Move its date", "match.move", "the match"),
        Deed("Award it: a team did not come", "match.award", "the match"),
        Deed("Give it up for the captain’s side", "match.forfeit", "the match, the captain's side"),
        Deed("Give it up for the other side", "match.forfeit", "the match, the other side"),
        Deed("Report a result on paper, accept or contest it", "result.report", "the match"),
        Deed("Enter the result on paper as an official", "result.certify", "the match"),
        Deed("Correct the result", "result.correct", "the match"),
    ),
)
CASE = Subject(
    "Cases, rulings and appeals",
    "",
    (
        OTHERS,
        FILER,
        FILERS_SIDE,
        ANSWERING,
        ANY_REFEREE,
        HOLDER,
        ANY_HEAD,
        PANEL,
        RESERVE,
        ORGANISER,
        ADMINISTRATOR,
    ),
    (
        Deed("Dispute a game", "case.file", "the game"),
        Deed("Read the case file", "case.see", "the case"),
        Deed("Answer for the other side", "case.answer", "the case"),
        Deed("Add a statement", "case.state", "the case"),
        Deed("Take the case back", "case.withdraw", "the case"),
        Deed("Take it from the queue", "case.take", "the case"),
        Deed("Rule it or dismiss it", "case.rule", "the case"),
        Deed("Give the second signature, or refuse it", "case.second", "the case"),
        Deed("Step aside", "case.recuse", "the case"),
        Deed("Name a referee from outside", "case.name_outsider", "the case"),
        Deed("Appeal", "case.appeal", "the case"),
        Deed("Form the panel", "case.form_panel", "the case"),
        Deed("Vote and write the panel’s ruling", "case.vote", "the case"),
        Deed("Open a re-examination", "case.review", "the case"),
    ),
)
SUBJECTS = (COMPETITION, ENTRIES, MATCH, CASE, CLUB, ACCOUNT)
