"""Events whose games have a time cap, on boards: regulations, results, standings, corrections, pages, files."""

import json

import pytest
from django.urls import reverse

from games import store
from games.families.tock.table import Tock
from games.models import Game as TableGame
from games.services import bots, clocks
from ratings.models import RatedResult
from tests.exports.printed import organiser_of, pages
from tests.exports.test_results import agreed, told
from tock_league.accounts.permissions import SITE
from tock_league.common.errors import Conflict, NotAllowed, Refused
from tock_league.competitions.core.caps import PRESETS
from tock_league.competitions.forms.settings import tournament_initial
from tock_league.competitions.models import Competition, ResultVersion
from tock_league.competitions.selectors.rankings import standings
from tock_league.competitions.selectors.results import paper as papers
from tock_league.competitions.selectors.results.effective import effective_of
from tock_league.competitions.selectors.seasons import counting
from tock_league.competitions.selectors.seasons.regulation_lines import regulation_lines
from tock_league.competitions.services.audit.results import differences, of_game
from tock_league.competitions.services.results import corrections, paper, settlement
from tock_league.competitions.services.results.corrections import Right
from tock_league.competitions.services.results.paper import Game
from tock_league.competitions.services.rounds import opening
from tock_league.competitions.services.seasons import regulations
from tock_league.imports.checking import check
from tock_league.imports.reading import read

from .tournament_desk import address, settings_form
from .world import a_league, a_plan, a_player, a_tournament, first_match, under_way

pytestmark = pytest.mark.django_db
PAIRS = PRESETS["pairs"].to_json()
BRISK = PRESETS["brisk"].to_json()
TIEBREAKS = ("margin", "scored", "head_to_head", "lots")
REASON = "La feuille disait le contraire."


def certify(match, *counts):
    paper.certify(by=SITE, match=match, games=[Game(counts=one) for one in counts])
    match.refresh_from_db()
    return match


def correct(match, *counts):
    right = Right("paper", games=tuple(Game(counts=one) for one in counts))
    seen = corrections.preview(by=SITE, match=match, right=right)
    made = corrections.correct(by=SITE, match=match, right=right, reason=REASON, digest=seen.digest)
    match.refresh_from_db()
    return made


@pytest.fixture
def group(hand):
    """A round robin of four teams on boards under the cap of pair tournaments."""
    return a_tournament(4, plan=a_plan("groups_knockout", groups=1, qualify=2), cap=PAIRS, tiebreaks=TIEBREAKS)


@pytest.fixture
def cup(hand):
    return a_tournament(4, plan=a_plan("knockout"), cap=PAIRS)


def rows(made):
    table = standings.group_tables(made)[0][1]
    return {row.name: (row.points, row.margin, row.scored) for row in table}


# --- regulations


def test_regulations_without_a_cap_keep_their_digest_and_say_nothing_of_one(english):
    plain = regulations.freeze(code="league")
    assert "cap" not in plain.body
    assert plain.cap is None
    # That of the same settings before there were caps.
    assert plain.digest == "d4b677fdbc9e4377a74fa8462414c17ccc1f1d7c3520b91b4f8d7216618e2c08"
    capped = regulations.freeze(code="league", cap=PAIRS)
    assert (capped.cap, capped.body["cap"]) == (PRESETS["pairs"], PAIRS)
    assert regulations.freeze(code="league", cap=dict(reversed(PAIRS.items()))) == capped


@pytest.mark.parametrize(
    ("cap", "more", "field"),
    [
        ({"minutes": 0}, {}, "cap_minutes"),
        ({"minutes": 10_000}, {}, "cap_minutes"),
        ({"counts": "cards"}, {}, "cap_counts"),
        ({"absent": [4, 8]}, {}, "cap_absent"),
        ({"whistle": 1}, {}, "cap"),
        ({}, {"rules": "tractor/1"}, "cap_minutes"),
    ],
)
def test_a_cap_that_cannot_be_is_refused_at_its_field(cap, more, field):
    with pytest.raises(Refused) as error:
        regulations.freeze(code="league", cap=PAIRS | cap, **more)
    assert error.value.field == field
    assert str(error.value.sentence)


def test_players_read_the_cap_in_the_regulations(group, english, client):
    lines = {line.term: line.text for line in regulation_lines(group)}
    assert lines["Time cap"] == "45 minutes a game; then last deal: the deal is played to its end"
    assert "2 points for each marble home, 10 more for a finished game" in lines["What counts at the cap"]
    assert "8 to 4" in lines["Absent side"]
    page = client.get(reverse("competitions:regulations", args=[group.slug]), headers={"accept-language": "en"})
    assert "then last deal" in page.content.decode()


