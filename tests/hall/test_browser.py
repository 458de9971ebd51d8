"""A wall and a phone follow a round by themselves, in a real browser: without a reload, through a restart of the server."""

import os
from typing import Any

import pytest

from tests.competitions.world import a_plan, a_tournament, decide, under_way
from tests.feed.listening import Reader
from tests.servers.browser import PHONE, Visitors, come_true, overflow, overflow_on_both
from tests.servers.site import LiveSite
from tock_league.accounts.permissions import SITE
from tock_league.hall.models import TeamLink
from tock_league.hall.selectors.secret import secret_of
from tock_league.hall.services import announcing, clocks, links, screens

from .conftest import serving

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.browser]
TELEVISION = {"width": 1280, "height": 720}
LONG = "Les Vieux Pieux de Saint-Étienne-des-Grès et de Shawinigan"


def shows(page: Any, text: str, *, seconds: float = 12) -> None:
    """Wait until the page shows the text; it must not have been loaded again since `mark`."""
    assert come_true(page, f"document.body.innerText.replaceAll('\\n', '').includes({text!r})", seconds), (
        f"{text} not in {page.inner_text('body')}"
    )
    assert page.evaluate("window.stays") is True


def test_a_wall_and_a_phone_follow_a_round_and_a_restart(live_site: LiveSite, visitors: Visitors) -> None:
    cup = a_tournament(4, plan=a_plan("swiss", rounds=2))
    links.make(by=SITE, competition=cup)
    match = under_way(cup)[0]
    mine = match.side_rows.get(position=0).entry
    other = str(match.side_rows.get(position=1).entry)
    screens.add(by=SITE, competition=cup, name="Entrée", turns=[("names", 60), ("results", 60)], theme="dark")
    # The phone's own clock is ten minutes wrong, as on many phones.
    wall = visitors.enter("wall", screen=TELEVISION, locale="en")
    phone = visitors.enter("phone", screen=PHONE, locale="en")
    for one in (wall, phone):
        one.tolerates_errors = True  # the server stops on purpose
    phone.context.add_init_script("const now = Date.now; Date.now = () => now() - 600000")
    wall.open(f"/competitions/{cup.slug}/wall/1/?lang=en")
    phone.open(f"/t/{secret_of(TeamLink.objects.get(entry=mine))}/?lang=en")
    for one in (wall, phone):
        one.page.evaluate("window.stays = true")
    shows(wall.page, str(mine))
    shows(phone.page, other)

    clocks.start(by=SITE, competition=cup, minutes=40, call="deal", seen=0)
    for one in (wall, phone):
        shows(one.page, "39:")
    clocks.pause(by=SITE, competition=cup, seen=1)
    shows(wall.page, "paused")
    announcing.announce(by=SITE, competition=cup, text="Le souper est servi.")
    for one in (wall, phone):
        shows(one.page, "Le souper est servi.")
    screens.show(by=SITE, competition=cup, number=1, view="tables")  # at once, from the desk
    shows(wall.page, "Tables")

    live_site.stop_web()
    shows(wall.page, str(mine))  # never blank
    decide(match, 0)
    live_site.start_web()
    shows(phone.page, "Won", seconds=40)
    screens.show(by=SITE, competition=cup, number=1, view="results")
    shows(wall.page, "1 – 0", seconds=40)
    decide(under_way(cup)[0], 0)  # the next round is published: table and opponents change by themselves
    shows(phone.page, "Round 2", seconds=20)
    assert overflow(phone.page) == 0

    # Nothing grows while it is open: as many elements after many changes as before.
    screens.show(by=SITE, competition=cup, number=1, view="names")
    shows(wall.page, "Where do I play?")
    screens.change(by=SITE, competition=cup, number=1, name="Entrée", turns=[("names", 60)], theme="light")
    assert come_true(wall.page, "!document.documentElement.classList.contains('dark')", 12)
    count = "document.querySelectorAll('*').length"
    before = wall.page.evaluate(count)
    for text in ("Un.", "Deux.", "Trois."):
        announcing.announce(by=SITE, competition=cup, text=text)
        shows(wall.page, text)
    assert wall.page.evaluate(count) == before


