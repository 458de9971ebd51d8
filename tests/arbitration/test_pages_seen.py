"""The pages of arbitration in a browser: nothing overflows a phone's screen, and axe reports no fault."""

from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from tests.live_js.harness import serving
from tests.servers.browser import overflow
from tock_league.arbitration.models import Case
from tock_league.arbitration.services.referees import leases
from tock_league.competitions.services.results import settlement

from .browsers import digest_of, signed_in, to, typed
from .world import World

pytestmark = [pytest.mark.django_db, pytest.mark.browser, pytest.mark.slow]
SCREENS = ((1280, "light"), (360, "dark"))


def pages_of(world: World) -> dict[str, str]:
    """Return the pages, as text, of a call that is ruled and of a dispute that overturns the game."""
    found: dict[str, str] = {}

    def keep(name: str, answer: Any) -> Any:
        assert answer.status_code in (200, 422), (name, answer.status_code)
        found[name] = answer.content.decode()
        return answer

    sat = world.sat()
    sat.play_on(6)
    sat.send(0, "dispute", kind="talk", text="Il parle à son partenaire, deux fois.")
    case = Case.objects.get()
    desk = reverse("arbitration:desk", args=[world.competition.slug])
    referee = signed_in(world.referees[0])
    keep("desk", referee.get(desk))
    leases.take(by=world.referees[0], case=case)
    burn = typed(world, remedies=["blind_burn"])
    keep("faults", referee.post(to("rule", case.number), typed(world, facts="", rules="") | {"do": "preview"}))
    seen = keep("preview", referee.post(to("rule", case.number), burn | {"do": "preview"}))
    keep("party", signed_in(world.players[0]).get(to("case", case.number)))
    referee.post(to("rule", case.number), burn | {"do": "sign", "preview_digest": digest_of(seen)})
    sat.play_on()
    settlement.settle(game_id=sat.game.pk)
    game = world.game
    lost = 1 if game.ranks[0] == 0 else 0
    keep("dispute", signed_in(world.players[lost]).get(reverse("arbitration:dispute", args=[game.slug]) + "?seq=40"))
    second = world.dispute(by=world.players[lost], winner=1 - lost, seq=40)
    keep("answer", signed_in(world.players[1 - lost]).get(to("case", second.number)))
    second = world.taken(world.heard(second))
    head = signed_in(world.head)
    overturned = typed(world, offender=world.players[1 - lost].pk, result="result", game_number="1", winner=str(lost))
    seen = keep("overturn", head.post(to("rule", second.number), overturned | {"do": "preview"}))
    head.post(to("rule", second.number), overturned | {"do": "sign", "preview_digest": digest_of(seen)})
    keep("ruled", signed_in(world.players[1 - lost]).get(to("case", second.number)))
    keep("mine", signed_in(world.players[1 - lost]).get(reverse("arbitration:mine")))
    third = world.taken(world.heard(world.dispute(by=world.players[lost], winner=1 - lost, seq=50)))
    ban = typed(world, offender=world.players[1 - lost].pk, penalty="ban", deviation_reason="Troisième compte.")
    head.get(desk)  # shows the message about the last signature
    seen = keep("two-signatures", head.post(to("rule", third.number), ban | {"do": "preview"}))
    head.post(to("rule", third.number), ban | {"do": "sign", "preview_digest": digest_of(seen)})
    for browser in (head, referee):
        browser.get(desk)
    keep("proposed", head.get(to("case", third.number)))
    keep("second", referee.post(to("countersign", third.number), {"do": "preview"}))
    keep("waits", signed_in(world.players[0]).get(to("case", third.number)))
    keep("password", referee.get(reverse("account_reauthenticate")))
    public = Client(headers={"accept-language": "en"})
    keep("ruling", public.get(to("ruling", second.number)))
    keep("book", public.get(reverse("arbitration:book")))
    keep("competition", public.get(reverse("arbitration:competition", args=[world.competition.slug])))
    keep("table", public.get(reverse("arbitration:table")))
    keep("penalties", public.get(reverse("arbitration:penalties_player", args=[world.players[1 - lost].slug])))
    return found


def test_every_page_fits_the_screen_and_is_accessible(world: World, chromium: Any) -> None:
    from axe_playwright_python.sync_playwright import Axe

    pages, faults = pages_of(world), []
    with serving() as site:
        for width, theme in SCREENS:
            context = chromium.new_context(
                viewport={"width": width, "height": 800}, color_scheme=theme, bypass_csp=True, has_touch=width < 400
            )
            page = context.new_page()
            for number, (name, text) in enumerate(pages.items()):
                site.pages[f"/{name}"] = text
                page.goto(f"{site.url}/{name}")
                if wide := overflow(page):
                    faults.append(f"{name} scrolls sideways by {wide} px on a screen of {width}")
                if number % 2 == (width < 400):  # axe takes a second, so each page is checked on one of the two screens
                    continue
                found = Axe().run(page)
                faults += [f"{name}, {width}, {theme}: {one['id']}" for one in found.response["violations"]]
            context.close()
    assert not faults, "\n".join(faults)
