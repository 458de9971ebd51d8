"""Who may read and do what, for every endpoint of the router: a new one needs a line here, written by hand."""

import os
from collections.abc import Iterator
from typing import Any

import pytest
from django.db import transaction
from django.test import Client
from django.urls import get_resolver, reverse

from games.models import Game
from tests.architecture.test_addresses import named
from tests.competitions.world import FIRST_ROUND, a_tournament
from tests.permissions.world import NEVER, PEOPLE, World, build
from tock_league.accounts.models import Player
from tock_league.clubs import services as clubs
from tock_league.common import clock
from tock_league.competitions.models import Competition, Correction, PairingWish, Stage
from tock_league.competitions.services.entries import registration
from tock_league.competitions.services.seasons import roles
from tock_league.notices.models import Notice

from . import page
from .calling import caller, code, document, fits, send
from .deeds import DEEDS, WHO
from .test_matrix_tables import TABLES

pytestmark = pytest.mark.django_db
EVERYBODY = {
    "clubs-list", "clubs-detail", "clubs-members", "teams-list", "teams-detail", "competitions-list", "competitions-detail",
    "competitions-entries", "competitions-rounds", "competitions-standings", "competitions-bracket", "competitions-podium",
    "halls-clock",
    "results-corrections", "matches-tables", "entries-detail", "matches-list",
    "matches-detail", "rule-sets-list", "rule-sets-detail", "games-list", "games-detail", "ladders-list", "rulings-list",
    "journal-list", "journal-detail", "journal-entries", "players-list", "players-detail", "seasons-list",
}  # fmt: skip
SIGNED_IN = {"me", "invitations-list", "own-cases-list", "notices-list"}
# By what the thing itself allows: tests below, and test_reading.
ELSEWHERE = {
    "players-ratings", "rulings-detail", "ladders-detail", "ladders-board", "ladders-history",
    "console", "schema",
}  # fmt: skip
# By the table DEEDS (deeds.py).
OF_OFFICES = {
    "organising-settings", "organising-step", "organising-ties", "draw-by-hand-pairing", "entering-leaving",
    "entering-coming-back",
    "results-paper", "results-take-back", "team-deeds-places",
    "calendars-late", "late-entries-take-back-late", "queue-cases", "cases-detail", "judging-choices", "judging-second-signature",
}  # fmt: skip
WITH_RIGHTS = {"organiser", "club_organiser", "officer", "administrator", "superuser", "event_organiser"}
OF_THE_EVENT = {"playing_organiser", "referee", "head_referee", "club_referee", "playing_referee", "case_referee"}


@pytest.fixture
def world() -> Iterator[World]:
    with clock.frozen(FIRST_ROUND):
        yield build()


def endpoints() -> dict[str, Any]:
    return {name.removeprefix("api:"): p for name, p in named(get_resolver()) if name.startswith("api:")}


def things(world: World) -> dict[str, dict[str, str]]:
    """Return the parameters of each endpoint that has any."""
    competition = {"slug": world.league.slug}
    return {
        "clubs-detail": {"slug": world.club.slug},
        "clubs-members": {"slug": world.club.slug},
        "teams-detail": {"slug": world.team.slug},
        "competitions-detail": competition,
        "competitions-entries": competition,
        "competitions-rounds": competition,
        "competitions-standings": competition,
        "competitions-bracket": competition,
        "competitions-podium": competition,
        "halls-clock": competition,
        "results-corrections": {"slug": world.match.slug},
        "matches-tables": {"slug": world.match.slug},
        "entries-detail": {"slug": world.entry.slug},
        "matches-detail": {"slug": world.match.slug},
        "rule-sets-detail": {"page": "shawinigan-1"},
        "games-detail": {"slug": world.game.slug},
        "journal-detail": {"name": "open"},
        "journal-entries": {"name": "open"},
        "players-detail": {"slug": world.player("captain").slug},
    }


def clients(world: World, names: tuple[str, ...]) -> dict[str, Client]:
    return {name: caller(None if name in NEVER else world.player(name)) for name in names}


def test_every_endpoint_that_is_read_has_a_line() -> None:
    read = {name for name, p in endpoints().items() if "get" in getattr(p.callback, "actions", {"get": ""})}
    assert read - TABLES == EVERYBODY | SIGNED_IN | ELSEWHERE | OF_OFFICES
    assert set(endpoints()) >= TABLES


