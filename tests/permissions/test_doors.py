"""People without permission send something to every address: it is refused, and the database does not change."""

from collections.abc import Iterator
from typing import Any

import pytest
from django.apps import apps
from django.contrib.auth import get_user_model
from django.test import Client
from django.urls import URLPattern, reverse

from tests.architecture.test_addresses import all_names
from tests.competitions.world import FIRST_ROUND
from tock_league.accounts.models import Player
from tock_league.accounts.permissions import SITE
from tock_league.accounts.services import create_user
from tock_league.clubs.services import give_role, invite
from tock_league.common import clock
from tock_league.competitions.services.seasons import roles
from tock_league.newcomers import services as newcomers
from tock_league.newcomers.models import NameList
from tock_league.webhooks import services as webhooks
from tock_league.webhooks.models import Webhook

from .world import World, build

pytestmark = pytest.mark.django_db
OURS = (
    "accounts",
    "arbitration",
    "calendars",
    "clubs",
    "competitions",
    "exports",
    "imports",
    "newcomers",
    "games",
    "hall",
    "incidents",
    "integrity",
    "journal",
    "notices",
    "ratings",
    "common",
    "oauth",
    "webhooks",
)
# Actions that everybody may do for themselves; an invitation's link is a permission of its own.
FOR_EVERYBODY = {
    "accounts:ask_consent",
    "accounts:ask_erasure",
    "accounts:ask_export",
    "accounts:birth_year",
    "accounts:bots",
    "accounts:block",
    "accounts:unblock",
    "accounts:children",
    "accounts:profile",
    "accounts:protect",
    "accounts:stay",  # nothing to take back
    "arbitration:declare_tie",
    "arbitration:family",
    "calendars:renew",
    "calendars:stop",
    "clubs:answer_link",
    "clubs:follow_team",
    "clubs:unfollow_player",
    "clubs:unfollow_team",
    "clubs:found",
    "clubs:found_team",
    "clubs:invitation",
    "clubs:join",
    "competitions:mute",
    "competitions:unmute",
    "competitions:new",  # an officer makes competitions of their own club
    "competitions:new_season",  # and seasons
    "competitions:new_night",
    "competitions:new_tournament",
    "competitions:register",  # redirects where there is nothing to register for
    "newcomers:claim",  # refused without a code; tests/newcomers
    "imports:new",  # an officer imports events for their own club
    "games:analysis",  # of a finished game, for every reader of the replay
    "games:casual_new",
    "games:finish_lessons",
    "games:play_on",  # of a finished game, for every reader of the replay
    "games:practice",
    "games:quick_seat",
    "notices:add_device",
    "notices:all_seen",
    "notices:mail_again",
    "notices:settings",
    "oauth:applications",
    "oauth:authorize",  # refused without an application; tests/oauth
    "oauth:revoke",
    "oauth:token",
}
# A visitor, and one person who has every office elsewhere: who has fewer of them may do less.
NOBODYS = ("visitor", "strange_captain")
NOT_ALLOWED = {403, 404, 405}
REFUSED = NOT_ALLOWED | {400, 409, 422}  # also impossible actions, such as leaving a club that they are not in


@pytest.fixture
def world() -> Iterator[World]:
    with clock.frozen(FIRST_ROUND):
        yield build()


def address(name: str, pattern: URLPattern, world: World) -> str:
    """Return the address of that name for the objects of the captain's club."""
    table = world.match.table
    assert table is not None
    first = str(pattern.pattern).removeprefix("api/").split("/")[0]
    slugs = {
        "competitions": world.league.slug,
        "matches": world.match.slug,
        "entries": world.entry.slug,
        "clubs": world.club.slug,
        "teams": world.team.slug,
        "games": world.game.slug,
        "tables": table.slug,
        "players": world.player("captain").slug,
        "calendars": world.league.slug,
        "exports": world.league.slug,
        "imported": "abcd2345",
        "newcomers": NameList.objects.values_list("slug", flat=True).first() or "",
        "webhooks": Webhook.objects.values_list("slug", flat=True).first() or "",
        "profile": world.player("captain").slug,
    }
    values: dict[str, object] = {
        "slug": slugs.get(first, ""),
        "number": world.case.number if first in ("cases", "rulings") else 1,
        "entry": world.entry.slug,
        "player": world.player("partner").slug,
        "pk": world.team.invitations.get().pk if first == "invitations" else 0,
        "name": "open",
        "family": "shawinigan",
        "teams": 2,
        "subject_id": 1,
        "other_id": 1,
        "token": "x",
        "secret": "x",
        "table": "standings",
        "what": "slips",
        "form": "csv",
        "kind": "players",
        "code": "x",
        "deed": "begin",
        "news": "x",
        "season": "x",
        "other": world.player("captain").slug,
    }
    return reverse(name, kwargs={key: values[key] for key in pattern.pattern.converters})


