"""The client in docs/ plays a whole game as a bot account at the running site."""

import importlib.util
from typing import Any

import pytest
from django.core.cache import cache

from games.live import limits
from games.models import Game, Table
from tests.accounts.signing import a_player
from tests.architecture.source import ROOT
from tests.servers.site import LiveSite
from tock_league.accounts import bot_accounts

CLIENT = ROOT / "docs" / "bot_client.py"
LINES = 60


@pytest.fixture
def client(monkeypatch: pytest.MonkeyPatch) -> Any:
    """Give the client as a module. With twenty commands in ten seconds its game would last a minute."""
    monkeypatch.setattr(limits, "frames", lambda: limits.Rate(10_000, 1.0))
    monkeypatch.setattr(limits, "commands", lambda: limits.Rate(10_000, 1.0))
    cache.clear()
    spec = importlib.util.spec_from_file_location("bot_client", CLIENT)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_it_is_short() -> None:
    assert len(CLIENT.read_text("utf-8").splitlines()) <= LINES


def test_it_plays_a_whole_game_against_the_bots_of_the_site(live_site: LiveSite, client: Any) -> None:
    owner = a_player("Martine Gélinas", "martine@example.org")
    bot = bot_accounts.make(by=owner, name="Tocard").player
    token = bot_accounts.make_token(by=owner, slug=bot.slug, name="Client", scopes=["play"], days=1).secret
    result = client.play(live_site.url, token, pause=0)
    game = Game.objects.get()
    assert (game.state, game.rated) == (Game.State.OVER, False)
    assert (result["reason"], result["ranks"]) == ("played", game.ranks)
    assert Table.objects.get().seatings.get(player=bot).seat == 0
