"""The coach of a practice table: whom it answers, what it knows, and that its reasons are so."""

import random
import uuid
from typing import Any

import pytest
from django.core.cache import cache
from django.test import Client
from django.urls import reverse
from django.utils.translation import override

from games import store
from games.fold import Touch, Viewer, view
from games.models import Game, Seating, Table
from games.permissions import BOT, NOBODY, Person
from games.selectors.lessons import lesson, start
from games.services import bots, coach, play, tables
from games.services.tables import SeatPlan
from tests.bots.test_every_table import otherwise
from tests.games.conftest import Sat
from tests.games.test_own_tables import GUEST, begin, finished, opened
from tock_league.accounts.models import Player
from tock_league.common.errors import Conflict, NotAllowed, Refused

pytestmark = pytest.mark.django_db
ENGLISH = {"accept-language": "en"}


def state_of(game: Game) -> Any:
    return store.current(Game.objects.get(pk=game.pk))


def advice(game: Game, by: Person = GUEST) -> dict[str, Any]:
    return coach.advise(Game.objects.select_related("table").get(pk=game.pk), by=by)


def follow(game: Game, line: str) -> None:
    """Play the line, and let the bots answer."""
    word, _, card = line.partition(" ")
    kinds = {"give": ("exchange", {"card": card}), "burn": ("burn", {"card": card})}
    kind, args = kinds.get(word, ("play", {"play": line}))
    answer = play.submit(
        game_id=game.pk, seat=0, command_id=str(uuid.uuid4()), turn=state_of(game).decision_id, kind=kind, args=args, by=GUEST
    )  # fmt: skip
    assert not answer.code, answer
    while bots.act_due():
        pass


def test_the_coach_answers_every_decision_with_a_legal_play_and_reasons(settings: Any) -> None:
    settings.TOCK_BOT_PACE_MS = settings.TOCK_BOT_PAD_MS = 0
    game = opened()
    for _ in range(6):
        found = advice(game)
        assert found["decision"] == state_of(game).decision_id
        assert found["line"] in view(state_of(game), Viewer(0))["legal"]
        assert 1 <= len(found["reasons"]) <= 3
        assert 0 <= found["chance"] <= 1000
        follow(game, found["line"])


def test_only_the_player_of_the_table_is_answered(client: Client) -> None:
    game = opened()
    for by in (NOBODY, BOT, Person(guest_key="b" * 32)):
        with pytest.raises(NotAllowed):
            advice(game, by)


def test_the_coach_speaks_when_there_is_something_to_choose() -> None:
    for game in (opened(begun=False), finished()):
        with pytest.raises(Conflict) as caught:
            advice(game)
        assert caught.value.code == "not_your_turn"


def test_hidden_cards_change_nothing_that_the_coach_says(monkeypatch: pytest.MonkeyPatch) -> None:
    game = opened()
    follow(game, advice(game)["line"])
    state, told, roll = state_of(game), advice(game), random.Random(7)
    for _ in range(5):
        dealt = state.changed(position=otherwise(state.position, roll))
        assert dealt.position != state.position
        assert view(dealt, Viewer(0)) == view(state, Viewer(0))
        monkeypatch.setattr(coach.store, "current", lambda _game, dealt=dealt: dealt)
        assert advice(game) == told


def test_the_coach_stays_with_the_card_that_is_laid(monkeypatch: pytest.MonkeyPatch) -> None:
    game, seven = opened(), lesson("seven")
    assert seven is not None
    free = state_of(game).changed(position=start(seven).position)
    cards = set()
    for touch in (Touch(), Touch(card="2H"), Touch(card="QD")):
        monkeypatch.setattr(coach.store, "current", lambda _game, touch=touch: free.changed(touch=touch))
        line = advice(game)["line"]
        assert line.startswith(touch.card)
        cards.add(line.split()[0])
    assert len(cards) == 3


def test_there_is_no_coach_in_a_game_between_people(players: list[Player], client: Client) -> None:
    plan = [SeatPlan(seat, player.pk) for seat, player in enumerate(players)]
    match = Sat(tables.open_match_table(rules="shawinigan/1", name="A", seat_plan=plan), players)
    match.begin()
    by = match.person(min(match.state.to_act))
    with pytest.raises(Refused) as caught:
        coach.advise(match.game, by=by)
    assert (caught.value.code, caught.value.status) == ("not_practice", 403)
    # Nor where somebody has taken the seat of a bot.
    game = opened()
    Seating.objects.filter(table=game.table, seat=2).update(bot="", player=players[0])
    with pytest.raises(Refused) as caught:
        advice(game)
    assert caught.value.code == "not_practice"
    assert not client.get(reverse("games:table", args=[match.table.slug])).context["boot"]["coach"]


def test_the_coach_is_for_tock(client: Client) -> None:
    assert client.post(reverse("games:practice"), {"rules": "tractor/1", "table": "4-2", "level": "club"}).url
    table = Table.objects.get()
    by = Person(guest_key=Seating.objects.get(table=table, seat=0).guest_key)
    with pytest.raises(Refused) as caught:
        coach.advise(table.games.get(), by=by)
    assert caught.value.code == "no_coach"
    with override("en"):
        assert str(caught.value.sentence) == "The coach is for Tock."
    assert not client.get(reverse("games:table", args=[table.slug])).context["boot"]["coach"]


def test_the_answers_to_a_person_are_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    cache.clear()
    monkeypatch.setattr(coach, "ASKED", 2)
    game, other = opened(), begin(tables.open_practice(guest_key="b" * 32).games.get(), Person(guest_key="b" * 32))
    advice(game), advice(game)
    with pytest.raises(Refused) as caught:
        advice(game)
    assert (caught.value.code, caught.value.status) == ("too_many_today", 429)
    assert advice(other, Person(guest_key="b" * 32))["line"]


@pytest.mark.django_db(transaction=True)  # the address reads in threads of its own
def test_the_page_of_a_practice_table_asks_in_the_language_of_the_reader(client: Client) -> None:
    address = client.post(reverse("games:practice")).url
    boot = client.get(address).context["boot"]
    assert boot["coach"] == reverse("games:coach", args=[boot["table"]])
    answers = [client.get(boot["coach"], {"lang": lang}, headers={"accept-language": "en"}) for lang in ("en", "es")]
    assert [answer.status_code for answer in answers] == [409, 409]
    assert answers[0].json()["error"]["message"] == "Ask the coach when you have something to play."
    assert answers[1]["Content-Language"] == "es"
    stranger = Client().get(boot["coach"], headers=ENGLISH)
    assert (stranger.status_code, stranger.json()["error"]["code"]) == (403, "not_allowed")
    assert client.get("/api/tables/nothing/coach").status_code == 404
    assert client.post(boot["coach"]).status_code == 405