def test_a_cap_for_a_whole_match_of_several_games_is_for_boards(hand):
    whole = PAIRS | {"of": "match"}
    with pytest.raises(Refused) as error:
        a_league(2, best_of=3, cap=whole)
    assert error.value.field == "cap_of"
    assert a_league(2, best_of=1, cap=whole).regulations.cap.of == "match"


# --- results and standings


def test_a_round_robin_ranks_by_the_scores_and_explains_them(group):
    matches = list(group.matches.filter(round__group__stage__ordinal=1).order_by("round__number", "number"))
    certify(matches[0], (8, 3))  # finished: 26 to 6
    certify(matches[1], (4, 4))  # 8 to 8
    assert [match.state for match in matches[:2]] == ["confirmed", "confirmed"]
    found = rows(group)
    first, second = (side.entry for side in matches[0].side_rows.order_by("position"))
    assert found[str(first)] == ("2", "+20", "26")
    assert found[str(second)] == ("0", "−20", "6")
    assert {found[str(side.entry)] for side in matches[1].side_rows.all()} == {("1", "0", "8")}
    facts = [effective_of(match).fact for match in matches[:2]]
    assert facts == ["played", "adjudicated"]
    assert list(differences()) == []
    # A finished game is rated, one that the time ended is not.
    assert list(RatedResult.objects.values_list("rated", flat=True)) == [True]


def test_an_absent_team_scores_what_the_regulations_say(group):
    match = under_way(group)[0]
    settlement.award(by=SITE, match=match, winner=0, reason="Personne n’est venu.")
    home, away = (str(side.entry) for side in match.side_rows.order_by("position"))
    assert (rows(group)[home], rows(group)[away]) == (("2", "+4", "8"), ("0", "−4", "4"))
    assert agreed(group) > 0


def test_the_whole_event_reads_the_same_from_its_file_and_can_be_imported(group):
    def play(match, winner):
        counts = (5, 2) if match.number % 2 else (8, 6)
        return certify(match, counts if winner == 0 else counts[::-1])

    while open_ones := under_way(group):
        for match in open_ones:
            play(match, match.number % 2)
    group.refresh_from_db()
    assert agreed(group) > 4
    data = told(group)
    assert data["event"]["regulations"]["body"]["cap"] == PAIRS
    result = data["stages"][0]["groups"][0]["rounds"][0]["matches"][0]["result"]
    assert all("scored" in side for side in result["sides"])
    paths = ("stages", 0, "groups", 0, "rounds", 0, "matches", 0, "versions", 0, "sheet", 0)
    for place in range(7):
        changed = json.loads(json.dumps(data))
        game = changed
        for step in paths:
            game = game[step]
        game[place] = 1 if game[place] != 1 else 0
        with pytest.raises(Refused) as error:
            check(read(json.dumps(changed).encode()))
        assert error.value.field.startswith("$.stages[0].groups[0].rounds[0].matches[0]"), place


def test_a_tie_in_a_knockout_is_played_again_and_elsewhere_stands(cup, group):
    match = under_way(cup)[0]
    with pytest.raises(Refused) as error:
        certify(match, (4, 4))
    assert (error.value.code, error.value.field) == ("count_tie", "games")
    certify(match, (5, 4))
    assert match.state == "confirmed"
    assert effective_of(match).winner == 0


def test_where_the_next_marble_decides_equal_counts_are_no_result(hand):
    made = a_tournament(4, plan=a_plan("swiss", rounds=2), cap=BRISK)
    match = under_way(made)[0]
    with pytest.raises(Refused) as error:
        certify(match, (3, 3))
    assert error.value.code == "count_tie"
    certify(match, (3, 4))
    assert effective_of(match).shown == (3, 4)


@pytest.mark.parametrize(
    ("counts", "code"),
    [
        ((-1, 3), "count_range"),
        ((9, 3), "count_range"),
        ((8, 8), "both_finished"),
        ((3,), "counts_missing"),
        ((), "counts_missing"),
    ],
)
def test_impossible_counts_are_refused_and_nothing_is_written(counts, code, group):
    match = under_way(group)[0]
    with pytest.raises(Refused) as error:
        certify(match, counts)
    assert (error.value.code, error.value.field) == (code, "games")
    assert not ResultVersion.objects.exists()


def test_counts_are_refused_where_there_is_no_cap(hand):
    match = under_way(a_tournament(4))[0]
    with pytest.raises(Refused) as error:
        certify(match, (5, 3))
    assert error.value.code == "no_cap"


