"""Bot accounts: who makes them, what marks them, what they may not do, and how they end."""

from datetime import timedelta
from typing import Any

import pytest
from allauth.account.signals import password_changed
from django.test import Client
from django.urls import reverse

from games.permissions import Person
from games.services import casual
from tests.competitions.world import FIRST_ROUND, a_club, a_league
from tock_league.accounts import blocks, people, tokens
from tock_league.accounts import bot_accounts as bots
from tock_league.accounts.models import BotAccount, Player, Token, User
from tock_league.accounts.permissions import BOT_ACTIONS, SITE, actions, can
from tock_league.accounts.services import create_player, edit_profile, give_role, rename_player, set_active
from tock_league.accounts.templatetags.people import initials
from tock_league.clubs import services as clubs
from tock_league.common import clock
from tock_league.common.errors import NotAllowed, NotThere, Refused
from tock_league.competitions.models import Match
from tock_league.competitions.services.entries import entering
from tock_league.competitions.services.rounds import opening
from tock_league.competitions.services.seasons import roles
from tock_league.people import erasure, export, parts

from .signing import PASSWORD, a_player, sign_in

pytestmark = pytest.mark.django_db


@pytest.fixture
def owner() -> Player:
    return a_player("Martine Gélinas", "martine@example.org")


@pytest.fixture
def bot(owner: Player) -> Player:
    return bots.make(by=owner, name="Tocard").player


def login(player: Player) -> User:
    assert player.user is not None
    return player.user


def refusal(act: Any, **given: Any) -> str:
    with pytest.raises(Refused) as caught:
        act(**given)
    return caught.value.code


def test_a_bot_says_what_it_is_wherever_its_name_stands(client: Client, owner: Player, bot: Player) -> None:
    assert (bot.display_name, bot.is_bot_account) == ("Tocard (bot)", True)
    assert initials(bot.display_name) == "TO"
    page = client.get(reverse("pages:player", args=[bot.slug]), headers={"accept-language": "en"}).content.decode()
    assert "played by a program" in page
    assert "Martine" not in page
    sign_in(client, login(owner))
    assert "Martine" in client.get(reverse("pages:player", args=[bot.slug])).content.decode()


@pytest.mark.parametrize("name", ["Gilles (bot)", "Gilles  (BOT)", "Gilles (b\u043et)"])  # the last one is Cyrillic
def test_a_person_does_not_bear_the_mark(owner: Player, name: str) -> None:
    keep = {"language": "fr", "time_zone": "America/Toronto"}
    assert refusal(create_player, display_name=name) == "bot_name"
    assert refusal(edit_profile, by=owner, player=owner, display_name=name, **keep) == "bot_name"
    assert refusal(casual.open_table, by=Person(guest_key="a" * 32), name=name) == "bot_name"


def test_a_bot_keeps_the_mark(bot: Player) -> None:
    assert refusal(rename_player, by=SITE, player=bot, display_name="Tocard") == "bot_name"
    assert rename_player(by=SITE, player=bot, display_name="Tocarde (bot)").display_name == "Tocarde (bot)"


def test_what_cannot_be_made_is_refused(owner: Player, bot: Player) -> None:
    assert refusal(bots.make, by=owner, name="T") == "bot_name"
    assert refusal(bots.make, by=owner, name="x" * 35) == "bot_name"
    assert refusal(bots.make, by=owner, name="Tocard") == "name_taken"
    assert refusal(bots.make, by=owner, name="Martine G\u00e9linas") == "name_taken"
    assert bots.make(by=owner, name="Deux (bot)").player.display_name == "Deux (bot)"
    bots.make(by=owner, name="Trois")
    assert refusal(bots.make, by=owner, name="Quatre") == "bots_most"
    bots.close(by=owner, slug=bot.slug)
    bots.make(by=owner, name="Quatre")
    child = create_player(display_name="Enfant", birth_year=clock.now().year - 10)
    assert refusal(bots.make, by=child, name="Cinq") == "child_office"
    for nobody in (None, bot):
        with pytest.raises(NotAllowed):
            bots.make(by=nobody, name="Six")


def test_nobody_signs_in_by_a_bot_account(client: Client, bot: Player, mailoutbox: list[Any]) -> None:
    user = bot.user
    assert user is not None
    assert not user.has_usable_password()
    for login in (user.username, user.email or "x@example.org"):
        client.post(reverse("account_login"), {"login": login, "password": PASSWORD})
        assert "_auth_user_id" not in client.session
    client.post(reverse("account_reset_password"), {"email": ""})
    assert mailoutbox == []
    assert user not in people.idle(timedelta(0))
    assert user not in people.unconfirmed()


