"""The league's public pages: scores, standings, calendar, list; their queries."""

import re
from datetime import timedelta

import pytest
from django.urls import reverse

from tock_league.accounts.permissions import SITE
from tock_league.common.errors import Refused
from tock_league.competitions.models import Competition, Entry
from tock_league.competitions.selectors.seasons import competitions
from tock_league.competitions.services.results import settlement
from tock_league.competitions.services.seasons import nights, regulations

from .world import (
    FIRST_ROUND,
    a_league,
    a_tournament,
    first_match,
    play_match,
)

pytestmark = pytest.mark.django_db


def test_the_public_reason_of_an_award_is_plain_text(roles, club, hand):
    match = first_match(a_league(2, club=club))
    address = reverse("competitions:award", args=[match.slug])
    answer = roles("organiser").post(address, {"winner": "none", "reason": "\x1b[31mabsent"})
    assert answer.status_code == 422
    assert list(answer.context["award_form"].errors) == ["reason"]


def test_a_played_match_shows_its_score_and_its_replay(client, league, hand):
    hand.set(FIRST_ROUND)
    match = play_match(first_match(league), winner=0)
    page = client.get(reverse("competitions:match", args=[match.slug])).content.decode()
    assert "1 – 0" in page
    assert reverse("games:replay", args=[match.games.get().game.slug]) in page


def test_an_awarded_match_prints_its_reason(client, league, hand):
    match = first_match(league)
    with pytest.raises(Refused) as error:
        settlement.award(by=SITE, match=match, winner=1, reason="Draveurs malades <b>")
    assert (error.value.code, error.value.field) == ("markup", "reason")
    settlement.award(by=SITE, match=match, winner=1, reason="Draveurs malades & 2 < 3")
    page = client.get(reverse("competitions:match", args=[match.slug])).content.decode()
    assert "Draveurs malades &amp; 2 &lt; 3" in page


def test_each_number_of_the_standings_leads_to_its_matches(client, league, hand):
    hand.set(FIRST_ROUND)
    match = play_match(first_match(league), winner=0)
    page = client.get(reverse("competitions:competition", args=[league.slug])).content.decode()
    winner = match.side_rows.get(position=0).entry
    explanation = reverse("competitions:explained", args=[league.slug, winner.slug])
    assert f'href="{explanation}#p-1"' in page
    assert f'<a href="{reverse("pages:team", args=[winner.team.slug])}">{winner.team.name}</a>' in page
    explained = client.get(explanation).content.decode()
    explained = explained[explained.index('id="p-1"') :]
    assert reverse("competitions:match", args=[match.slug]) in explained[:600]
    assert client.get(reverse("competitions:explained", args=[league.slug, "nobody"])).status_code == 404


def test_a_demonstration_says_so_on_each_of_its_pages(client, hand, db):
    league = a_league(2, bot="club")
    for name in ("competition", "matches", "regulations"):
        page = client.get(reverse(f"competitions:{name}", args=[league.slug]), headers={"accept-language": "en"})
        assert "programs play for some of the names" in page.content.decode()


@pytest.mark.parametrize("month", ["2026-10", "1999-01", "x", "2026-13", ""])
def test_the_month_sheet_stands_any_month_asked_for(client, league, month):
    page = client.get(reverse("competitions:matches", args=[league.slug]), {"month": month})
    assert page.status_code == 200
    days = page.context["month"]["days"]
    assert len(days) % 7 == 0
    chips = [
        f'<span class="calendar-sides">{view.title}</span>' for day in days if not day["out"] for view in day["matches"]
    ]
    assert chips
    assert all(chip in page.content.decode() for chip in chips)


def test_unknown_addresses_are_404(client, db):
    for name in ("competition", "matches", "regulations", "match"):
        assert client.get(reverse(f"competitions:{name}", args=["nowhere"])).status_code == 404


