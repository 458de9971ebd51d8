"""The tables of a run: guests at practice tables by the page's form, and rated matches of four people by the services."""

import re
from dataclasses import dataclass
from functools import cache

from tests.plant.production import Client
from tests.plant.test_production import PASSWORD

from .house import House
from .witness import Witness


@dataclass(frozen=True)
class Opened:
    """A table. `keys`: of the session of each seat that a person has."""

    pk: int
    slug: str
    keys: dict[int, str]
    ends: bool = False  # whether its people end the game


def guest_table(house: House, witness: Witness) -> Opened:
    """Open a practice table of a guest and three bots."""
    client = house.client()
    token = _token(client, "/practice/")
    status, headers, body = client.request("POST", "/practice/", {"csrfmiddlewaretoken": token})
    assert status == 302, body
    slug = headers["location"].strip("/").split("/")[-1]
    ((pk,),) = witness.ask("SELECT id FROM games_table WHERE slug = ?", slug)
    return Opened(pk, slug, {0: client.cookies["__Host-session"]})


@cache
def people(address: str, port: int) -> tuple[tuple[int, str], ...]:
    """Return four people who have signed in: the id of the player and the key of the session."""
    from tock_league.accounts.services import create_player, create_user

    found = []
    for name in ("ada", "bea", "cid", "dan"):
        user = create_user(email=f"{name}@tock.test", password=PASSWORD)
        player = create_player(display_name=name.title(), user=user)
        client = Client(port, address=address)
        form = {"csrfmiddlewaretoken": _token(client, "/accounts/login/"), "login": user.email, "password": PASSWORD}
        status, _, body = client.request("POST", "/accounts/login/", form)
        assert status == 302, body
        found.append((player.pk, client.cookies["__Host-session"]))
    return tuple(found)


def match_table(house: House, *, ends: bool) -> Opened:
    """Open a rated table of four people; with clocks if they end the game, so that no game is forfeited after its run."""
    from games.services import tables

    seated = people(*house.doors[0])
    plan = [tables.SeatPlan(seat, player_id=player) for seat, (player, _) in enumerate(seated)]
    clocks = tables.ClockSettings(bank_s=60, increment_s=5, bank_max_s=60, cap_s=30, short_s=30, timeouts=2)
    table = tables.open_match_table(
        rules="shawinigan/1",
        name="Faults",
        seat_plan=plan,
        clocks=clocks if ends else None,
        rated=True,
        team_names=["A", "B"],
    )
    return Opened(table.pk, table.slug, {seat: key for seat, (_, key) in enumerate(seated)}, ends)


def _token(client: Client, path: str) -> str:
    page = client.request("GET", path)[2]
    found = re.search(r'name="csrfmiddlewaretoken" value="([^"]+)"', page)
    assert found, page
    return found[1]