def test_what_is_public_is_told_to_everybody_as_the_document_says(world: World) -> None:
    known = things(world)
    shown = {part.replace("{", "<").replace("}", ">"): part for part in document()["paths"]}
    for who, client in clients(world, ("visitor", "newcomer", "administrator", "former_referee")).items():
        for name in sorted(EVERYBODY | SIGNED_IN):
            address = reverse(f"api:{name}", kwargs=known.get(name))
            answer = client.get(address)
            expected = 401 if name in SIGNED_IN and who == "visitor" else 200
            assert answer.status_code == expected, f"{who} {name}: {answer.content!r}"
            for key, value in known.get(name, {}).items():
                address = address.replace(f"/{value}", f"/<{key}>", 1)
            fits(answer, shown[address])


def test_a_draft_is_shown_to_those_who_may_see_its_page(world: World) -> None:
    Competition.objects.filter(pk=world.league.pk).update(state="draft")
    private = ("competitions-detail", "competitions-entries", "competitions-rounds", "competitions-standings",
               "matches-detail", "entries-detail")  # fmt: skip
    names = ("visitor", *PEOPLE, "administrator", "superuser")
    for who, client in clients(world, names).items():
        may = who in WITH_RIGHTS | OF_THE_EVENT
        for name in private if who in ("visitor", "officer", "stranger", "referee") else private[:1]:
            answer = client.get(reverse(f"api:{name}", kwargs=things(world)[name]))
            assert answer.status_code == (200 if may else 404), f"{who} {name}"
    for name in ("competitions-list", "matches-list", "games-list"):
        told = caller(world.player("officer")).get(reverse(f"api:{name}")).content.decode()
        assert world.match.slug not in told
        assert world.league.slug not in told


def test_a_player_is_told_to_those_who_may_see_the_page(world: World) -> None:
    captain, stranger = world.player("captain"), world.player("stranger")
    address = reverse("api:players-detail", kwargs={"slug": captain.slug})
    names = reverse("api:players-list")

    def sees(client: Client) -> bool:
        told = client.get(address).json()
        assert told["name"] == captain.display_name
        assert (told["teams"] is not None) == told["is_open"]
        rated = client.get(reverse("api:players-ratings", kwargs={"slug": captain.slug})).status_code
        assert rated == (200 if told["is_open"] else 404)
        listed = captain.slug in {one["slug"] for one in client.get(names, {"limit": "100"}).json()["results"]}
        assert listed == told["is_open"]
        return bool(told["is_open"])

    visitor, other, mate, own = caller(), caller(stranger), caller(world.player("player")), caller(captain)
    expected = {"clubs": (False, False, True, True), "signed_in": (False, True, True, True), "everybody": (True,) * 4}
    for readers, seen in expected.items():
        Player.objects.filter(pk=captain.pk).update(page_for=readers)
        assert tuple(sees(client) for client in (visitor, other, mate, own)) == seen, readers


def test_a_game_is_told_once_it_is_over_and_to_those_who_may_see_its_replay(world: World) -> None:
    address = reverse("api:games-detail", kwargs={"slug": world.game.slug})
    assert caller().get(address).json()["record"] == f"/api/games/{world.game.slug}/record.jsonl"
    table = world.game.table
    type(table).objects.filter(pk=table.pk).update(seated_only=True)
    assert code(caller().get(address)) == "not_found"
    type(table).objects.filter(pk=table.pk).update(seated_only=False)
    Game.objects.filter(pk=world.game.pk).update(state="playing")
    assert code(caller(world.player("captain")).get(address)) == "not_found"


def test_a_player_without_login_rights_gets_no_foreign_invitation(world: World) -> None:
    offer = clubs.invite(by=world.player("captain"), team=world.team, player=world.player("player"), slot=3)
    listed = reverse("api:invitations-list")
    assert [one["id"] for one in caller(world.player("player")).get(listed).json()["results"]] == [offer.pk]
    assert caller(world.player("stranger")).get(listed).json()["results"] == []


# --- deeds: every operation that is no GET, and reading what an office shows -----------------------------------------


