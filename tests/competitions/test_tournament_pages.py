"""The public pages of tournaments: their content, links and number of queries."""

import html
import re

import pytest
from django.urls import reverse

from tests.documents import squeezed
from tock_league.accounts.permissions import SITE
from tock_league.competitions.services.entries import checkin, registration
from tock_league.competitions.services.rounds import draw, publishing
from tock_league.competitions.services.seasons import lifecycle
from tock_league.competitions.verifier import swiss

from .world import a_plan, a_team, a_tournament, decide, play_on, under_way

KINDS = ("knockout", "groups_knockout", "swiss")


def get(client, name, competition, **more):
    answer = client.get(reverse(f"competitions:{name}", args=[competition.slug, *more.values()]))
    assert answer.status_code == 200, answer.status_code
    return squeezed(answer.content.decode())


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("state", ["open", "closed", "running", "finished"])
def test_every_page_of_a_tournament_opens_in_every_state(client, hand, db, kind, state):
    made = a_tournament(8, plan=a_plan(kind), state=state)
    pages = ["competition", "teams", "matches", "regulations"]
    pages += {"groups_knockout": ["groups"], "swiss": ["rounds"]}.get(kind, [])
    for name in pages:
        page = get(client, name, made)
        assert made.name in page
        assert not re.search(r"<style|style=|\son[a-z]+=|<script(?![^>]*src=)", page), name


def links(page: str, pattern: str) -> list[str]:
    """Return the addresses in `page` that match."""
    return re.findall(rf'href="({pattern})"', page)


def drawing(page: str) -> str:
    return page[page.index('<svg class="bracket-drawing"') : page.index('<div class="bracket-lists">')]


def lists(page: str) -> str:
    """Return the bracket as nested lists, up to the next section."""
    start = page.index('<div class="bracket-lists">')
    return page[start : page.index("</section>", start)]


def sides_of(part: str, pattern: str) -> list[tuple[str, ...]]:
    return [tuple(found) for found in re.findall(pattern, part)]