@pytest.mark.both_databases
def test_two_captains_agree_on_the_counts(group):
    match = under_way(group)[0]
    home, away = (side.entry.roster.get(role="starter", slot=1).player for side in match.side_rows.order_by("position"))
    paper.report(by=home, match=match, games=[Game(counts=(5, 3))])
    assert papers.sheet(match).games == ((0, 4, 5, 3, 10, 6, None),)
    paper.report(by=away, match=match, games=[Game(counts=(5, 3))])
    match.refresh_from_db()
    assert match.state == "confirmed"
    with pytest.raises(Conflict):
        paper.report(by=away, match=match, games=[Game(counts=(5, 4))])
    with pytest.raises(NotAllowed):
        paper.certify(by=a_player("Lise Caron"), match=match, games=[Game(counts=(5, 3))])


# --- corrections


def test_a_correction_counts_anew_and_taking_it_back_restores_all(group):
    match = certify(under_way(group)[0], (5, 3))
    assert not RatedResult.objects.exists()
    before = rows(group)
    made = correct(match, (3, 8))
    home, away = (str(side.entry) for side in match.side_rows.order_by("position"))
    assert (rows(group)[home], rows(group)[away]) == (("0", "−20", "6"), ("2", "+20", "26"))
    assert effective_of(match).fact == "played"
    assert [row.rated for row in RatedResult.objects.order_by("revision")] == [True]
    assert list(differences()) == []
    seen = corrections.preview_taking_back(by=SITE, correction=made)
    corrections.take_back(by=SITE, correction=made, reason=REASON, digest=seen.digest)
    assert rows(group) == before
    last = RatedResult.objects.order_by("-revision")[0]
    assert (last.kind, last.rated, last.reason) == ("result", False, "by_time")
    with pytest.raises(Conflict):
        correct(match, (5, 3))


# --- pages and prints


def test_captains_report_counts_on_the_page_and_read_them_back(group, sign_in):
    match = under_way(group)[0]
    home, away = (side.entry.roster.get(role="starter", slot=1).player for side in match.side_rows.order_by("position"))
    client = sign_in(home)
    page = client.get(address("paper", match.slug))
    assert [field.name for row in page.context["form"].rows() for field in row] == ["count_1_0", "count_1_1"]
    form = {"count_1_0": "5", "count_1_1": "", "seen": "0", "act": "report"}
    answer = client.post(address("paper", match.slug), form)
    assert (answer.status_code, list(answer.context["form"].errors)) == (422, ["count_1_1"])
    assert client.post(address("paper", match.slug), form | {"count_1_1": "9"}).status_code == 422
    assert client.post(address("paper", match.slug), form | {"count_1_1": "3"}).status_code == 302
    away.language = "en"
    away.save()
    page = sign_in(away).get(address("paper", match.slug)).content.decode()
    assert "10\xa0–\xa06" in page
    assert "marbles home: 5\xa0–\xa03" in page


def test_the_desk_corrects_counts_by_form_and_the_standings_explain_them(group, client):
    match = certify(under_way(group)[0], (5, 3))
    person = organiser_of(group, client)
    person.language = "en"
    person.save()
    page = reverse("competitions:correct", args=[match.slug])
    assert client.get(page).context["sheet"]["count_1_0"].value() == 5
    form = {"what": "paper", "count_1_0": "8", "count_1_1": "3", "reason": REASON}
    seen = client.post(page, form | {"do": "preview"})
    digest = seen.context["preview"].digest
    bad = client.post(page, form | {"count_1_1": "8", "do": "sign", "digest": digest})
    assert (bad.status_code, list(bad.context["sheet"].errors)) == (422, ["count_1_0"])
    assert client.post(page, form | {"do": "sign", "digest": digest}).status_code == 302
    home = match.side_rows.get(position=0).entry
    assert client.get(reverse("competitions:competition", args=[group.slug])).status_code == 200
    why = client.get(reverse("competitions:explained", args=[group.slug, home.slug])).content.decode()
    assert "Scored" in why
    assert "26" in why


def test_slips_and_regulations_print_what_is_asked(group, client):
    organiser_of(group, client)
    assert str(counting.reached_words(group.regulations.cap)) in " ".join(pages(client, group, "slips")).lower()
    assert "45" in " ".join(pages(client, group, "regulations"))
    certify(under_way(group)[0], (8, 3))
    (table,) = pages(client, group, "standings")
    assert str(counting.scored_column(group.cap)) in table
    assert {"26", "+20"} <= set(table.split())