def filled(value: Any, names: dict[str, str]) -> Any:
    """Return an address or body with names in the place of `{…}`."""
    if isinstance(value, str):
        return value.format_map(names)
    if isinstance(value, list):
        return [filled(inner, names) for inner in value]
    return {key: filled(inner, names) for key, inner in value.items()} if isinstance(value, dict) else value


def things_of_deeds(world: World) -> dict[str, str]:
    """Build what the writes are about; return the names."""
    boss, captain = world.player("club_organiser"), world.player("captain")
    event, empty, drawn = (a_tournament(0, state="open", club=world.club) for _number in range(3))
    referee = world.player("referee")
    for made in (event, empty, drawn):
        roles.give(by=boss, competition=made, player=referee, name="referee")
    entry = registration.register(by=captain, competition=event, team=world.team)
    Stage.objects.create(competition=drawn, ordinal=1, format="round_robin/1").groups.create(ordinal=1, name="")
    offer = clubs.invite(by=captain, team=world.team, player=world.player("player"), slot=3)
    own = world.match.side_rows.get(entry=world.entry)
    if own.position != 0:
        world.match.side_rows.filter(position=0).update(position=9)
        world.match.side_rows.filter(pk=own.pk).update(position=0)
        world.match.side_rows.filter(position=9).update(position=1)
    correction = {"competition": world.league, "number": 1, "match": world.match, "kind": "reopen", "reason": "x"}
    Correction.objects.create(**correction, at=clock.now())
    told = {"team": world.team.slug, "by": "", "until": "2030-01-01T00:00:00Z"}
    notice = Notice.objects.create(
        player=world.player("player"), kind="team_invitation", key="x", address="/", at=clock.now(), data=told
    )
    Player.objects.filter(pk=world.player("partner").pk).update(page_for="everybody")
    low, high = sorted((entry, world.entry), key=lambda one: one.pk)
    wish = PairingWish.objects.create(
        competition=event, kind="apart", low=low, high=high, reason="x", at=clock.now(), ended_at=clock.now()
    )
    return {
        "case": world.case.number, "game": world.game.slug, "league": world.league.slug,
        "club": world.club.slug, "event": event.slug, "empty": empty.slug, "drawn": drawn.slug, "team": world.team.slug,
        "entry": entry.slug, "playing": world.entry.slug, "match": world.match.slug, "invitation": str(offer.pk),
        "notice": str(notice.pk), "wish": str(wish.pk),
        **{name: world.player(name).slug for name in ("captain", "player", "partner", "stranger")},
    }  # fmt: skip


def test_every_deed_has_a_line() -> None:
    paths = document()["paths"].items()
    told = {f"{method} {path.removeprefix('/api/v1/')}" for path, made in paths for method in made if method != "get"}
    told = {line for line in told if line.split()[1].split("/")[0] not in ("tables", "play")}  # test_matrix_tables
    assert told == {line for line in DEEDS if not line.startswith("get ")}


def test_the_page_of_permissions_tells_the_lines() -> None:
    """`python -m tests.api.page` writes it."""
    assert page.FILE.read_text(encoding="utf-8") == page.text()


def asked(line: int, may: set[str]) -> set[str]:
    """Return who is asked of a line of DEEDS: a visitor, and in turns one who may and one who may not.

    `TOCK_MATRIX=all` asks everybody, which takes half a minute.
    """
    if os.environ.get("TOCK_MATRIX") == "all":
        return set(WHO)
    chosen = [who for who in WHO[1:] if (who in may) == bool(line % 2)] or list(WHO[1:])
    return {"visitor", chosen[line // 2 % len(chosen)]}


def test_who_may_do_what(world: World, settings: Any) -> None:
    settings.API_MINUTE_WRITES = 10_000
    names = things_of_deeds(world)
    wrong = []
    programs = clients(world, WHO)
    for number, (line, (address, body, may)) in enumerate(DEEDS.items()):
        for who in sorted(asked(number, may)):
            before = transaction.savepoint()
            answer = send(programs[who], filled(address, names), filled(body, names), method=line.split()[0])
            transaction.savepoint_rollback(before)
            refused = answer.status_code in (401, 403, 404)
            if refused == (who in may) or (who == "visitor") != (answer.status_code == 401):
                wrong.append((who, line, answer.status_code, answer.json()))
            assert answer.status_code < 500
    assert wrong == []
