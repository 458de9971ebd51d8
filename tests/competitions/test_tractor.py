"""Events of Tractor: the length of a game, ties, paper results in levels, the texts of its pages."""

import re
from dataclasses import replace

import pytest
from django.urls import reverse

from games.engine.game import Outcome
from games.engine.tractor.game import TractorGame
from games.models import Game
from games.services import bots
from ratings.models import RatedResult
from tock_league.accounts.permissions import SITE
from tock_league.accounts.services import create_user
from tock_league.common.errors import Refused
from tock_league.competitions.models import MatchGame, ResultVersion
from tock_league.competitions.selectors.rankings import standings
from tock_league.competitions.selectors.seasons import competitions
from tock_league.competitions.services.results import paper, settlement
from tock_league.competitions.services.rounds import opening
from tock_league.competitions.services.seasons import regulations

from .world import a_club, a_league, a_plan, a_signed_up_player, a_tournament, first_match, play_match, under_way

pytestmark = pytest.mark.django_db
BACKEND = "allauth.account.auth_backends.AuthenticationBackend"
RULES = {"rules": "tractor/1"}
ENGLISH = {"accept-language": "en"}


def refusal(act):
    with pytest.raises(Refused) as error:
        act()
    assert str(error.value.sentence)
    return error.value


def captain_of(match, position):
    return match.side_rows.get(position=position).entry.roster.get(slot=1).player


def give_account(player, email):
    """Let `player` sign in, and read English."""
    player.user, player.language = create_user(email=email, password="le tock du mercredi"), "en"
    player.save()
    return player


# --- regulations


def test_regulations_say_the_rounds_only_where_they_are_fixed_and_nothing_binds_by_touch():
    whole = regulations.freeze(code="league", **RULES)
    assert (whole.rounds, whole.body["touch"]) == (0, False)
    assert "rounds" not in whole.body
    fixed = regulations.freeze(code="league", rounds=5, **RULES)
    assert (fixed.rounds, fixed.body["rounds"]) == (5, 5)
    assert fixed.digest != whole.digest


@pytest.mark.parametrize("length", [0, 3])
def test_the_table_of_a_match_takes_the_length_of_its_games(hand, length):
    league = a_league(2, legs=1, length=length, **RULES)
    match = play_match(first_match(league), 1)
    assert (match.table.rounds, match.table.decisive, match.table.touch) == (length, False, False)
    assert match.state == "confirmed"
    assert RatedResult.objects.get(kind="result").ladder.key == "tractor:2"


def test_a_bot_of_a_level_that_does_not_play_it_sits_down_at_the_usual_one(hand):
    league = a_league(2, legs=1, length=1, bot="master", **RULES)
    match = first_match(league)
    opening.open_table(match_id=match.pk, early=True)
    match.refresh_from_db()
    assert set(match.table.seatings.values_list("bot", flat=True)) == {"club"}


# --- ties


def played_by_bots(match):
    """Let bots play the game at the match's table to its end; return its id."""
    game = match.table.games.latest("number")
    while Game.objects.get(pk=game.pk).state != "over":
        assert bots.act_due()
    return game.pk


@pytest.fixture
def tied(monkeypatch):
    """Let the engine call the next games a tie; `tied.undo()` restores the engine."""
    real = TractorGame.outcome

    def outcome(self, p):
        found = real(self, p)
        return replace(found, ranks=(0, 0)) if isinstance(found, Outcome) else None

    monkeypatch.setattr(TractorGame, "outcome", outcome)
    return monkeypatch


def test_in_a_league_a_tied_game_is_a_tied_match_that_moves_no_rating(hand, tied):
    league = a_league(2, legs=1, length=1, bot="novice", **RULES)
    match = first_match(league)
    opening.open_table(match_id=match.pk, early=True)
    match.refresh_from_db()
    settlement.settle(game_id=played_by_bots(match))
    match.refresh_from_db()
    assert match.state == "confirmed"
    assert [line.outcome for line in ResultVersion.objects.get(match=match).lines.all()] == ["tie", "tie"]
    assert [row.row.ties for row in standings.table(league)] == [1, 1]
    assert RatedResult.objects.get().reason == "tied"


