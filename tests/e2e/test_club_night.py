"""A whole club night in browsers: eight teams register, one withdraws, one does not show up, six play to the podium.

The organiser presses the desk's only button from the draft to the end; captains and partners share one phone. At the
tables programs play at full speed, through the same protocol as people. After every round the public pages are compared
with results that the test computes from the records of the games.
"""

import re
from datetime import timedelta
from itertools import pairwise
from typing import Any

import pytest
from django.core.management import call_command
from playwright.sync_api import Page

from games.models import Game, GameEvent
from tests.servers.browser import PHONE, Visitor, overflow
from tests.servers.site import eventually
from tock_league.accounts.models import Player
from tock_league.accounts.permissions import SITE
from tock_league.accounts.services import create_player, create_user
from tock_league.clubs import selectors as team_pages
from tock_league.clubs import services as clubs
from tock_league.clubs.models import Club, Team
from tock_league.common import clock
from tock_league.competitions.core.plan import TournamentPlan
from tock_league.competitions.models import Competition, Entry, Match
from tock_league.competitions.services.seasons import regulations, tournaments
from tock_league.embedded import scheduler

pytestmark = [pytest.mark.browser, pytest.mark.slow, pytest.mark.timeout(600)]

NAMES = (
    "Les Draveurs", "Les Vieux Pieux", "Case Huit", "Les Jokers", "As de la rue", "Brasse-camarade", "Les Tocqués",
    "Pieu sacré",
)  # fmt: skip
GONE, LATE = "Les Tocqués", "Pieu sacré"
PLAYING = set(NAMES) - {GONE, LATE}
PATIENCE = 150.0  # seconds that one round may take on a busy machine