def test_its_owner_alone_makes_and_revokes_its_tokens(owner: Player, bot: Player) -> None:
    made = bots.make_token(by=owner, slug=bot.slug, name="Programme", scopes=["play"], days=30)
    assert tokens.opened(made.secret).user == bot.user
    assert refusal(bots.make_token, by=owner, slug=bot.slug, name="P", scopes=["manage"], days=30) == "scope"
    other = a_player("Gilles Trudel", "gilles@example.org")
    for who, error in ((other, NotThere), (bot, NotAllowed), (None, NotAllowed)):
        with pytest.raises(error):
            bots.make_token(by=who, slug=bot.slug, name="Programme", scopes=["play"], days=30)
        with pytest.raises(error):
            bots.close(by=who, slug=bot.slug)
    with pytest.raises(NotThere):
        bots.revoke_token(
            by=owner, slug=bot.slug, pk=tokens.make(by=login(owner), name="Own", scopes=[], days=1).token.pk
        )
    bots.revoke_token(by=owner, slug=bot.slug, pk=made.token.pk)
    assert refusal(tokens.opened, secret=made.secret) == "token_revoked"


def test_closing_ends_its_tokens_for_good(owner: Player, bot: Player) -> None:
    made = bots.make_token(by=owner, slug=bot.slug, name="Programme", scopes=["play"], days=30)
    first = bots.close(by=owner, slug=bot.slug)
    assert bots.close(by=owner, slug=bot.slug).closed_at == first.closed_at
    assert refusal(tokens.opened, secret=made.secret) == "token_unknown"
    assert refusal(bots.make_token, by=owner, slug=bot.slug, name="P", scopes=[], days=1) == "bot_closed"


def test_its_tokens_end_with_the_password_and_the_login_of_its_owner(owner: Player, bot: Player) -> None:
    def made() -> str:
        return bots.make_token(by=owner, slug=bot.slug, name="Programme", scopes=["play"], days=30).secret

    first = made()
    password_changed.send(sender=User, request=None, user=login(owner))
    assert refusal(tokens.opened, secret=first) == "token_revoked"
    second = made()
    set_active(by=SITE, user=login(owner), active=False)
    assert refusal(tokens.opened, secret=second) == "token_revoked"


def test_who_blocks_a_person_meets_none_of_their_bots(owner: Player, bot: Player) -> None:
    other, third = a_player("Gilles Trudel", "gilles@example.org"), create_player(display_name="Sylvie Doucet")
    assert not blocks.are_apart(bot, other)
    blocks.block(by=other, player=owner)
    assert blocks.are_apart(bot, other)
    assert blocks.are_apart(other, bot)
    assert blocks.apart(other) == {owner.pk, bot.pk}
    assert blocks.apart(bot) == {other.pk}
    assert not blocks.are_apart(bot, owner)
    assert blocks.apart(third) == set()
    code = casual.open_table(by=Person(player_id=other.pk)).code
    assert refusal(lambda: casual.sit(code, 1, by=Person(player_id=bot.pk))) == "apart"


def test_what_it_may_do_is_a_list(bot: Player) -> None:
    assert actions() >= BOT_ACTIONS
    assert [action for action in sorted(actions() - BOT_ACTIONS) if can(bot, action)] == []


def test_it_acts_for_nobody_else(owner: Player, bot: Player) -> None:
    club = a_club()
    clubs.join(by=bot, club=club)
    team = clubs.form_team(by=SITE, name="Les Robots", players=[bot, owner], club=club)
    assert can(owner, "club.found")
    for action, thing in (("club.found", None), ("team.found", club), ("team.edit", team), ("profile.edit", bot)):
        assert not can(bot, action, thing), action
    assert refusal(clubs.give_role, by=SITE, club=club, player=bot, name="officer") == "bot_office"
    assert refusal(give_role, by=SITE, player=bot, name="referee") == "bot_office"
    with clock.frozen(FIRST_ROUND):
        league = a_league(2, state="draft")
        assert refusal(roles.give, by=SITE, competition=league, player=bot, name="referee") == "bot_office"


