"""Pages for frames of other sites and for streams: who may frame them, what they show in each state, no cookies."""

import pytest
from django.test import Client
from django.urls import reverse

from tests.competitions.world import a_league, a_plan, a_tournament, decide, first_match, play_match, under_way
from tests.games.conftest import Sat
from tock_league.accounts.permissions import SITE
from tock_league.competitions.models import Competition
from tock_league.competitions.services.rounds import publishing
from tock_league.competitions.services.seasons import lifecycle
from tock_league.feed import embeds

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("hand")]


def page(path: str, **query: str):
    return Client().get(path, query)


def part(competition: Competition, name: str, **query: str):
    return page(f"/embed/competitions/{competition.slug}/{name}/", **{"lang": "en", **query})


def test_every_site_may_frame_these_pages_and_no_other_one() -> None:
    league = a_league(4)
    match = first_match(league)
    for answer in (part(league, "standings"), part(league, "matches"), page(f"/embed/matches/{match.slug}/overlay/")):
        assert answer.status_code == 200
        assert "x-frame-options" not in answer.headers
        policy = answer.headers["content-security-policy"]
        assert "frame-ancestors" not in policy
        assert "form-action 'none'" in policy
        assert not answer.cookies
        assert "<form" not in answer.content.decode()
    for path in (
        f"/competitions/{league.slug}/",
        f"/competitions/{league.slug}/embed/",
        "/embed/competitions/x/matches/",
    ):
        answer = page(path)
        assert answer.headers["x-frame-options"] == "DENY"
        assert "frame-ancestors 'none'" in answer.headers["content-security-policy"]


def test_language_and_theme_are_parameters_and_links_open_the_site() -> None:
    league = a_league(4)
    dark = part(league, "matches", theme="dark", lang="en").content.decode()
    assert '<html lang="en" class="dark">' in dark
    assert "theme.js" not in dark
    assert '<base target="_blank">' in dark
    assert "Next matches" not in dark  # no heading where there is one list alone
    light = part(league, "matches", theme="<script>", lang="fr")
    assert '<html lang="fr' in light.content.decode()
    assert "theme.js" in light.content.decode()
    assert light.headers["content-language"].startswith("fr")
    assert part(league, "matches", lang="xx").status_code == 200
    assert f'data-feed="/live/competitions/{league.slug}"' in dark


def test_each_state_is_shown() -> None:
    cup = a_tournament(0, state="open")
    assert "The draw is not made yet." in part(cup, "bracket").content.decode()
    assert "No match is planned yet." in part(cup, "matches").content.decode()
    lifecycle.advance(by=SITE, competition=cup, to="cancelled", reason="La salle est inondée.")
    cancelled = part(cup, "bracket").content.decode()
    assert 'class="tag bad"' in cancelled
    assert "La salle est inondée." in cancelled
    done = a_tournament(4)
    decide(under_way(done)[0], 0)
    assert done.matches.first().side_rows.first().entry.team.name in part(done, "bracket").content.decode()
    assert "Results" in part(done, "matches").content.decode()
    assert part(done, "standings").status_code == 404  # a knockout has none
    league = a_league(4)
    assert part(league, "bracket").status_code == 404
    assert "<td>1</td>" in part(league, "standings").content.decode()
    for path in ("nothing/matches/", f"{a_tournament(0, state='draft').slug}/matches/", f"{league.slug}/people/"):
        assert page(f"/embed/competitions/{path}").status_code == 404
    Competition.objects.filter(pk=league.pk).update(is_rehearsal=True)
    assert part(league, "standings").status_code == 404
    assert page(f"/embed/matches/{first_match(league).slug}/overlay/").status_code == 404
    assert page(f"/competitions/{league.slug}/embed/").status_code == 404


def test_boards_have_their_pages() -> None:
    play_match(first_match(a_league(4)), 0)
    for kind in ("player", "team"):
        answer = page(f"/embed/boards/shawinigan/2/{kind}/", lang="en")
        assert answer.status_code == 200
        assert "Nobody is placed yet." in answer.content.decode()
    assert page("/embed/boards/shawinigan/2/club/").status_code == 404
    assert page("/embed/boards/nothing/9/team/").status_code == 404


def test_the_overlay_shows_what_spectators_see(monkeypatch) -> None:
    match = under_way(a_tournament(4, on_paper=False))[0]
    path = f"/embed/matches/{match.slug}/overlay/"
    assert "Final result" not in page(path, lang="en").content.decode()
    publishing.open_table(match_id=match.pk, early=True)
    match.refresh_from_db()
    players = [seating.player for seating in match.table.seatings.select_related("player").order_by("seat")]
    sat = Sat(match.table, players)
    sat.all_ready()
    sat.exchange()
    sat.play_on(8)
    late = page(path, lang="en").content.decode()
    assert "The game begins." in late  # one deal late
    assert players[0].display_name in late
    sat.table.release = "live"
    sat.table.save(update_fields=["release"])
    live = page(path, lang="en").content.decode()
    assert "<code>" in live
    assert "data-left-ms" in live
    decide(under_way(match.competition)[1], 0)
    other = match.competition.matches.filter(state="confirmed").first()
    assert "Final result" in page(f"/embed/matches/{other.slug}/overlay/", lang="en").content.decode()


class Step:
    def __init__(self, **data: object) -> None:
        self.data = data

    def event(self, _viewer: object) -> dict[str, object]:
        return {"k": "play", "d": self.data, "set": {}}


def test_a_deal_is_no_last_play_of_somebody(monkeypatch) -> None:
    monkeypatch.setattr("tock_league.feed.embeds.reader.steps_between", lambda *_: [])
    steps = [Step(seat=1, play="9C t4-t13"), Step(play="deal", chance=True)]
    monkeypatch.setattr("tock_league.feed.embeds.told", lambda _steps: steps)
    play = embeds._last_play(None, 5, ["Ana", "Luc"])
    assert (play.name, play.text) == ("Luc", "9C t4-t13")


def test_the_page_to_copy_from_is_reached_from_the_competition() -> None:
    cup = a_tournament(4, plan=a_plan("groups_knockout"), on_paper=False)
    address = reverse("feed:snippets", args=[cup.slug])
    assert address in page(f"/competitions/{cup.slug}/").content.decode()
    shown = page(address).content.decode()
    for name in ("standings", "bracket", "matches"):
        assert f"/embed/competitions/{cup.slug}/{name}/?lang=" in shown
        assert part(cup, name).status_code == 200
    assert f"/embed/matches/{under_way(cup)[0].slug}/overlay/" in shown
