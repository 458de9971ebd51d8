"""The rows of docs/permissions.md: what can be done, in plain words, and the permission that it needs.

To add a permission, add a `Deed` to the subject that it is about, and rows to `expected`.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field

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
    OTHER_DESK,
    OTHER_SIDE,
    OTHERS,
    PANEL,
    PLAYER,
    PLAYING_ORGANISER,
    REFEREE,
    RESERVE,
    SITE_ORGANISER,
    SITE_REFEREE,
    STRANGERS,
    Role,
)


@dataclass(frozen=True)
class Deed:
    """One row. `thing`: the object of the permission, as `expected` names it. What depends on the stage is `tried`."""

    words: str
    action: str
    thing: str
    tried: str = ""  # its name among the tries of the subject's stages


@dataclass(frozen=True, eq=False)
class Subject:
    """One table of the page."""

    title: str
    text: str
    roles: tuple[Role, ...]
    deeds: tuple[Deed, ...]
    stages: Mapping[str, str] = field(default_factory=dict)  # in words, in their order


ENTRY_STAGES = {
    "open": "entries are open, check-in is not",
    "closed": "entries are closed, check-in is open",
    "running": "the draw is made, the tournament is under way, and rounds are left to pair",
    "finished": "the tournament is finished",
}
MATCH_STAGES = {
    "waiting": "it is not known yet who plays",
    "not_begun": "at a table, and no game has begun",
    "open": "on paper, and no captain has reported a result",
    "reported": "on paper, one captain has reported a result or both have, and they have not agreed",
    "live": "at a table, under way",
    "played": "at a table, played; what happened there may be disputed (see the cases below)",
    "provisional": "on paper, both captains agree or an official has entered the result, within the correction period; the\n"
    "  competition may be finished",
    "awarded": "decided without play, within the correction period",
    "final": "the correction period and the time to dispute the result are over",
    "ruled": "a ruling has decided the result",
    "void": "a ruling has made it void",
}
CASE_STAGES = {
    "filed": "waits in the queue",
    "assigned": "held by a referee, the other side has not answered",
    "hearing": "held by a referee, the answer is there or its time is over",
    "triage": "waits for the second signature",
    "ruled": "ruled, and may be appealed",
    "appealed": "appealed, without a panel",
    "panel_formed": "has a panel, the reply is due",
    "panel_heard": "has a panel, and the reply is there or its time is over",
    "deliberating": "the panel votes",
    "voted": "all have voted",
    "final": "the time to appeal is over",
    "final_on_appeal": "the panel has ruled",
    "inadmissible": "dismissed",
    "withdrawn": "taken back",
    "superseded": "replaced by a re-examination",
}
PAGE_SIGNED_IN = "a page for all who have signed in"
ACCOUNT = Subject(
    "Accounts and the site",
    "The player is the owner of the profile.",
    (CAPTAIN, OTHERS, ADMINISTRATOR),
    (
        Deed("Edit a profile", "profile.edit", "captain's profile"),
        Deed("Give or end a role of the whole site", "role.give", "the site"),
        Deed("See how the site is reached and which proxies it trusts", "access.see", "nothing"),
        Deed("Deactivate a login, or let it into the admin", "login.manage", "the site"),
        Deed("Suspend an application of another site, or restore it", "application.suspend", "the site"),
        Deed("Keep the register of incidents", "incident.keep", "nothing"),
        Deed("See results that look arranged, and decide what becomes of them", "integrity.watch", "nothing"),
        Deed("End a season: freeze the leaderboards", "season.end", "nothing"),
        Deed("Merge two players who are one person, or separate them again", "player.merge", "nothing"),
        Deed("See the page of the site’s components", "components.see", "nothing"),
    ),
)
PRIVACY = Subject(
    "Pages of people, and children",
    "A player chooses who sees the page, which shows next matches, teams and results together. That of a child younger than\n"
    "14, here a member of the club, is also seen by the guardian whose consent is in force, and who may withdraw it.",
    (STRANGERS, MEMBER, OTHER_DESK, CLUB_STAFF, ADMINISTRATOR),
    (
        Deed("See the page of a player who shows it to all who have signed in", "profile.see", PAGE_SIGNED_IN),
        Deed("See the page of a player who shows it to clubs and teams", "profile.see", "a page for clubs and teams"),
        Deed("See the page of a child", "profile.see", "a child"),
        Deed("Write down a guardian’s signature on paper, with the child’s code", "consent.witness", "a child"),
        Deed("Withdraw a guardian’s consent", "consent.withdraw", "a child"),
        Deed("Delete what that child wrote about a play of a finished game", "comment.remove", "a child"),
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
        Deed("Send news to the members of the club, and delete them", "club.news", "the club"),
        Deed("Read the news of the club", "club.read_news", "the club"),
        Deed("Look for a partner in the club, and answer others", "partner.seek", "the club"),
        Deed("Look for a partner for a league of the club, and answer others", "partner.seek", "the league"),
        Deed("Remove a line from the club’s partner desk", "partner.moderate", "the club"),
        Deed("Tell other programs what happens in the club’s competitions", "webhook.manage", "the club"),
        Deed("Tell other programs what happens in the competition", "webhook.manage", "the league"),
        Deed("Decide about a reported line of talk after a game of its competition", "talk.moderate", "the game"),
        Deed("Remove a line from the partner desk of its competition", "partner.moderate", "the league"),
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
        Deed("Create a season of a club", "season.create", "the club"),
        Deed("Create a season of the site", "season.create", "no club"),
        Deed("Create a competition of the club", "competition.create", "the club"),
        Deed("Create a competition without a club", "competition.create", "no club"),
        Deed("Organise it: settings, states, calendar, draw, desk", "competition.organise", "the league"),
        Deed("See it while it is a draft or a rehearsal", "competition.see_private", "the league"),
        Deed("Act as its referee", "competition.referee", "the league"),
        Deed("Work at its desk: the round sheet, the check-in list", "competition.desk", "the league"),
        Deed("Name or end an organiser", "competition.give_role", "the league, an organiser"),
        Deed("Name or end a referee", "competition.give_role", "the league, a referee"),
        Deed("Run its round clock", "hall.clock", "the league"),
        Deed("Set up its hall: screens, announcements, links of teams", "hall.set_up", "the league"),
        Deed("See the queue of its cases", "case.queue", "the league"),
    ),
)
ENTRIES = Subject(
    "Entries and rosters",
    "The times are those of a tournament with check-in.",
    (OTHERS, PLAYER, CAPTAIN, REFEREE, HEAD, EVENT_ORGANISER, CLUB_STAFF, SITE_ORGANISER, ADMINISTRATOR),
    (
        Deed("Enter a team", "entry.make", "the league and the team", tried="enter"),
        Deed("Confirm or decline one’s place on the roster", "entry.answer", "the entry", tried="decline"),
        Deed("Check the captain in", "entry.check_in", "the entry and the captain", tried="check the captain in"),
        Deed("Check another player in", "entry.check_in", "the entry and the partner", tried="check another in"),
        Deed(
            "Change the roster before the draw", "roster.change", "an entry before the draw", tried="change the roster"
        ),
        Deed("Change the roster after the draw", "roster.change", "the entry", tried="change the roster later"),
        Deed("Withdraw the team", "entry.withdraw", "the entry", tried="withdraw"),
        Deed("Bring a withdrawn team back", "entry.bring_back", "the entry", tried="bring back"),
        Deed("Disqualify the team", "entry.disqualify", "the entry", tried="disqualify"),
        Deed("Enter a late team after the start, or take that back", "entry.late", "the league", tried="enter late"),
    ),
    ENTRY_STAGES,
)
MATCH = Subject(
    "Matches and results",
    "",
    (OTHERS, PLAYER, CAPTAIN, OTHER_SIDE, REFEREE, HEAD, ORGANISER, PLAYING_ORGANISER, ADMINISTRATOR),
    (
        Deed("Move its date", "match.move", "the match", tried="move"),
        Deed("Say whether it is played on a board", "match.place", "the match", tried="place"),
        Deed("Award it: a team did not come", "match.award", "the match", tried="award"),
        Deed("Give it up for the captain’s side", "match.forfeit", "the match, the captain's side", tried="give up"),
        Deed(
            "Give it up for the other side", "match.forfeit", "the match, the other side", tried="give up for the other"
        ),
        Deed("Report a result on paper, accept or contest it", "result.report", "the match", tried="report"),
        Deed("Enter the result on paper as an official", "result.certify", "the match", tried="certify"),
        Deed("Correct the result", "result.correct", "the match", tried="correct"),
        Deed("Dispute a result that people entered", "case.dispute_result", "the match", tried="dispute the result"),
    ),
    MATCH_STAGES,
)
CASE = Subject(
    "Cases, rulings and appeals",
    "Nobody with a conflict of interest takes, signs or votes, whatever the role. In the times below the other side is\n"
    "penalised by the ruling and appeals first; each side appeals once, and replies once to an appeal of the other. What\n"
    "may be signed is in [arbitration.md](arbitration.md#who-may-sign-what).",
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
        Deed("Dispute a game that is over", "case.file", "the game"),
        Deed("Talk after the game", "talk.say", "the game"),
        Deed("Read the case file", "case.see", "the case"),
        Deed("Answer", "case.answer", "the case", tried="answer"),
        Deed("Add a statement", "case.state", "the case", tried="state"),
        Deed("Take the case back", "case.withdraw", "the case", tried="take back"),
        Deed("Take it from the queue", "case.take", "the case", tried="take"),
        Deed("Give it back to the queue", "case.take", "the case", tried="give back"),
        Deed("Rule it", "case.rule", "the case", tried="rule"),
        Deed("Dismiss it", "case.rule", "the case", tried="dismiss"),
        Deed("Sign second, or refuse to", "case.second", "the case", tried="second"),
        Deed("Step aside", "case.recuse", "the case", tried="step aside"),
        Deed("Name a referee from outside", "case.name_outsider", "the case", tried="name an outsider"),
        Deed("Appeal", "case.appeal", "the case", tried="appeal"),
        Deed("Reply to the other side’s appeal", "case.appeal", "the case", tried="reply"),
        Deed("Form the panel", "case.form_panel", "the case", tried="form the panel"),
        Deed("Vote", "case.vote", "the case", tried="vote"),
        Deed("Write the panel’s ruling", "case.vote", "the case", tried="write"),
        Deed("Open a re-examination", "case.review", "the case", tried="re-examine"),
    ),
    CASE_STAGES,
)
SUBJECTS = (COMPETITION, ENTRIES, MATCH, CASE, CLUB, PRIVACY, ACCOUNT)