def test_two_desks_see_one_clock(live_site: LiveSite, visitors: Visitors) -> None:
    cup = a_tournament(4, plan=a_plan("swiss", rounds=2))
    boss = serving(cup, "organiser")
    desks = [visitors.enter(name, user=boss.user) for name in ("desk", "other desk")]
    clocks.start(by=SITE, competition=cup, minutes=40, call="deal", seen=0)
    first, second = (desk.open(f"/competitions/{cup.slug}/hall/") for desk in desks)
    first.fill("#more-table", "1")
    first.click("button[value=add]")
    assert come_true(second, "document.querySelector('.round-clock-tables')", 10) is not None
    second.click("button[value=pause]")  # of the clock that it sees now
    second.locator("button[value=resume]").wait_for()
    first.locator("button[value=resume]").wait_for(timeout=10_000)
    assert overflow_on_both(first) == 0


def test_the_feed_tells_what_a_hall_follows(live_site: LiveSite) -> None:
    cup = a_tournament(4, plan=a_plan("swiss", rounds=2))
    screens.add(by=SITE, competition=cup, name="Entrée", turns=[("names", 60)], theme="dark")
    with Reader(live_site, f"/live/competitions/{cup.slug}") as reader:
        reader.take("ready")
        clocks.start(by=SITE, competition=cup, minutes=40, call="deal", seen=0)
        announcing.announce(by=SITE, competition=cup, text="Le souper est servi.")
        screens.show(by=SITE, competition=cup, number=1, view="tables")
        told = reader.take("clock.changed", "announcement.changed", "screen.changed")
    clock = f"/api/v1/competitions/{cup.slug}/clock"
    assert [event.data["href"] for event in told] == [clock, clock, f"/api/v1/competitions/{cup.slug}"]
    assert told[2].data["subject"] == "1"


def test_sixty_four_teams_come_page_by_page_and_no_name_is_cut(live_site: LiveSite, visitors: Visitors) -> None:
    cup = a_tournament(64, plan=a_plan("swiss", rounds=2))
    team = cup.entries.first().team
    team.name = LONG
    team.save(update_fields=["name"])
    screens.add(by=SITE, competition=cup, name="Mur", turns=[("names", 5)], theme="light")
    screens.add(by=SITE, competition=cup, name="Classement", turns=[("standings", 5)], theme="light")
    rolls = "document.getAnimations().filter((one) => one.effect.target.matches('[data-roll]')).length"
    for motion, animations in (("no-preference", 1), ("reduce", 0)):
        page = visitors.enter("scroll", screen=TELEVISION, reduced_motion=motion).open(
            f"/competitions/{cup.slug}/wall/2/"
        )
        pages = "document.querySelector('[data-page]').textContent.startsWith('1 / ')"
        assert come_true(page, f"{rolls} === {animations} && {pages} !== {str(bool(animations)).lower()}", 10)
    for screen in (TELEVISION, {"width": 1920, "height": 1080}):
        seen: set[str] = set()
        visitor = visitors.enter("wall", screen=screen, locale="fr-CA", reduced_motion="reduce")
        # Time passes faster than in the hall.
        visitor.context.add_init_script(
            "const now = performance.now.bind(performance); performance.now = () => 8 * now()"
        )
        page = visitor.open(f"/competitions/{cup.slug}/wall/1/?lang=fr")
        assert come_true(page, "document.querySelector('[data-page]').textContent.includes('1 / ')", 10)
        pages = int(page.inner_text("[data-page]").split("/")[1])
        for number in range(1, pages + 1):
            assert come_true(page, f"document.querySelector('[data-page]').textContent.startsWith('{number} / ')", 10)
            # In one step, because the page changes meanwhile.
            room, rows = page.evaluate(
                """() => {
                  const room = document.querySelector('[data-room]').getBoundingClientRect();
                  const rows = [...document.querySelectorAll('[data-row]:not([hidden])')].map((row) => {
                    const box = row.getBoundingClientRect(), name = row.querySelector('.wall-name');
                    return [name.textContent, box.left, box.right, box.bottom, name.scrollWidth - name.clientWidth];
                  });
                  return [{x: room.left, y: room.top, width: room.width, height: room.height}, rows];
                }"""
            )
            for name, left, right, bottom, cut in rows:
                seen.add(name)
                assert cut <= 0, name
                assert left >= room["x"] - 1, name
                assert right <= room["x"] + room["width"] + 1, name
                assert bottom <= room["y"] + room["height"] + 2, name
            if folder := os.environ.get("TOCK_SHOTS"):
                page.screenshot(path=f"{folder}/wall-{screen['width']}-{number}.png")
        assert len(seen) == 64
        assert LONG in seen
        size = page.evaluate("parseFloat(getComputedStyle(document.querySelector('.wall-line')).fontSize)")
        assert size >= 0.07 * screen["height"] - 0.5  # what docs/wall.md computes the distance from