def body(world: World) -> dict[str, object]:
    """Return a body with a plausible value for every field of every form."""
    return {
        "player": world.player("stranger").slug,
        "name": "organiser",
        "role": 1,
        "reason": "Parce que.",
        "to": "suspended",
        "state": "suspended",
        "winner": 0,
        "position": 0,
        "slot": 3,
        "place": 3,
        "team": world.team.slug,
        "entry": world.entry.slug,
        "text": "Quelques mots.",
        "how": "lots",
        "vote": "uphold",
        "note": "Une note.",
        "grounds": "rule",
        "seq": 5,
        "seat": 0,
        "kind": "talk",
        "answer": "yes",
        "accept": "yes",
        "outcome": "dismissed",
        "facts": "Des faits.",
        "reasons": "Des motifs.",
        "starts_at": "2026-09-09T19:00",
        "town": "Shawinigan",
        "about": "",
        "address": "https://8.8.4.4/",
        "kinds": ["result.confirmed"],
    }


def everything() -> dict[str, list[Any]]:
    """Return all rows of all tables of the project."""
    models = [model for app in apps.get_app_configs() if app.name.startswith(("tock_league", "games", "ratings"))
              for model in app.get_models()]  # fmt: skip
    skipped = {get_user_model()}  # signing in writes its time
    return {
        model._meta.label: list(model._default_manager.order_by("pk").values_list())
        for model in models
        if model not in skipped
    }


def signed_in(world: World, name: str) -> Client:
    client = Client()
    if name != "visitor":
        player = world.player(name)
        player.user = create_user(email=f"{name}@example.org")
        Player.objects.filter(pk=player.pk).update(user=player.user)
        client.force_login(player.user, backend="allauth.account.auth_backends.AuthenticationBackend")
    return client


def give_every_office_elsewhere(world: World, name: str) -> None:
    """Make somebody an officer of the strangers' club, organiser and head referee of its league, and a referee of it."""
    player, club, league = world.player(name), world.elsewhere, world.other_league
    for office in ("officer", "organiser"):
        give_role(by=world.player("strange_officer"), club=club, player=player, name=office)
    for office in ("organiser", "referee", "head_referee"):
        roles.give(by=SITE, competition=league, player=player, name=office)


@pytest.mark.parametrize("name", NOBODYS)
def test_people_without_permission_are_refused_at_every_address(world: World, name: str) -> None:
    invite(by=world.player("captain"), team=world.team, player=world.player("player"), slot=3)
    officer = world.player("officer")
    newcomers.save(by=officer, place=world.club, rows=[(1, ("name",)), (2, ("Sans Compte",))], agreed=True)
    webhooks.add(by=officer, place=world.club, address="https://8.8.8.8/", kinds=["result.confirmed"])
    if name != "visitor":
        give_every_office_elsewhere(world, name)
    client, sent = signed_in(world, name), body(world)
    before, faults, asked, not_allowed = everything(), [], 0, 0
    for door, pattern in sorted(all_names().items()):
        if door.split(":")[0] not in OURS or door in FOR_EVERYBODY:
            continue
        asked += 1
        answer = client.post(address(door, pattern, world), sent)
        to_sign_in = answer.status_code == 302 and answer["Location"].startswith("/accounts/login/")
        not_allowed += answer.status_code in NOT_ALLOWED or to_sign_in
        if answer.status_code not in REFUSED and not to_sign_in:
            faults.append(f"{door}: {answer.status_code}")
    after = everything()
    assert faults == []
    assert [table for table in after if after[table] != before[table]] == []
    assert asked > 60
    assert asked - not_allowed < 12  # those whose body is no JSON, or whose act is impossible here