def test_it_plays_where_the_regulations_allow_bots_and_is_not_rated(owner: Player, bot: Player) -> None:
    with clock.frozen(FIRST_ROUND):
        team = clubs.form_team(by=SITE, name="Les Robots", players=[bot, owner])
        human = a_league(1, state="draft", size=2)
        assert refusal(entering.enter_team, by=SITE, competition=human, team=team) == "bots_refused"
        mixed = a_league(1, state="draft", size=2)
        type(mixed).objects.filter(pk=mixed.pk).update(bots_allowed=True)
        entering.enter_team(by=SITE, competition=mixed, team=team)
        match = _first_match(mixed)
        opening.open_table(match_id=match.pk, early=True)
        match.refresh_from_db()
        assert match.table is not None
        assert (match.table.rated, match.table.bots_allowed) == (False, False)
        assert [one.bot for one in match.table.seatings.all()] == [""] * 4


def _first_match(league: Any) -> Match:
    from tock_league.competitions.services.rounds import calendar
    from tock_league.competitions.services.seasons import lifecycle

    calendar.make_calendar(by=SITE, competition=league, times=[FIRST_ROUND], legs=1)
    return lifecycle.run_through(by=SITE, competition=league, to="running").matches.get()


def test_it_sits_at_casual_tables_that_are_not_rated(owner: Player, bot: Player) -> None:
    by, program = Person(player_id=owner.pk), Person(player_id=bot.pk)
    free = casual.open_table(by=by).code
    casual.sit(free, 1, by=program)
    strict: Any = {"rated": True, "pace": "normal", "touch": True}
    rated = casual.open_table(by=by, **strict).code
    assert refusal(lambda: casual.sit(rated, 1, by=program)) == "rated_bot"
    assert refusal(lambda: casual.open_table(by=program, **strict)) == "rated_bot"


@pytest.mark.both_databases
def test_those_in_use_are_listed_first(owner: Player, bot: Player) -> None:
    with clock.frozen(FIRST_ROUND) as hand:
        second = bots.make(by=owner, name="Deux").player
        hand.advance(hours=1)
        third = bots.make(by=owner, name="Trois").player
        bots.close(by=owner, slug=second.slug)
    assert [account.player for account in bots.of(owner)] == [bot, third, second]


def test_an_erasure_of_its_owner_closes_it_and_takes_its_name(owner: Player, bot: Player) -> None:
    made = bots.make_token(by=owner, slug=bot.slug, name="Programme", scopes=["play"], days=30)
    person = parts.person_of(user=owner.user)
    data = export.data_of(person)
    assert data["bots"][0]["name"] == "Tocard (bot)"
    assert [(row["name"], row["bot"]) for row in data["tokens"]] == [("Programme", bot.slug)]
    erasure.erase(person)
    assert not Token.objects.exists()  # the person has chosen their names
    bot.refresh_from_db()
    assert bot.display_name.endswith("1 (bot)")
    assert "Tocard" not in bot.display_name
    assert BotAccount.objects.get().closed_at is not None
    assert refusal(tokens.opened, secret=made.secret) == "token_unknown"


def test_the_pages_do_all_of_it(client: Client, owner: Player) -> None:
    sign_in(client, login(owner))
    made = client.post(reverse("accounts:bots"), {"name": "Tocard"})
    bot = Player.objects.get(display_name="Tocard (bot)")
    assert made["Location"] == reverse("accounts:bot", args=[bot.slug])
    assert client.post(reverse("accounts:bots"), {"name": "Tocard"}).status_code == 422
    address = reverse("accounts:bot", args=[bot.slug])
    page = client.post(address, {"name": "Programme", "scopes": ["read", "play"], "days": "30"}).content.decode()
    secret = page.split('class="api-secret">')[1].split("<")[0]
    token = tokens.opened(secret)
    assert client.post(address, {"name": "P2", "scopes": ["manage"], "days": "30"}).status_code == 422
    client.post(reverse("accounts:revoke_bot_token", args=[bot.slug, token.pk]))
    assert Token.objects.get(pk=token.pk).revoked_at is not None
    client.post(reverse("accounts:close_bot", args=[bot.slug]))
    assert "Tocard (bot)" in client.get(reverse("accounts:bots")).content.decode()
    assert not User.objects.get(player=bot).is_active
    other = Client()
    sign_in(other, login(a_player("Gilles Trudel", "gilles@example.org")))
    assert other.get(address).status_code == 404
    assert other.post(reverse("accounts:close_bot", args=[bot.slug])).status_code == 404
