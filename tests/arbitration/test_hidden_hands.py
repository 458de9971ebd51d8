"""No road to the hands of a running game but the own seat and a lease that is written down: every role, every address."""

import io
import json
import re
from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError
from django.test import Client
from django.urls import reverse

from games.fold import Viewer, view
from games.models import GameEvent, SeatView
from tests.accounts.signing import a_boss
from tests.competitions.world import a_player
from tock_league.accounts.models import Player
from tock_league.accounts.permissions import SITE
from tock_league.accounts.services import create_user, give_role
from tock_league.arbitration.models import Case
from tock_league.arbitration.services.referees import leases
from tock_league.journal.models import JournalEntry

from .browsers import signed_in
from .world import World, a_world, fresh

pytestmark = pytest.mark.django_db(transaction=True)
OWN = {"seat 0": 0, "seat 1": 1, "seat 2": 2, "seat 3": 3, "lease on seat 1": 1}  # who may see which hand
POINTS = ("spectator", "referee", "all", "seat:0", "seat:1")


@pytest.fixture
def held(hand: Any) -> tuple[World, Any, Case]:
    """Give a game that waits for a ruling; a referee has the case and sees the hand of seat 1."""
    world = a_world()
    sat = world.sat()
    sat.play_on(3)
    sat.send(0, "dispute", kind="talk", text="Il parle à son partenaire")
    case = Case.objects.get()
    leases.take(by=world.referees[0], case=case)
    leases.view_seat(by=world.referees[0], case=case, seat=1)
    return world, sat, fresh(case)


def hands_of(sat: Any) -> list[Counter[str]]:
    """Return the cards that each seat holds, as the pages name them."""
    return [Counter(view(sat.state, Viewer(seat=seat))["hand"]) for seat in range(4)]


def people(world: World) -> dict[str, Client]:
    """Return a browser for everybody who might want to look, by who they are."""
    found: dict[str, Player | None] = {f"seat {seat}": player for seat, player in enumerate(world.players)}
    found |= {"visitor": None, "stranger": a_player("Inconnu"), "lease on seat 1": world.referees[0]}
    found |= {"other referee": world.referees[1], "head referee": world.head, "organiser": world.organiser}
    found |= {"superuser": a_boss()}
    for role in ("administrator", "referee"):
        found[f"site {role}"] = a_player(role)
        give_role(player=found[f"site {role}"], name=role, by=SITE)
    return {name: signed_in(player) for name, player in found.items()}


def addresses(world: World, case: Case) -> list[str]:
    """Return every address at which something of the game can be read."""
    game, table = world.game, world.match.table
    found = [reverse("games:table", args=[table.slug]), reverse("games:replay", args=[game.slug])]
    found += [reverse("games:snap", args=[table.slug]), reverse("games:export", args=[game.slug])]
    found += [reverse("games:analysis", args=[game.slug])]
    found += [f"{reverse('games:events', args=[table.slug])}?epoch=0&since=0"]
    found += [f"{reverse('games:record', args=[game.slug])}?as={point}" for point in POINTS]
    found += [reverse("arbitration:case", args=[case.number]), f"/staff/admin/games/game/{game.pk}/change/"]
    return found


def lists(text: str) -> Iterator[Counter[str]]:
    """Return each list and each line of cards that the answer contains, wherever it stands in its JSON."""
    for found in re.findall(r"\[[^\[\]{}]*\]", text):
        yield Counter(re.findall(r"(?:&quot;|\\u0022|\")((?:A|[2-9]|10|J|Q|K)[SHDC]|JK)(?=&quot;|\\u0022|\")", found))
    for found in re.findall(r"(?:&quot;|\\u0022|\")([^\"\[\]{}]*?)(?:&quot;|\\u0022|\")", text):
        yield Counter(found.split(" "))


