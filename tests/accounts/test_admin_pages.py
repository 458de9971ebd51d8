"""Every list and every page of the admin opens, at a number of queries that its rows do not raise, and shows no secret."""

from collections.abc import Iterator
from datetime import date, timedelta
from typing import Any

import pytest
from django.contrib import admin
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from tests.accounts.signing import a_boss, a_player, sign_in
from tests.competitions.world import START, a_club, a_team
from tests.permissions.world import build
from tock_league.accounts import bot_accounts, tokens
from tock_league.accounts.models import Merge, Role, Token, User
from tock_league.accounts.permissions import SITE
from tock_league.accounts.services import give_role
from tock_league.clubs import services as clubs
from tock_league.clubs.models import ClubRole, Team, TeamInvitation
from tock_league.common import clock
from tock_league.competitions.models import Competition, CompetitionRole
from tock_league.competitions.services.seasons import creation
from tock_league.imports.models import ImportedEvent
from tock_league.notices.models import Bounce
from tock_league.oauth.models import Application
from tock_league.upkeep.models import Drill

pytestmark = pytest.mark.django_db
ASKED = {"q": "e"}  # most rows have one somewhere
QUERIES = 12  # of a list: session, login, roles, count, rows, filters and a prefetch


@pytest.fixture
def boss(client: Client) -> Iterator[Any]:
    with clock.frozen(START):
        player = a_boss()
        sign_in(client, player.user)
        yield player


def page(model: Any, what: str, *args: Any) -> str:
    return reverse(f"admin:{model._meta.app_label}_{model._meta.model_name}_{what}", args=args)


def act(client: Client, model: Any, action: str, row: Any, **more: str) -> Any:
    form = {"action": action, "_selected_action": [row.pk], **more}
    return client.post(page(model, "changelist"), form, follow=True)


def an_import(number: int) -> ImportedEvent:
    club = a_club(f"Club {number}")
    return ImportedEvent.objects.create(
        club=club, name=f"Coupe {number}", rules="shawinigan/1", seats=4, teams=2, matches=1,
        identity=str(number), digest=str(number), body={"secret": "BODY"}, imported_at=START,
    )  # fmt: skip


def more_rows() -> None:
    """Write a further row of the models that have few."""
    number = Team.objects.count()
    player = a_player(f"Joueuse {number}", f"p{number}@example.org")
    give_role(by=SITE, player=player, name="organiser")
    an_import(number)
    club = a_club(f"Autre club {number}")
    team = a_team(f"Équipe neuve {number}", club=club)
    clubs.invite(by=SITE, team=team, player=player, slot=3)
    clubs.join(by=player, club=club)
    clubs.give_role(by=SITE, club=club, player=player, name="officer")
    CompetitionRole.objects.create(
        competition=Competition.objects.first(), player=player, name="referee", since=START, given_by=player
    )
    creation.create_season(by=SITE, name=f"Saison {number}", starts_on=date(2027, 1, 1), ends_on=date(2027, 6, 1))
    Drill.objects.create(done_at=START, ok=True, seconds=1, events=1, note="")
    Application.objects.create(
        client_id=f"client-{number}", owner=player, name=f"Programme {number}", look=str(number), kind="public",
        website="https://example.org", description="", made_at=START,
    )  # fmt: skip
    Merge.objects.create(
        former=a_player(f"Ancienne {number}", f"a{number}@example.org"), kept=player, at=START, by=player
    )
    Bounce.objects.create(user=player.user, email=f"p{number}@example.org", at=START, code=550)


