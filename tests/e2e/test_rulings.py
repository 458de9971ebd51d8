"""A complaint of talking that is filed again, and a ban with next week's match ahead, on the pages.

People walk on a phone; nothing may scroll sideways there and on a wide screen.
"""

from collections.abc import Iterator

import pytest

from tests.arbitration.sanctions import about_to_be_struck, next_match
from tests.arbitration.world import WORDS, World, a_world, fresh
from tests.competitions.world import START, a_player
from tests.live.sockets import login_of
from tests.servers.browser import PHONE, Visitor, Visitors, overflow_on_both
from tock_league.accounts.models import Player
from tock_league.accounts.permissions import SITE
from tock_league.arbitration.models import Case
from tock_league.clubs.models import TeamPlayer
from tock_league.common import clock
from tock_league.competitions.models import Entry, Match
from tock_league.competitions.services.entries import rosters

pytestmark = [pytest.mark.browser, pytest.mark.slow]
AGAIN = "Mon partenaire l’a entendu aussi."


@pytest.fixture
def world(transactional_db: None) -> Iterator[World]:
    """A league with a round a week, a minute after its first match. The live site sees the same frozen time."""
    with clock.frozen(START) as hand:
        made = a_world()
        made.played()
        hand.advance(minutes=1)  # a worker does not wait for the game to be old enough for its rating
        yield made


def entering(visitors: Visitors, player: Player) -> Visitor:
    return visitors.enter(player.display_name, user=login_of(player), reduced_motion="reduce", screen=PHONE)


def read(visitor: Visitor, path: str, selector: str) -> str:
    """Return the text of a part of the page at `path`, which does not scroll sideways."""
    page = visitor.open(path)
    assert overflow_on_both(page) <= 0
    return " ".join(page.locator(selector).inner_text().split())


def test_a_complaint_of_talking_filed_again_is_merged_and_after_the_finding_refused(
    world: World, visitors: Visitors
) -> None:
    case = world.dispute()
    partner = entering(visitors, world.players[3])
    form = f"/games/{world.game.slug}/dispute/?seq=5"

    def complain(kind: str) -> None:
        page = partner.page
        page.select_option("[name=kind]", kind)
        page.fill("[name=text]", AGAIN)
        page.click("form.narrow-form button.primary")

    assert case.number in read(partner, form, "form.narrow-form")
    complain("talk")
    partner.page.wait_for_url(f"**/cases/{case.number}/")
    assert overflow_on_both(partner.page) <= 0
    words = partner.page.locator("main").inner_text()
    assert (words.count(WORDS), words.count(AGAIN)) == (1, 1)
    assert Case.objects.get() == case
    world.rule(world.taken(world.heard(case)), world.against(case))
    partner.open(form)
    partner.tolerates_errors = True  # the console reports the refusal, a 422
    complain("conduct")
    refused = partner.page.locator("form.narrow-form [role=alert]")
    assert case.number in refused.inner_text()
    assert refused.locator(f'a[href="/cases/{case.number}/"]').is_visible()
    assert overflow_on_both(partner.page) <= 0
    assert fresh(case).rulings.count() == Case.objects.count() == 1


def with_substitute(entry: Entry) -> Player:
    """Return a substitute who is put on the entry's roster."""
    found = a_player("Noé Roy")
    TeamPlayer.objects.create(team=entry.team, player=found, slot=3, joined=clock.now())
    rosters.add_substitute(by=SITE, entry=entry, player=found)
    return found


def test_a_ban_takes_a_player_out_of_next_weeks_match(world: World, visitors: Visitors) -> None:
    struck = about_to_be_struck(world)
    name, entry = struck.player.display_name, world.match.side_rows.get(position=0).entry
    comes = with_substitute(entry)
    struck.sign("ban")
    later = Match.objects.filter(side_rows__entry=entry, state="scheduled").order_by("starts_at").first()
    banned = entering(visitors, struck.player)
    for path in (f"/players/{struck.player.slug}/", f"/matches/{later.slug}/"):
        shown = read(banned, path, ".kept-out")
        assert name in shown
        assert struck.case.number in shown
    desk = entering(visitors, world.organiser)
    shown = read(desk, f"/competitions/{world.competition.slug}/organise/", "#sanctioned")
    assert {words in shown for words in (str(entry), name, comes.display_name)} == {True}
    desk.page.click(f'#sanctioned a[href="/entries/{entry.slug}/"]')
    desk.page.wait_for_url("**/entries/*/")
    assert overflow_on_both(desk.page) <= 0
    assert desk.page.is_visible(f'button[name="leaves"][value="{struck.player.slug}"]')
    page = banned.open(f"/tables/{next_match(struck).table.slug}/")
    page.click("#choices [data-key=ready]")
    page.wait_for_selector("text=exclut pour de bon")
    assert overflow_on_both(page) <= 0
