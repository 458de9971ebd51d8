"""Permissions, written by hand from the roles and not from the rules in the code. The people are those of
`world.PEOPLE`.

A row: the action; the thing it is about; the states of that thing, each of which is checked; the people who may, in
every state or by state. Administrators and the site may do everything, visitors nothing: these cells are asserted too
and not written here. An action that a state forbids to everybody (an entry after the deadline, a second ruling) is
refused by the services, with its own reason: such a state does not narrow a row here.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from .world import PEOPLE

EVERYBODY = frozenset(PEOPLE)
NOBODY: frozenset[str] = frozenset()


def people(*names: str) -> frozenset[str]:
    """Return the set of those names, each of which must be one of the people."""
    assert set(names) <= EVERYBODY, set(names) - EVERYBODY
    return frozenset(names)


# Current members of the club.
MEMBERS = people(
    "player", "captain", "partner", "officer", "club_organiser", "club_referee", "playing_referee",
    "former_officer", "former_captain",
)  # fmt: skip
# The people who manage a competition of the club.
ORGANISERS = people("officer", "club_organiser", "event_organiser", "playing_organiser", "organiser")
SITE_ORGANISERS = people("officer", "club_organiser", "organiser")  # without the people who were named for one event
# Whoever can stand at the desk of a club or an event.
DESKS = ORGANISERS | people("strange_officer", "strange_club_organiser", "strange_event_organiser")
REFEREES = people("referee", "head_referee", "club_referee", "playing_referee", "case_referee")
# Organisers and referees who do not play in this match.
FREE_OFFICIALS = (ORGANISERS | REFEREES) - people("playing_organiser")
JUDGES = REFEREES | people("site_referee", "site_head_referee")  # who can be asked to look at a case
HEADS = people("head_referee", "site_head_referee")
PANEL = people("panel_member", "panel_reserve")
PARTIES = people("captain", "partner", "other_captain", "playing_organiser")
CAPTAINS = people("captain", "other_captain")

COMPETITION = (
    "draft", "published", "open", "closed", "running", "suspended", "finished", "archived", "cancelled",
)  # fmt: skip
MATCH = (
    "waiting", "ready", "scheduled", "called", "live", "reported", "contested", "confirmed", "awarded", "void",
)  # fmt: skip
ENTRY = (
    "pending", "accepted", "waitlisted", "refused", "checked_in", "dropped", "playing", "finished", "withdrawn",
    "disqualified",
)  # fmt: skip
INVITATION = ("open", "accepted", "declined", "revoked", "expired")
CASE = (
    "filed", "triage", "assigned", "hearing", "ruled", "appealed", "panel_formed", "deliberating", "appeal_ruled", "final",
    "inadmissible", "withdrawn", "superseded",
)  # fmt: skip


@dataclass(frozen=True)
class Row:
    """One action on one kind of thing."""

    action: str
    thing: str
    states: tuple[str, ...]
    who: Mapping[str, frozenset[str]]  # by state


def row(action: str, thing: str, states: str | tuple[str, ...], who: frozenset[str], **by_state: frozenset[str]) -> Row:
    """Return a row: `who` in every state except those named."""
    names = states.split() if isinstance(states, str) else states
    assert set(by_state) <= set(names)
    return Row(action, thing, tuple(names), {state: by_state.get(state, who) for state in names})


ROWS = [
    # --- oneself and the site
    row("profile.edit", "captain's profile", "with_login without_login", people("captain")),
    row("role.give", "the site", "always", NOBODY),
    row("access.see", "nothing", "always", NOBODY),
    row("login.manage", "the site", "always", NOBODY),
    row("application.suspend", "the site", "always", NOBODY),
    row("incident.keep", "nothing", "always", NOBODY),
    # of the whole site only; the services refuse it to administrators without the role
    row("integrity.watch", "nothing", "always", people("site_head_referee")),
    row("season.end", "nothing", "always", NOBODY),
    row("player.merge", "nothing", "always", NOBODY),
    row("components.see", "nothing", "always", NOBODY),
    # --- pages of people, and children: a member of the club
    row("profile.see", "a page for all who have signed in", "always", EVERYBODY),
    row("profile.see", "a page for clubs and teams", "always", MEMBERS),
    row("profile.see", "a child", "always", people("player", "officer", "club_organiser")),
    row("consent.witness", "a child", "always", DESKS),
    row("consent.withdraw", "a child", "always", people("officer", "club_organiser")),
    # the writer, and the staff of the writer's club
    row("comment.remove", "a child", "always", people("player", "officer", "club_organiser")),
    # --- clubs
    row("club.found", "nothing", "always", EVERYBODY),
    row("club.edit", "the club", "always", people("officer")),
    row("club.give_role", "the club", "always", people("officer")),
    row("club.news", "the club", "always", people("officer", "club_organiser")),
    row("club.read_news", "the club", "always", MEMBERS),
    row("club.join", "the club", "always", EVERYBODY),
    row("partner.seek", "the club", "always", MEMBERS),
    row("partner.moderate", "the club", "always", SITE_ORGANISERS),
    row("webhook.manage", "the club", "always", SITE_ORGANISERS),
    # --- teams
    row("team.found", "no club", "always", EVERYBODY),
    row("team.found", "the club", "always", MEMBERS),
    row("team.form", "the club and two players", "always", SITE_ORGANISERS),
    row("team.form", "no club and two players", "always", people("organiser")),
    row("team.edit", "the team", "formed", people("captain", "officer")),
    row("team.edit", "a dissolved team", "dissolved", people("officer")),
    row("invitation.answer", "an invitation of the player", INVITATION, people("player")),
    row("invitation.answer", "an invitation by link", INVITATION, NOBODY),
    # --- competitions
    row("season.create", "the club", "always", SITE_ORGANISERS),
    row("season.create", "no club", "always", people("organiser")),
    row("competition.create", "the club", "always", SITE_ORGANISERS),
    row("competition.create", "no club", "always", people("organiser")),
    row("competition.organise", "the league", COMPETITION, ORGANISERS),
    row("competition.see_private", "the league", COMPETITION, ORGANISERS | REFEREES),
    row("competition.referee", "the league", COMPETITION, REFEREES),
    row("competition.desk", "the league", COMPETITION, ORGANISERS | REFEREES),
    row("competition.give_role", "the league, an organiser", COMPETITION, SITE_ORGANISERS),
    row("competition.give_role", "the league, a referee", COMPETITION, ORGANISERS),
    row("partner.seek", "the league", COMPETITION, MEMBERS),
    row("partner.moderate", "the league", COMPETITION, ORGANISERS),
    row("webhook.manage", "the league", COMPETITION, ORGANISERS),
    row("hall.clock", "the league", COMPETITION, ORGANISERS | REFEREES),
    row("hall.set_up", "the league", COMPETITION, ORGANISERS),
    # --- entries
    row("entry.make", "the league and the team", COMPETITION, ORGANISERS | people("captain")),
    row("entry.late", "the league", COMPETITION, ORGANISERS),
    row("entry.answer", "the entry", ENTRY, people("captain", "partner")),
    row("entry.check_in", "the entry and the captain", ENTRY, ORGANISERS | REFEREES | people("captain")),
    row("entry.check_in", "the entry and the partner", ENTRY, ORGANISERS | REFEREES | people("captain", "partner")),
    row("roster.change", "the entry", ENTRY, ORGANISERS | REFEREES),
    row("roster.change", "an entry before the draw", ENTRY, ORGANISERS | REFEREES | people("captain")),
    row("entry.withdraw", "the entry", ENTRY, ORGANISERS | people("captain")),
    row("entry.bring_back", "the entry", ENTRY, ORGANISERS | REFEREES),
    row("entry.disqualify", "the entry", ENTRY, people("head_referee")),
    # --- matches and results
    row("match.move", "the match", MATCH, ORGANISERS),
    row("match.place", "the match", MATCH, FREE_OFFICIALS),
    row("match.award", "the match", MATCH, FREE_OFFICIALS),
    row("match.forfeit", "the match, the captain's side", MATCH, FREE_OFFICIALS | people("captain")),
    row("match.forfeit", "the match, the other side", MATCH, FREE_OFFICIALS | people("other_captain")),
    row("result.report", "the match", MATCH, CAPTAINS),
    row("result.certify", "the match", MATCH, FREE_OFFICIALS),
    row("result.correct", "the match", MATCH, FREE_OFFICIALS),
    # --- cases: of the captain's match, filed by the captain; the service also refuses a conflict of interest
    row("case.file", "the game", "over", PARTIES),
    row("talk.say", "the game", "over", PARTIES),
    row("talk.moderate", "the game", "over", people("officer", "club_organiser")),
    row("case.dispute_result", "the match", MATCH, PARTIES),
    row("case.see", "the case", CASE, PARTIES | JUDGES | PANEL | ORGANISERS),
    row("case.state", "the case", CASE, PARTIES),
    row("case.answer", "the case", CASE, people("other_captain", "playing_organiser")),
    row("case.withdraw", "the case", CASE, people("captain")),
    row("case.take", "the case", CASE, JUDGES),
    row("case.second", "the case", CASE, JUDGES),
    row("case.queue", "the league", COMPETITION, JUDGES | ORGANISERS),
    row("case.rule", "the case", CASE, people("case_referee")),
    row("case.appeal", "the case", CASE, PARTIES),
    row("case.form_panel", "the case", CASE, HEADS | ORGANISERS),
    row("case.vote", "the case", CASE, people("panel_member")),
    row("case.name_outsider", "the case", CASE, ORGANISERS),
    row("case.review", "the case", CASE, HEADS),
    row("case.recuse", "the case", CASE, JUDGES | PANEL),
]

# --- when: the stages in which each role can do what the rules allow, by deed (`table.rows`, `tried`) and role
UNRULED = "filed assigned hearing triage"
IN_FORCE = "filed assigned hearing triage ruled appealed panel_formed panel_heard deliberating voted"
OFFICIALS = ("Referee", "Head referee", "Organiser", "Administrator")
UNPLAYED = "not_begun open reported"
ORGANISERS_OF_ENTRIES = ("Event organiser", "Club staff", "Site organiser", "Administrator")
REFEREES_OF_ENTRIES = ("Referee", "Head referee")
WHEN = {
    # entries
    "enter": {"Captain": "open"} | dict.fromkeys(ORGANISERS_OF_ENTRIES, "open closed"),
    "decline": dict.fromkeys(("Player", "Captain"), "open closed"),
    "check the captain in": dict.fromkeys(("Captain", *REFEREES_OF_ENTRIES), "closed")
    | dict.fromkeys(ORGANISERS_OF_ENTRIES, "open closed"),
    "check another in": dict.fromkeys(("Player", "Captain", *REFEREES_OF_ENTRIES), "closed")
    | dict.fromkeys(ORGANISERS_OF_ENTRIES, "open closed"),
    "change the roster": dict.fromkeys(("Captain", *REFEREES_OF_ENTRIES, *ORGANISERS_OF_ENTRIES), "open closed"),
    "change the roster later": dict.fromkeys((*REFEREES_OF_ENTRIES, *ORGANISERS_OF_ENTRIES), "running"),
    "withdraw": dict.fromkeys(("Captain", *ORGANISERS_OF_ENTRIES), "open closed running"),
    "bring back": dict.fromkeys((*REFEREES_OF_ENTRIES, *ORGANISERS_OF_ENTRIES), "running"),
    "disqualify": dict.fromkeys(("Head referee", "Administrator"), "running"),
    "enter late": dict.fromkeys(ORGANISERS_OF_ENTRIES, "running"),
    # matches
    "move": {role: "not_begun open" for role in ("Organiser", "Playing organiser", "Administrator")},
    "place": dict.fromkeys(OFFICIALS, "waiting not_begun open"),
    "award": dict.fromkeys(OFFICIALS, UNPLAYED),
    "give up": dict.fromkeys(("Captain", *OFFICIALS), UNPLAYED),
    "give up for the other": dict.fromkeys(("Other captain", *OFFICIALS), UNPLAYED),
    "report": dict.fromkeys(("Captain", "Other captain"), "open reported"),
    "certify": dict.fromkeys(OFFICIALS, "open reported"),
    "correct": dict.fromkeys(OFFICIALS, "provisional awarded"),
    "dispute the result": dict.fromkeys(
        ("Player", "Captain", "Other captain", "Playing organiser"), "provisional awarded"
    ),
    # cases
    "answer": {"Other side": "filed assigned triage"},  # once
    "state": {"Filer": UNRULED, "Filer’s side": UNRULED, "Other side": UNRULED},
    "take back": {"Filer": UNRULED},
    "take": {"Referee": "filed", "Head referee": "filed"},
    "give back": {"Holder": "assigned hearing"},
    "rule": {"Holder": "hearing"},
    "dismiss": {"Holder": "assigned hearing"},
    "second": {"Referee": "triage", "Head referee": "triage"},
    "step aside": {
        "Referee": IN_FORCE,
        "Holder": "assigned hearing",
        "Head referee": "filed assigned hearing triage ruled appealed",  # then this one is on the panel
        "Panel": "panel_formed panel_heard deliberating",  # before the own vote
        "Reserve": "panel_formed panel_heard deliberating voted",
        "Administrator": IN_FORCE,
    },
    "name an outsider": {
        role: "filed assigned hearing triage appealed panel_formed panel_heard deliberating"
        for role in ("Organiser", "Administrator")
    },
    "appeal": {  # each side once
        "Filer": "ruled appealed panel_formed panel_heard",
        "Filer’s side": "ruled appealed panel_formed panel_heard",
        "Other side": "ruled",
    },
    "reply": {"Filer": "appealed panel_formed", "Filer’s side": "appealed panel_formed"},  # to the other side's appeal
    "form the panel": {"Head referee": "appealed", "Organiser": "appealed", "Administrator": "appealed"},
    "vote": {"Panel": "panel_heard deliberating"},
    "write": {"Panel": "voted"},
    "re-examine": {"Head referee": "ruled final", "Administrator": "ruled final"},
}
