"""The page of a game's end: ratings and ranks, the figures, and the way on."""

from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from games import store
from games.fold import TableState, steps
from games.models import Game
from games.selectors import figures
from games.services import casual
from ratings.selectors.games import changes_by
from ratings.services import rate_waiting
from tests.documents import squeezed
from tests.e2e.evening import chosen_deal
from tests.games.casual import ANA, begun, full, player, send
from tests.games.every_table import open_game, people, play_whole
from tock_league.common import clock

pytestmark = pytest.mark.django_db
ENGLISH = {"accept-language": "en"}


def page(client: Client, game: Game) -> Any:
    return client.get(reverse("pages:game_end", args=[game.slug]), headers=ENGLISH)


def finished(rules: str = "shawinigan/1", seats: int = 4) -> Game:
    game = open_game((rules, seats, 2, False), people(seats))
    play_whole(game)
    return Game.objects.select_related("table").get(pk=game.pk)


def outside(table: TableState) -> int:
    """Return how many marbles are on the track or in heaven."""
    marbles = table.setup.engine.view(table.position, 0)["marbles"]
    return sum(place != "r" for places in marbles.values() for place in places)


def test_the_figures_are_those_of_the_board(client: Client) -> None:
    with chosen_deal(3, game="endgame1"):
        game = finished()
    found = figures.figures(game)
    assert found is not None
    # A second reading: how many marbles are outside the reserve before and after a play, and cards laid as "burn".
    lost, burned = 0, [0] * 4
    for step in steps(store.opening_of(game), store.load(game.pk)):
        line = str(step.row.body.get("play", ""))
        if line.startswith(("burn", "blind")):
            burned[step.row.body["seat"]] += 1
        elif step.row.kind == "play" and not step.row.body.get("chance") and step.before.position is not None:
            before, after = (outside(where) for where in (step.before, step.after))
            lost += before - after + line.endswith(" out")  # who comes out may eat
    assert sum(seat.lost for seat in found.seats) == lost
    assert sum(seat.eaten for seat in found.seats) <= lost  # a seat may eat its own marble
    assert [seat.burned for seat in found.seats] == burned
    assert lost > 0
    assert found.best is not None
    shown = squeezed(page(client, game).content.decode())
    assert f"{found.best.line}" in shown
    assert f"{reverse('games:replay', args=[game.slug])}#{found.best.seq}" in shown


def test_a_running_game_leads_to_its_replay_and_a_hidden_one_is_not_there(client: Client) -> None:
    game = begun(full(seated_only=True))
    assert page(client, game).status_code == 404
    session = client.session
    session["table_guest"] = ANA.guest_key
    session.save()
    assert page(client, game).url == reverse("games:replay", args=[game.slug])
    send(game, 0, ANA, "resign")
    assert page(client, game).status_code == 200
    assert page(Client(), game).status_code == 404
    assert figures.figures(finished("tractor/1")) is None


def test_ratings_appear_when_they_are_computed(client: Client) -> None:
    ana = player("ana")
    people = [ana, *(player(name) for name in ("bea", "clo", "dan"))]
    code = casual.open_table(by=ana, rated=True, pace="normal", touch=True).code
    for seat, by in enumerate(people[1:], start=1):
        casual.sit(code, seat, by=by)
    game = begun(code, by=ana)
    send(game, 1, people[1], "resign")
    game.refresh_from_db()
    assert changes_by(game.pk).waiting
    answer = page(client, game)
    assert "data-waiting" in answer.content.decode()
    with clock.frozen(clock.now() + timedelta(minutes=5)):
        rate_waiting(ladder_key="shawinigan:2")
    found = changes_by(game.pk)
    assert (found.rated, found.waiting) == (True, False)
    won = {change.players[0].pk: change.difference for change in found.players if change.won}
    assert set(won) == {people[0].player_id, people[2].player_id}
    assert all(difference > 0 for difference in won.values())
    assert all(change.difference < 0 for change in found.players if not change.won)
    assert [change.won for change in found.teams] == [True, False]
    shown = page(client, game).content.decode()
    assert "data-waiting" not in shown
    assert "▲" in shown
    assert "▼" in shown


def test_an_unrated_game_shows_no_ratings(client: Client) -> None:
    game = begun(full())
    send(game, 0, ANA, "resign")
    assert not changes_by(game.pk).rated
    assert "Ratings" not in squeezed(page(client, game).content.decode()).partition("<main")[2]