@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"cap_minutes": "0"}, "cap_minutes"),
        ({"cap_minutes": "10000"}, "cap_minutes"),
        ({"cap_minutes": ""}, "cap_minutes"),
        ({"cap_minutes": "many"}, "cap_minutes"),
        ({"cap_call": "whistle"}, "cap_call"),
        ({"cap_marble": "0"}, "cap_marble"),
        ({"cap_came": "8", "cap_absent": ""}, "cap_absent"),
        ({"cap_came": "4", "cap_absent": "8"}, "cap_absent"),
    ],
)
def test_a_bad_cap_comes_back_beside_its_field(changes, field, sign_in, organiser, club):
    own = {"cap": "own", "cap_minutes": "40", "cap_call": "turn", "cap_counts": "points", "cap_tie": "allowed"}
    answer = sign_in(organiser).post(address("new_tournament"), settings_form(club, **own | changes))
    assert field in answer.context["form"].errors
    assert not Competition.objects.exists()


@pytest.mark.parametrize("name", ["", "pairs", "brisk", "own"])
def test_the_form_makes_and_keeps_each_cap(name, sign_in, organiser, club):
    own = {"cap_minutes": "40", "cap_of": "game", "cap_call": "stop", "cap_counts": "steps", "cap_tie": "one_deal"}
    client = sign_in(organiser)
    client.post(address("new_tournament"), settings_form(club, cap=name, cap_order="score", **own))
    made = Competition.objects.get()
    cap = made.regulations.cap
    assert (cap.minutes if cap is not None else None) == {"": None, "pairs": 45, "brisk": 30, "own": 40}[name]
    assert (made.regulations.body["tiebreaks"][:2] == ["margin", "scored"]) == bool(name)
    kept = {key: "" if value is None else value for key, value in tournament_initial(made).items() if "cap" in key}
    assert kept["cap"] == name
    before = made.regulations.digest
    client.post(address("edit_tournament", made.slug), settings_form(club, **kept))
    made.refresh_from_db()
    assert made.regulations.digest == before


# --- at the tables of the site


def ended_by_time(match, hand):
    """Open the match's table, let bots play until the time is up, and then to the end; return the game's id."""
    opening.open_table(match_id=match.pk, early=True)
    match.refresh_from_db()
    game = match.table.games.latest("number")
    while (row := TableGame.objects.get(pk=game.pk)).state != "over":
        state = store.current(row)
        # Slow until the time is up, so that the game is not played to its end before.
        hand.advance(seconds=10 if state.cap is None or not state.cap.called else 1)
        clocks.claim_due()
        bots.act_due()
    return game.pk


@pytest.mark.both_databases
def test_a_game_at_a_table_ends_by_time_and_its_counts_make_the_result(hand):
    league = a_league(2, legs=1, bot="novice", cap=PAIRS | {"minutes": 5})
    match = first_match(league)
    assert match.competition.regulations.cap is not None
    game = ended_by_time(match, hand)
    assert match.table.cap == {"seconds": 5 * 60, "call": "deal", "counts": "marbles", "tie": "allowed"}
    settlement.settle(game_id=game)
    match.refresh_from_db()
    row = TableGame.objects.get(pk=game)
    assert (match.state, row.reason, row.rated) == ("confirmed", "time", False)
    (version,) = ResultVersion.objects.filter(match=match)
    assert version.fact == "adjudicated"
    lines = list(version.lines.order_by("position"))
    assert [line.scored for line in lines] == [2 * line.counted for line in lines]
    assert lines[0].margin == lines[0].scored - lines[1].scored
    assert [row.scored for row in standings.table(league)] == sorted((str(line.scored) for line in lines), reverse=True)
    assert list(differences()) == []
    assert list(of_game(row, store.current(row))) == []
    assert not RatedResult.objects.filter(rated=True).exists()


def test_in_a_knockout_a_tie_by_time_is_followed_by_another_game(hand, monkeypatch):
    monkeypatch.setattr(Tock, "reached", lambda self, state, counts: (3, 3))
    cup = a_tournament(2, on_paper=False, bot="novice", cap=PAIRS | {"minutes": 5, "call": "stop"})
    match = cup.matches.get()
    first = ended_by_time(match, hand)
    settlement.settle(game_id=first)
    match.refresh_from_db()
    assert match.table.decisive
    assert (match.state, match.table.games.count()) == ("live", 2)
    assert not ResultVersion.objects.filter(match=match).exists()