def test_a_whole_club_night(visitors: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(scheduler, "BUSY_PERIOD", 0.001)  # nobody watches these tables: no pause between two plays
    club = clubs.found_club(by=SITE, name="Club de tock de Shawinigan", town="Shawinigan")
    gaston = a_member(club, "Gaston Pronovost")
    clubs.give_role(by=SITE, club=club, player=gaston, name="organiser")
    desk = visitors.enter("organiser", user=gaston.user)
    phone = visitors.enter("telephone", screen=PHONE, reduced_motion="reduce")
    board = visitors.enter("board", reduced_motion="reduce")
    teams = {name: a_pair(club, name) for name in NAMES[1:]}
    teams[NAMES[0]] = a_pair_by_link(phone, club, NAMES[0])
    night = announce(club, gaston)

    assert press(desk, night) == "publish"
    assert press(desk, night) == "open"
    for name in NAMES:
        register(phone, night, teams[name])
    assert states(night) == dict.fromkeys(NAMES, "accepted")
    withdraw(phone, night, teams[GONE])
    for name in PLAYING:
        check_in(phone, night, teams[name])
    one_of_two = team_pages.roster(teams[LATE]).starters[:1]
    check_in(phone, night, teams[LATE], one_of_two)

    page = desk.open(f"/competitions/{night.slug}/organise/")
    assert page.locator(".step .tag").all_inner_texts() == [LATE]
    assert press(desk, night) == "check_in_close"
    assert states(night) == dict.fromkeys(PLAYING, "checked_in") | {GONE: "withdrawn", LATE: "dropped"}
    assert Entry.objects.get(competition=night, team=teams[LATE]).why

    assert press(desk, night) == "draw"
    groups = groups_on(board, night)
    assert sorted(len(rows) for rows in groups) == [3, 3]
    assert {row.name for rows in groups for row in rows} == PLAYING
    assert podium_on(board, night) == []

    assert press(desk, night) == "start"
    for number in range(3):
        if number:
            assert press(desk, night).startswith("next")
        finish_round(board, night)
        check_the_groups(groups_on(board, night), night)
    settle_ties(desk, night)
    going_on = [[row.name for row in rows[:2]] for rows in groups_on(board, night)]

    assert press(desk, night).startswith("next")
    semis = [set(names_of(match)) for match in matches_of(night, "semi")]
    (first_a, second_a), (first_b, second_b) = going_on
    assert sorted(map(sorted, semis)) == sorted([sorted({first_a, second_b}), sorted({first_b, second_a})])
    finish_round(board, night)
    assert podium_on(board, night) == []

    assert press(desk, night).startswith("next")
    finals = {label: names_of(match) for label in ("final", "third_place") for match in matches_of(night, label)}
    winners = {winner_of(match) for match in matches_of(night, "semi")}
    assert (set(finals["final"]), set(finals["third_place"])) == (winners, set().union(*semis) - winners)
    finish_round(board, night)
    assert press(desk, night) == "finish"
    check_the_end(desk, phone, night)


# people and their pages


def a_member(club: Club, name: str, *, bot: str = "") -> Player:
    email = re.sub(r"[^a-z]", "", name.lower()) + "@example.org"
    player = create_player(display_name=name, user=create_user(email=email), bot=bot)
    clubs.join(by=SITE, club=club, player=player)
    return player


def a_pair(club: Club, name: str) -> Team:
    """Return a team whose partner was invited by name and has accepted."""
    captain, partner = (a_member(club, f"{first} {name}", bot="club") for first in ("Ode", "Ulric"))
    team = clubs.found_team(by=captain, name=name, club=club)
    clubs.answer(by=partner, invitation=clubs.invite(by=captain, team=team, player=partner, slot=2), accept=True)
    return team


def a_pair_by_link(phone: Visitor, club: Club, name: str) -> Team:
    """Create a team on the phone and invite the partner with a link, which the partner opens on the same phone."""
    captain, partner = (a_member(club, f"{first} {name}", bot="club") for first in ("Ode", "Ulric"))
    page = hold(phone, captain, f"/teams/new/?club={club.slug}")
    page.fill("#id_name", name)
    page.locator("form.panel button").click()
    page.wait_for_url("**/invite/")
    page.locator('form[action$="/invite/link/"] button').click()
    link = page.locator("#link").input_value()
    page = hold(phone, partner, link.removeprefix(phone.base))
    narrow(page)
    page.locator('button[name="accept"][value="yes"]').click()
    team = Team.objects.get(name=name)
    assert team_pages.roster(team).starters == (captain, partner)
    return team


def hold(phone: Visitor, player: Player, path: str) -> Page:
    """Let `player` take the phone and open a page."""
    phone.sign_in(player.user)
    return phone.open(path)


def narrow(page: Page) -> None:
    """Check that nothing on the page is cut off at 360 pixels."""
    assert overflow(page) <= 0


def announce(club: Club, organiser: Player) -> Competition:
    """Make the night's draft: the settings of the form, and permission for programs, which no form offers."""
    now = clock.now()
    plan = TournamentPlan("groups_knockout", groups=2, qualify=2, third_place=True, pause_s=0, auto=False)
    return tournaments.create_tournament(
        by=organiser,
        club=club,
        name="Soirée du samedi",
        plan=plan,
        regulations=regulations.freeze(code="night", tiebreaks=plan.tiebreaks),
        size=8,
        starts_at=now + timedelta(minutes=14),
        check_in_from=now + timedelta(seconds=1),
        check_in_until=now + timedelta(minutes=13),
        seeding="lots",
        bots_allowed=True,
    )


def press(desk: Visitor, night: Competition) -> str:
    """Press the desk's button; return the name of the step."""
    page = desk.open(f"/competitions/{night.slug}/organise/")
    button = page.locator(".step button[name=code]")
    code = button.get_attribute("value") or ""
    button.click()
    page.wait_for_load_state()
    assert page.locator('.note.bad[role="alert"]').count() == 0, page.locator(".note.bad").inner_text()
    return code


def register(phone: Visitor, night: Competition, team: Team) -> None:
    """The captain registers; the partner finds the invitation on the first page and accepts."""
    captain, partner = team_pages.roster(team).starters
    page = hold(phone, captain, f"/competitions/{night.slug}/register/")
    narrow(page)
    page.locator(f'button[name=team][value="{team.slug}"]').click()
    page.wait_for_url("**/entries/**")
    page = hold(phone, partner, "/")
    page.locator('#waiting button[name=accept][value="yes"]').click()
    page.wait_for_url("**/entries/**")


def withdraw(phone: Visitor, night: Competition, team: Team) -> None:
    """The captain withdraws the team."""
    entry = Entry.objects.get(competition=night, team=team)
    page = hold(phone, team_pages.roster(team).starters[0], f"/entries/{entry.slug}/")
    page.locator(f'a[href="/entries/{entry.slug}/leave/"]').click()
    narrow(page)
    page.locator("form.panel button.danger").click()
    page.wait_for_url(f"**/entries/{entry.slug}/")


def check_in(phone: Visitor, night: Competition, team: Team, players: tuple[Player, ...] | None = None) -> None:
    """Each of `players`, by default the starters of the team, checks in on the phone."""
    entry = Entry.objects.get(competition=night, team=team)
    for player in players or team_pages.roster(team).starters:
        page = hold(phone, player, f"/entries/{entry.slug}/")
        toggle = page.locator(f'form:has(input[name=player][value="{player.slug}"]) button.toggle')
        box = toggle.bounding_box()
        assert box is not None
        assert box["height"] >= 44
        toggle.click()
        page.locator(f'form:has(input[value="{player.slug}"]) button.toggle[aria-pressed="true"]').wait_for()
        narrow(page)


def states(night: Competition) -> dict[str, str]:
    """Return every team's state by name."""
    return {entry.team.name: entry.state for entry in night.entries.select_related("team") if entry.team}


# what the pages show


class Row:
    """A line of a group on the overview: team, won, lost, marbles."""

    def __init__(self, cells: list[str]) -> None:
        _rank, name, won, lost, marbles = cells
        self.name = name.split("\n")[0].strip()
        self.won, self.lost = int(won), int(lost)
        self.marbles = int(marbles.replace("−", "-").replace("+", "") or 0)


def groups_on(board: Visitor, night: Competition) -> list[list[Row]]:
    """Return the groups of the overview, best team first."""
    page = board.open(f"/competitions/{night.slug}/")
    return [[Row(cells) for cells in rows] for rows in page.evaluate(GROUPS)]


GROUPS = """() => [...document.querySelectorAll('.groups table')].map(table =>
    [...table.tBodies[0].rows].map(row => [...row.cells].map(cell => {
        const text = cell.cloneNode(true);
        text.querySelectorAll('.tag').forEach(tag => tag.remove());
        return text.textContent.trim();
    })))"""


def podium_on(board: Visitor, night: Competition) -> list[tuple[int, str]]:
    """Return the podium of the overview: (rank, team), as far as it is shown."""
    page = board.open(f"/competitions/{night.slug}/")
    steps = page.locator(".podium-section .podium li")
    return [(int(step.locator(".medal").inner_text()), step.locator("b").inner_text()) for step in steps.all()]


# what the records of the games say


def names_of(match: Match) -> list[str]:
    """Return the teams of a match, home first."""
    return [str(side.entry) for side in match.side_rows.select_related("entry__team").order_by("position")]


def winner_of(match: Match) -> str | None:
    """Return the team that wins by the record of the match's one game; None while it is played."""
    game = Game.objects.filter(table__match=match, state="over").first()
    return names_of(match)[game.ranks.index(0)] if game is not None else None


def matches_of(night: Competition, label: str = "") -> list[Match]:
    return list(night.matches.filter(label=label).order_by("round__number", "number"))


def expected_podium(night: Competition) -> list[tuple[int, str]]:
    """Return the podium by the finished games: the winner and the loser of the final, and the winner of the match for
    third place."""
    steps = []
    for label, first in (("final", 1), ("third_place", 3)):
        for match in matches_of(night, label):
            winner = winner_of(match)
            if winner is None or match.state != "confirmed":
                continue
            steps.append((first, winner))
            if label == "final":
                steps += [(2, name) for name in names_of(match) if name != winner]
    return steps


def finish_round(board: Visitor, night: Competition) -> None:
    """Wait until every open match is decided; meanwhile the podium always agrees with the records."""

    def done() -> bool:
        before = expected_podium(night)
        shown = podium_on(board, night)
        if before == expected_podium(night):
            assert shown == before
        return not night.matches.filter(state__in=("scheduled", "called", "live")).exists()

    eventually(done, seconds=PATIENCE, every=1.5)


def check_the_groups(groups: list[list[Row]], night: Competition) -> None:
    """Check that the games won and lost agree with the records, and that no team is above one with more wins."""
    won: dict[str, int] = dict.fromkeys(PLAYING, 0)
    lost = dict(won)
    for match in matches_of(night):
        winner = winner_of(match)
        for name in names_of(match) if winner else ():
            (won if name == winner else lost)[name] += 1
    rows = [row for group in groups for row in group]
    assert {row.name: (row.won, row.lost) for row in rows} == {name: (won[name], lost[name]) for name in PLAYING}
    for group in groups:
        assert sum(row.marbles for row in group) == 0
        assert all(above.won >= below.won for above, below in pairwise(group))


def settle_ties(desk: Visitor, night: Competition) -> None:
    """Three teams that beat each other by the same margin: lots from the published seed decide when the organiser
    clicks."""
    page = desk.open(f"/competitions/{night.slug}/organise/")
    while page.locator("#ties").count():
        page.locator('#ties button[name=how][value="lots"]').first.click()
        page.wait_for_load_state()


def check_the_end(desk: Visitor, phone: Visitor, night: Competition) -> None:
    """Check the end: ten games, each with a record; a podium for everybody; an intact journal."""
    night.refresh_from_db()
    assert night.state == "finished"
    games = Game.objects.filter(table__match__competition=night)
    assert [(game.state, game.reason) for game in games] == [("over", "played")] * 10
    assert all(GameEvent.objects.filter(game=game, kind="play").count() > 50 for game in games)
    ranks = {str(entry): entry.final_rank for entry in night.entries.exclude(final_rank=None).select_related("team")}
    podium = expected_podium(night)
    assert sorted(ranks.values()) == [1, 2, 3, 4, 5, 5] or sorted(ranks.values()) == [1, 2, 3, 4, 5, 6]
    assert podium == [(ranks[name], name) for _rank, name in podium]
    page = phone.open(f"/competitions/{night.slug}/")
    narrow(page)
    assert podium_on(phone, night) == podium
    page = desk.open(f"/competitions/{night.slug}/organise/")
    assert page.locator(f'.step a[href="/competitions/{night.slug}/"]').count() == 1
    call_command("verify_journal")