def _small_and_large(hand):
    small, large = a_league(2), a_league(8)
    hand.set(FIRST_ROUND)
    for league in (small, large):
        for match in league.matches.filter(round__number=1):
            play_match(match, winner=0)
    return small, large


def test_query_counts_do_not_grow_with_the_league(client, hand, db, django_assert_num_queries):
    small, large = _small_and_large(hand)
    for league in (small, large):
        client.get(reverse("competitions:competition", args=[league.slug]))  # the first reader after a change computes
        # on every page but that of a match 1 for the round clock
        # 1 competition with division, season, club, regulations; 1 its version; 1 the names of the entries
        # 8 round under way: which matches, matches, versions, lines, effects of rulings, sides, rosters; no games yet
        with django_assert_num_queries(11):
            client.get(reverse("competitions:competition", args=[league.slug]))
        # 1 competition; 1 entry; 2 its version, for rows and explanations; 1 names; 1 roster
        explained = reverse("competitions:explained", args=[league.slug, league.entries.first().slug])
        with django_assert_num_queries(7):
            client.get(explained)
        # 1 competition; 7 rounds; 3 chances: the ladder, its ratings, other ladders from which newcomers start
        with django_assert_num_queries(12):
            client.get(reverse("competitions:matches", args=[league.slug]))
        # 7 match; 1 corrections; 1 the version of the standings; 1 rulings, 1 earlier meetings: there are none
        match = first_match(league)
        with django_assert_num_queries(11):
            client.get(reverse("competitions:match", args=[match.slug]))


def test_the_list_takes_one_query(client, hand, db, django_assert_num_queries):
    a_league(2)
    with django_assert_num_queries(1):
        client.get(reverse("competitions:list"))
    a_league(4)
    with django_assert_num_queries(1):
        client.get(reverse("competitions:list"))


def test_a_team_that_is_refused_or_has_left_is_not_counted(client, hand, db):
    made = a_tournament(4, state="open")
    states = ["refused", "disqualified", "dropped"]
    for entry, state in zip(made.entries.order_by("pk"), states, strict=False):
        Entry.objects.filter(pk=entry.pk).update(state=state, seed=None)
    assert competitions.get(made.slug, None).teams == 1
    assert competitions.listed().ahead[0].teams == 1


def test_the_list_says_what_runs_what_comes_and_what_is_over_each_with_its_dates(client, hand, db):
    running, over = a_league(2), a_league(2)
    play_match(first_match(running), winner=0)
    Competition.objects.filter(pk=over.pk).update(state="finished")
    later, sooner = a_tournament(0, state="open"), a_tournament(0, state="open")
    Competition.objects.filter(pk=later.pk).update(starts_at=FIRST_ROUND + timedelta(days=90))
    draft = a_tournament(0, state="draft")
    listed = competitions.listed()
    assert [list(listed.running), list(listed.ahead), list(listed.over)] == [[running], [sooner, later], [over]]
    assert (listed.running[0].first_at, listed.running[0].last_at) == (FIRST_ROUND, FIRST_ROUND + timedelta(days=7))
    page = client.get(reverse("competitions:list"), headers={"accept-language": "en"}).content.decode()
    places = [page.index(words) for words in ("Under way", running.name, "To come", later.name, "Over", over.name)]
    assert places == sorted(places)
    assert "September 2, 2026 – September 9, 2026" in page
    assert draft.name not in page


def test_no_page_carries_script_or_style_of_its_own(roles, club, hand):
    league = a_league(2, state="draft", club=club)
    client = roles("organiser")
    night = nights.announce_night(by=SITE, club=club, name="Soirée", regulations=regulations.freeze(code="night"))
    pages = [
        reverse("competitions:list"),
        reverse("competitions:new"),
        reverse("competitions:new_season"),
        reverse("competitions:organise", args=[league.slug]),
        reverse("competitions:organise", args=[night.slug]),
    ]
    for address in pages:
        page = client.get(address).content.decode()
        assert not re.search(r"<style|style=|\son[a-z]+=|<script(?![^>]*src=)", page), address