def test_every_page_opens_at_a_constant_number_of_queries_and_shows_no_secret(client: Client, boss: Any) -> None:
    world = build()
    more_rows()
    secret = tokens.make(by=boss.user, name="Script", scopes=["read"], days=9)
    _invitation, link = clubs.invite_by_link(by=SITE, team=world.team, slot=4)
    secrets = {User.objects.get(pk=boss.user.pk).password, secret.secret, secret.token.digest, link, "BODY"}
    secrets |= set(TeamInvitation.objects.exclude(token_hash=None).values_list("token_hash", flat=True))
    empty, counts = [], {}
    for model in admin.site._registry:
        assert admin.site._registry[model].search_fields or model is Drill, model
        with CaptureQueriesContext(connection) as seen:
            text = client.get(page(model, "changelist"), ASKED).content.decode()
        counts[model] = len(seen)
        row = model._default_manager.first()
        if row is None:
            empty.append(model)
            continue
        opened = client.get(page(model, "change", row.pk))
        assert opened.status_code == 200, model
        text += opened.content.decode()
        assert not [one for one in secrets if one in text], model
    assert empty == []
    more_rows()
    for model, before in counts.items():
        with CaptureQueriesContext(connection) as seen:
            assert client.get(page(model, "changelist"), ASKED).status_code == 200
        assert len(seen) <= before <= QUERIES, (model, before, len(seen))


def test_lists_lead_to_what_belongs_together_and_to_the_sites_pages(client: Client, boss: Any) -> None:
    club = a_club()
    team = a_team("Les Draveurs", club=club)
    shown = client.get(page(Team, "changelist")).content.decode()
    assert f'href="{page(type(club), "change", club.pk)}"' in shown
    assert reverse("pages:team", args=[team.slug]) in client.get(page(Team, "change", team.pk)).content.decode()


def test_what_cannot_be_taken_back_asks_first_and_runs_the_service(client: Client, boss: Any) -> None:
    team = a_team("Les Draveurs", club=a_club())
    asked = act(client, Team, "dissolve", team)
    assert "Les Draveurs" in asked.content.decode()
    assert Team.objects.get(pk=team.pk).dissolved_at is None
    act(client, Team, "dissolve", team, confirmed="yes")
    assert Team.objects.get(pk=team.pk).dissolved_at is not None
    again = act(client, Team, "dissolve", team, confirmed="yes").content.decode()
    assert "messagelist" in again  # the service's sentence: it is dissolved
    made = an_import(1)
    act(client, ImportedEvent, "remove", made, confirmed="yes")
    assert not ImportedEvent.objects.exists()


def test_a_refused_row_is_named_and_the_others_are_done(client: Client, boss: Any) -> None:
    club = a_club()
    first, second = a_player("Océane Trudel", "oceane@example.org"), a_player("Yvon Bellemare", "yvon@example.org")
    for player in (first, second):
        clubs.join(by=player, club=club)
        clubs.give_role(by=SITE, club=club, player=player, name="officer")
    rows = list(ClubRole.objects.order_by("pk"))
    form = {"action": "end", "_selected_action": [row.pk for row in rows], "confirmed": "yes"}
    shown = client.post(page(ClubRole, "changelist"), form, follow=True).content.decode()
    assert ClubRole.objects.filter(until__isnull=True).count() == 1  # the last officer stays
    assert 'class="error"' in shown
    assert 'class="success"' in shown


def test_leaked_tokens_of_a_login_are_revoked(client: Client, boss: Any) -> None:
    other = a_player("Océane Trudel", "oceane@example.org")
    tokens.make(by=other.user, name="Script", scopes=["read"], days=9)
    bot = bot_accounts.make(by=other, name="Robot")
    bot_accounts.make_token(by=other, slug=bot.player.slug, name="Robot", scopes=["play"], days=9)
    act(client, User, "revoke_tokens", other.user)
    assert not Token.objects.filter(tokens.in_force()).exists()


def test_an_action_needs_the_right_not_only_the_page(client: Client) -> None:
    with clock.frozen(START):
        boss = a_boss()
        User.objects.filter(pk=boss.user.pk).update(is_superuser=False)
        Role.objects.filter(player=boss).update(until=START + timedelta(0))
        sign_in(client, boss.user)
        team = a_team("Les Draveurs")
        act(client, Team, "dissolve", team, confirmed="yes")
        assert Team.objects.get(pk=team.pk).dissolved_at is None