def seen_hands(text: str, hands: list[Counter[str]]) -> set[int]:
    """Return the seats whose whole hand stands together in the answer."""
    shown = list(lists(text))
    return {seat for seat, cards in enumerate(hands) if any(not cards - found for found in shown)}


def test_nobody_reads_a_hand_that_is_not_theirs_and_a_lease_opens_one_and_leaves_records(
    held: tuple[World, Any, Case],
) -> None:
    world, sat, case = held
    hands = hands_of(sat)
    assert all(sum(cards.values()) >= 3 for cards in hands)
    found: dict[str, set[int]] = {}
    for name, browser in people(world).items():
        found[name] = set()
        for address in addresses(world, case):
            answer = browser.get(address)
            found[name] |= seen_hands(answer.content.decode(), hands)
    assert found == {name: {OWN[name]} if name in OWN else set() for name in found}
    assert GameEvent.objects.filter(game=sat.game, code="seat_view").count() == 1
    kinds = [json.loads(bytes(entry.body))["kind"] for entry in JournalEntry.objects.all()]
    assert kinds.count("seat.viewed") == 1


def test_the_lease_shows_nothing_more_once_the_referees_player_has_another_login(held: tuple[World, Any, Case]) -> None:
    world, sat, _case = held
    hands = hands_of(sat)
    referee = world.referees[0]
    browser, snap = signed_in(referee), reverse("games:snap", args=[world.match.table.slug])
    assert seen_hands(browser.get(snap).content.decode(), hands) == {1}
    Player.objects.filter(pk=referee.pk).update(user=create_user(email="other@example.org"))
    assert seen_hands(browser.get(snap).content.decode(), hands) == set()
    seat = world.players[2]
    browser = signed_in(seat)
    assert seen_hands(browser.get(snap).content.decode(), hands) == {2}
    Player.objects.filter(pk=seat.pk).update(user=None)
    assert seen_hands(browser.get(snap).content.decode(), hands) == set()


def test_administrators_get_no_lease_by_their_office(held: tuple[World, Any, Case]) -> None:
    world, _sat, case = held
    boss = a_boss()
    browser = signed_in(boss)
    for name in ("take", "seat"):
        form = {"seat": "2"}
        assert browser.post(reverse(f"arbitration:{name}", args=[case.number]), form).status_code in (403, 409, 422)
    assert SeatView.objects.filter(game=world.game).count() == 1


def test_no_command_on_the_server_prints_a_hand_of_a_running_game(held: tuple[World, Any, Case]) -> None:
    _world, sat, _case = held
    hands = hands_of(sat)
    out = io.StringIO()
    with pytest.raises(CommandError, match="still running"):
        call_command("export_game", sat.game.slug, stdout=out, stderr=out)
    type(sat.game).objects.filter(pk=sat.game.pk).update(decision="9.9", released_seq=0)
    with pytest.raises(CommandError, match="faults"):
        call_command("replay_game", sat.game.slug, stdout=out, stderr=out)
    call_command("verify_journal", stdout=out, stderr=out)
    assert "decision" in out.getvalue()
    assert seen_hands(json.dumps(out.getvalue().split("\n")), hands) == set()
    assert not [line for line in out.getvalue().split() if any(line in cards for cards in hands)]


def test_dumping_the_database_with_running_games_says_so_and_is_in_the_journal(held: tuple[World, Any, Case]) -> None:
    def dumped(*labels: str, **options: Any) -> tuple[str, int]:
        said = io.StringIO()
        call_command("dumpdata", *labels, stdout=io.StringIO(), stderr=said, **options)
        kinds = [json.loads(bytes(entry.body))["kind"] for entry in JournalEntry.objects.all()]
        return said.getvalue(), kinds.count("records.dumped")

    assert dumped("clubs") == ("", 0)
    assert dumped(exclude=["games"]) == ("", 0)
    said, entries = dumped("games.GameEvent")
    assert entries == 1
    assert "hands and seeds of 1 running games" in said
    assert dumped()[1] == 2