def test_in_a_knockout_a_tied_game_counts_nowhere_and_the_next_one_decides(hand, tied, client):
    cup = a_tournament(2, on_paper=False, length=1, bot="novice", **RULES)
    match = cup.matches.get()
    opening.open_table(match_id=match.pk, early=True)
    match.refresh_from_db()
    assert (match.table.rounds, match.table.decisive) == (1, True)
    first = played_by_bots(match)
    settlement.settle(game_id=first)
    match.refresh_from_db()
    assert match.state == "live"
    assert not ResultVersion.objects.filter(match=match).exists()
    assert list(MatchGame.objects.filter(match=match).values_list("game", "number")) == [(first, 1)]
    tied.undo()
    second = played_by_bots(match)
    assert second != first
    settlement.settle(game_id=second)
    settlement.settle(game_id=first)
    match.refresh_from_db()
    cup.refresh_from_db()
    assert (match.state, cup.state) == ("confirmed", "finished")
    page = client.get(reverse("competitions:match", args=[match.slug]), headers=ENGLISH).content.decode()
    assert page.count('<span class="tag">tied</span>') == 1
    assert page.index("Game 1") < page.index('<span class="tag">tied</span>') < page.index("Game 2")
    [version] = ResultVersion.objects.filter(match=match)
    assert (version.game_number, version.game.game_id) == (1, second)
    assert sorted(RatedResult.objects.filter(kind="result").values_list("rated", "reason")) == [
        (False, "tied"),
        (True, "played"),
    ]


# --- papers


@pytest.mark.parametrize(
    ("length", "game", "code"),
    [
        (0, paper.Game(0, 14), "margin"),
        (0, paper.Game(0, 0), "margin"),
        (0, paper.Game(None, 0), "winner"),
        (5, paper.Game(0, 14), "margin"),
        (5, paper.Game(None, 1), "winner"),
        (5, paper.Game(None, 0), "winner"),
    ],
)
def test_a_paper_of_a_knockout_holds_levels_and_a_winner(hand, english, length, game, code):
    cup = a_tournament(2, length=length, **RULES)
    [match] = under_way(cup)
    error = refusal(lambda: paper.report(by=captain_of(match, 0), match=match, games=[game]))
    assert (error.field, error.code) == ("games", code)
    if code == "margin":
        assert "13" in str(error.sentence)
    if length and code == "winner":
        assert "knockout" in str(error.sentence)
    assert not ResultVersion.objects.exists()
    paper.certify(by=SITE, match=match, games=[paper.Game(0, 13)])
    match.refresh_from_db()
    assert match.state == "confirmed"
    assert RatedResult.objects.get(kind="result").ladder.key == "tractor:2"


def test_a_tie_on_paper_counts_in_a_group_and_moves_no_rating(hand):
    cup = a_tournament(2, plan=one_round(), length=5, **RULES)
    [match] = under_way(cup)
    for game in (paper.Game(None, 1), paper.Game(0, 14)):
        error = refusal(lambda game=game: paper.report(by=captain_of(match, 0), match=match, games=[game]))
        assert error.code == "margin"
    paper.report(by=captain_of(match, 0), match=match, games=[paper.Game(None)])
    version = paper.accept(by=captain_of(match, 1), match=match, seen=1)
    match.refresh_from_db()
    assert (match.state, version.sheet) == ("confirmed", [[None, 0]])
    assert not RatedResult.objects.exists()


def one_round():
    return a_plan("swiss", rounds=1)


def test_the_paper_page_asks_for_levels_and_offers_a_tie_where_there_can_be_one(hand, client):
    cup = a_tournament(2, plan=one_round(), length=2, **RULES)
    [match] = under_way(cup)
    for position, email in ((0, "a@example.org"), (1, "b@example.org")):
        give_account(captain_of(match, position), email)
    address = reverse("competitions:paper", args=[match.slug])
    client.force_login(captain_of(match, 0).user, backend=BACKEND)
    page = client.get(address, headers=ENGLISH).content.decode()
    assert "Levels ahead" in page
    assert "Marbles" not in page
    assert "nobody: tied in ranks and points" in page
    answer = client.post(address, {"winner_1": "0", "margin_1": "14", "seen": "0", "act": "report"}, headers=ENGLISH)
    assert "margin_1" in answer.context["form"].errors
    assert client.post(address, {"winner_1": "tied", "margin_1": "", "seen": "0", "act": "report"}).status_code == 302
    client.force_login(captain_of(match, 1).user, backend=BACKEND)
    told = client.get(address, headers=ENGLISH)
    assert told.context["games"] == ["tied"]
    answered = {"winner_1": "1", "margin_1": "2", "seen": "1", "act": "report"}
    assert client.post(address, answered, headers=ENGLISH).status_code == 302
    told = client.get(address, headers=ENGLISH)
    assert told.context["games"] == [f"{match.side_rows.get(position=1).entry}, 2 levels ahead"]
    assert told.context["rival"] == ["tied"]