@pytest.mark.parametrize("teams", [2, 3, 5, 8, 11, 16])
def test_the_drawing_and_the_lists_of_a_bracket_hold_the_same_matches(client, hand, db, teams):
    made = a_tournament(teams)
    play_on(made, matches=teams // 2)
    page = get(client, "competition", made)
    matches = made.matches.count()
    drawn = links(drawing(page), '/matches/[^"]+/')
    listed = links(lists(page), '/matches/[^"]+/')
    assert sorted(drawn) == sorted(listed)
    assert len(set(drawn)) == matches
    names = sides_of(lists(page), r"<i>([^<]*)</i><span>([^<]*)</span><b>([^<]*)</b>")
    assert len(names) == 2 * matches
    for _seed, name, _score in names:
        assert name in drawing(page), "what the list says can be read in the drawing, in its titles at least"


def test_a_live_match_of_the_bracket_leads_to_its_table(client, hand, db):
    made = a_tournament(4, on_paper=False, bot="steady")
    hand.advance(hours=2)
    publishing.open_due_tables()
    match = under_way(made)[0]
    assert match.table is not None
    page = get(client, "competition", made)
    table = reverse("games:table", args=[match.table.slug])
    assert table in drawing(page)
    assert table in lists(page)


def test_names_are_text_and_long_ones_are_cut_in_the_drawing_only(client, hand, db):
    made = a_tournament(3, state="open")
    long = "Les & Cie de la très haute Mauricie"
    registration.register(by=SITE, competition=made, team=a_team(long))
    made = lifecycle.run_through(by=SITE, competition=made, to="closed")
    draw.draw(by=SITE, competition=made)
    made = lifecycle.advance(by=SITE, competition=made, to="running")
    page = get(client, "competition", made)
    whole = long.replace("&", "&amp;")
    assert whole in lists(page)
    assert f'y="25">{whole}' not in drawing(page)
    assert "…</text>" in drawing(page)


def test_the_podium_shows_what_is_certain_and_nothing_before(client, hand, db):
    made = a_tournament(4)
    play_on(made, matches=2)
    assert "podium-section" not in get(client, "competition", made)
    final, third = sorted(under_way(made), key=lambda match: match.label)
    assert (final.label, third.label) == ("final", "third_place")
    decide(third, 0)
    page = get(client, "competition", made)
    third_team = str(third.side_rows.get(position=0).entry)
    assert re.findall(r'class="medal medal-(\d)"', page) == ["3"]
    assert third_team in page[page.index("podium-section") :]
    decide(final, 1)
    page = get(client, "competition", made)
    assert re.findall(r'class="medal medal-(\d)"', page) == ["1", "2", "3"]
    podium = page[page.index("podium-section") : page.index("bracket-section")]
    names = re.findall(r"<b><a[^>]*>([^<]*)</a>", podium)
    assert names[0] == str(final.side_rows.get(position=1).entry)
    assert names[2] == third_team


def test_groups_show_who_has_qualified_once_it_is_certain(client, hand, db):
    made = a_tournament(8, plan=a_plan("groups_knockout"))
    assert "qualifi" not in get(client, "competition", made).split('class="groups"')[1]
    play_on(made, matches=12)
    page = get(client, "competition", made).split('class="groups"')[1]
    assert len(re.findall(r'<tr class="[^"]*cut', page)) == 2
    assert page.count('<span class="tag">') == 4


def test_the_cross_table_opens_each_result_from_both_sides(client, hand, db):
    made = a_tournament(8, plan=a_plan("groups_knockout"))
    play_on(made, matches=5)
    page = get(client, "groups", made)
    tables = re.findall(r'<table class="cross">.*?</table>', page, re.DOTALL)
    assert len(tables) == 2
    for table in tables:
        found = links(table, '/matches/[^"]+/')
        assert len(found) == 12, "six matches, each from both sides"
        assert len(set(found)) == 6
    wins = sum(table.count('class="cross-cell win"') for table in tables)
    losses = sum(table.count('class="cross-cell loss"') for table in tables)
    assert wins == losses == 5


def test_every_number_of_a_group_leads_to_the_matches_that_make_it(client, hand, db):
    made = a_tournament(8, plan=a_plan("groups_knockout"))
    play_on(made, matches=12)
    page = get(client, "groups", made)
    short = get(client, "competition", made)
    for entry in made.entries.all():
        address = reverse("competitions:explained", args=[made.slug, entry.slug])
        for shown in (page, short):
            assert len(links(shown, f"{address}#p-1")) == 1, "the points, or the matches won"
            assert len(links(shown, f"{address}#m-1")) == 1, "the marbles"
        part = client.get(address).content.decode()
        part = part[part.index('id="p-1"') :]
        part = part[: part.index("</div>")]
        assert len(links(part, '/matches/[^"]+/')) == 3


def test_a_swiss_round_explains_each_pairing_and_gives_its_certificate(client, hand, db):
    made = a_tournament(7, plan=a_plan("swiss"))
    play_on(made, matches=4)
    page = get(client, "rounds", made)
    assert page.count('class="why-pair"') == 2 * (3 + 1), "three pairs and one that rests, in each of two rounds"
    answer = client.get(reverse("competitions:certificate", args=[made.slug, 2]))
    assert answer["content-type"].startswith("application/json")
    assert swiss.check(answer.json()) == ()
    assert answer.json()["inputs_hash"] in page
    assert client.get(reverse("competitions:certificate", args=[made.slug, 9])).status_code == 404


def test_tie_breaks_of_a_swiss_table_name_the_matches_behind_them(client, hand, db):
    made = a_tournament(8, plan=a_plan("swiss"), tiebreaks=("buchholz", "lots"), state="finished")
    addresses = [reverse("competitions:explained", args=[made.slug, entry.slug]) for entry in made.entries.all()]
    pages = "".join(client.get(address).content.decode() for address in addresses)
    steps = [part for part in re.findall(r'<ol class="why-list">.*?</ol>', pages, re.DOTALL) if "terms" in part]
    assert steps
    for step in steps:
        assert len(links(step, '/matches/[^"]+/')) >= 3


def test_teams_show_who_is_present_and_why_others_are_not(client, hand, db):
    made = a_tournament(4, check_in=True, state="open")
    hand.advance(minutes=45)
    here, half, *_rest = made.entries.order_by("pk")
    for spot in here.roster.all():
        checkin.check_in(by=SITE, entry=here, player=spot.player)
    checkin.check_in(by=SITE, entry=half, player=half.roster.first().player)
    page = get(client, "teams", made)
    assert page.count('<span class="tag good"><svg') == 3
    hand.advance(hours=1)
    checkin.close(by=SITE, competition=made)
    half.refresh_from_db()
    page = get(client, "teams", made)
    assert half.state == "dropped"
    assert str(half.why) in html.unescape(page)


@pytest.mark.parametrize("name", ["groups", "rounds", "teams"])
def test_leagues_have_no_pages_of_tournaments(client, league, name):
    assert client.get(reverse(f"competitions:{name}", args=[league.slug])).status_code == 404


def test_a_draft_is_hidden_from_others(client, hand, db):
    made = a_tournament(4, state="draft")
    for name in ("competition", "groups", "rounds", "teams"):
        assert client.get(reverse(f"competitions:{name}", args=[made.slug])).status_code == 404


@pytest.mark.parametrize(
    ("kind", "pages"),
    [
        # on every page 1 for the round clock
        # 1 competition; 1 its version; matches: 1, versions, lines, effects, seats, rosters, games, and 2 for where empty
        # seats are filled from; 1 podium
        ("knockout", {"competition": 13, "teams": 5}),
        # 2 tables: the names of entries and groups; the seats of the bracket are empty, so it has no rosters and no versions;
        # groups: 1 whether the best of a rank go on
        ("groups_knockout", {"competition": 13, "groups": 13, "teams": 5}),
        # no seat is empty; 1 which matches are shown; rounds: 2 for certificates and who rests, 2 for chances where a match
        # is open, 2 for the wishes of the organisers
        ("swiss", {"competition": 14, "rounds": 16, "teams": 5}),
    ],
)
def test_query_counts_are_the_same_for_8_and_32_entries(client, hand, db, django_assert_num_queries, kind, pages):
    for teams in (8, 32):
        plan = a_plan(kind, groups=teams // 4) if kind == "groups_knockout" else a_plan(kind)
        made = a_tournament(teams, plan=plan)
        play_on(made, matches=teams // 4)
        get(client, "competition", made)  # the first reader after a change computes
        for page, queries in pages.items():
            with django_assert_num_queries(queries):
                get(client, page, made)


def test_a_bracket_fed_by_four_groups_waits_for_all_of_them_and_is_played(client, hand, db):
    made = a_tournament(16, plan=a_plan("groups_knockout", groups=4))
    play_on(made, matches=23)
    bracket = made.matches.exclude(label="")
    assert set(bracket.values_list("state", flat=True)) == {"waiting"}, "three groups are over, the fourth is not"
    play_on(made)
    assert set(bracket.values_list("state", flat=True)) == {"confirmed"}
    page = get(client, "competition", made)
    assert re.findall(r'class="medal medal-(\d)"', page) == ["1", "2", "3"]


def test_a_large_double_elimination_is_shown_tree_by_tree(client, hand, db):
    made = a_tournament(20, plan=a_plan("double_elimination"))
    address = reverse("competitions:competition", args=[made.slug])
    drawn = client.get(address).context["drawn"]
    assert [part.is_shown for part in drawn.parts] == [True, False]
    assert all(part.title for part in drawn.parts)
    second = client.get(address, {"part": drawn.parts[1].key}).context["drawn"]
    shown = [[node.number for node in page.drawing.nodes] for page in (drawn, second)]
    assert sorted(shown[0] + shown[1]) == list(range(1, 2 * 20))
    assert {node.view.match.label for node in second.drawing.nodes} == {"losers"}
    assert client.get(address, {"part": "9"}).status_code == 404