def test_to_the_ace_the_paper_page_wants_a_number(hand, client):
    cup = a_tournament(2, **RULES)
    [match] = under_way(cup)
    person = give_account(captain_of(match, 0), "a@example.org")
    client.force_login(person.user, backend=BACKEND)
    address = reverse("competitions:paper", args=[match.slug])
    assert "tied in ranks" not in client.get(address, headers=ENGLISH).content.decode()
    answer = client.post(address, {"winner_1": "0", "margin_1": "", "seen": "0", "act": "report"}, headers=ENGLISH)
    assert set(answer.context["form"].errors) == {"margin_1"}
    assert not ResultVersion.objects.exists()


# --- pages


@pytest.fixture
def organiser(client):
    person = a_signed_up_player("gaston@example.org", "Gaston Roy")
    type(person).objects.filter(pk=person.pk).update(language="en")
    club = a_club(by=person)
    client.force_login(person.user, backend=BACKEND)
    return club


@pytest.mark.parametrize(("length", "words"), [("", "to the ace, and past it"), ("0", "to the ace"), ("5", "5 rounds")])
def test_a_night_says_how_long_its_games_are(hand, client, organiser, length, words):
    sent = {
        "name": "Soirée",
        "club": organiser.pk,
        "rules": "tractor/1:4",
        "best_of": 1,
        "game_rounds": length,
        "place": "tables",
    }
    assert client.post(reverse("competitions:new_night"), sent).status_code == 302
    night = competitions.public().get()
    assert night.regulations.rounds == int(length or 0)
    for page in ("competition", "regulations"):
        text = client.get(reverse(f"competitions:{page}", args=[night.slug]), headers=ENGLISH).content.decode()
        assert words in text
        assert "Marbles" not in text
        assert "marble difference" not in text
        assert "Touched marble" not in text
    assert "level difference" in text


@pytest.mark.parametrize("page", ["new_night", "new_tournament"])
@pytest.mark.parametrize(("rules", "length"), [("toc/1:4", "3"), ("tractor/1:4", "51"), ("tractor/1:4", "-1")])
def test_rounds_that_are_not_played_are_refused_at_their_field(hand, client, organiser, page, rules, length):
    address = reverse(f"competitions:{page}")
    form = client.get(address, headers=ENGLISH).context["form"]
    sent = {name: form[name].value() for name in form.fields if form[name].value() not in (None, False)}
    sent |= {name: value.strftime("%Y-%m-%dT%H:%M") for name, value in sent.items() if hasattr(value, "strftime")}
    sent |= {name: 1 for name in ("legs", "best_of", "best_of_group", "best_of_knockout", "best_of_final")}
    sent |= {"name": "Soirée", "club": organiser.pk, "rules": rules, "game_rounds": length}
    answer = client.post(address, sent, headers=ENGLISH)
    assert set(answer.context["form"].errors) == {"game_rounds"}
    assert not competitions.public().exists()


def test_a_tournaments_settings_hold_the_length_of_its_games_and_count_the_time(hand, client, organiser):
    cup = a_tournament(0, state="draft", club=organiser, length=5, **RULES)
    page = client.get(reverse("competitions:edit_tournament", args=[cup.slug]), headers=ENGLISH)
    assert page.context["form"]["game_rounds"].value() == 5
    assert page.context["costs"]["game"] == 40
    longer = a_tournament(0, state="draft", club=organiser, **RULES)
    page = client.get(reverse("competitions:edit_tournament", args=[longer.slug]), headers=ENGLISH)
    assert page.context["costs"]["game"] == 150


def test_standings_and_a_match_speak_of_levels(hand, client):
    league = a_league(2, legs=1, **RULES)
    match = play_match(first_match(league), 1)
    text = client.get(reverse("competitions:competition", args=[league.slug]), headers=ENGLISH).content.decode()
    assert '<th scope="col" class="number hide-small">Levels</th>' in text
    entry = league.entries.first()
    explained = client.get(reverse("competitions:explained", args=[league.slug, entry.slug]), headers=ENGLISH)
    assert "Level difference" in explained.content.decode()
    assert not re.search(r"Marbles|[Mm]arble difference", text)
    text = client.get(reverse("competitions:match", args=[match.slug]), headers=ENGLISH).content.decode()
    assert "to the ace, and past it" in text
