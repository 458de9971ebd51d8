"""Asking for an erasure: what prevents it, how it is confirmed, taken back and done."""

from datetime import timedelta
from io import StringIO
from typing import Any

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError
from django.urls import reverse

from tests.accounts.signing import a_player, sign_in
from tests.competitions.world import a_league, decide
from tock_league.accounts.models import Player, Role, User
from tock_league.accounts.permissions import SITE
from tock_league.accounts.services import create_player, create_user, give_role
from tock_league.clubs import services as clubs
from tock_league.common import clock, outbox
from tock_league.common.errors import Conflict, NotAllowed, Refused
from tock_league.competitions.services.entries import entering
from tock_league.competitions.services.rounds import calendar, publishing
from tock_league.competitions.services.seasons import lifecycle
from tock_league.journal.models import JournalEntry
from tock_league.people import erasure, parts
from tock_league.people.models import Erased, Farewell

from .world import Life

pytestmark = pytest.mark.django_db
NAME, ADDRESS = "Maude Lafrenière", "maude@exemple.quebec"


@pytest.fixture
def maude(db: None, hand: clock.Frozen) -> Player:
    return a_player(NAME, ADDRESS)


def asked(player: Player) -> Farewell:
    assert player.user is not None
    return erasure.ask(by=player.user, typed=player.display_name)


def codes(player: Player) -> set[str]:
    return {obstacle.code for obstacle in parts.obstacles(parts.person_of(player=player))}


def test_it_is_done_after_seven_days_and_can_be_taken_back_until_then(maude: Player, hand: clock.Frozen) -> None:
    user = maude.user
    assert asked(maude).due_at == clock.now() + timedelta(days=7)
    assert asked(maude).pk == Farewell.objects.get().pk  # a second click changes nothing
    hand.advance(days=6)
    assert erasure.do_due() == 0
    assert erasure.take_back(by=user)
    assert not erasure.take_back(by=user)
    asked(maude)
    hand.advance(days=7)
    assert erasure.do_due() == 1
    assert erasure.do_due() == 0
    assert not User.objects.exists()
    assert Player.objects.get().display_name.startswith("Joueur ")
    assert Erased.objects.get().label == f"player:{maude.slug}"


def test_the_letter_says_until_when_and_is_forgotten_with_the_login(maude: Player, hand: clock.Frozen) -> None:
    asked(maude)
    [row] = outbox.waiting("tock_league.accounts.tasks.send_letter")
    assert row.body["email"] == ADDRESS
    assert "2026-09-09" in row.body["body"]
    hand.advance(days=7)
    erasure.do_due()
    assert not outbox.waiting("tock_league.accounts.tasks.send_letter")


@pytest.mark.parametrize("typed", ["", "Maude", ADDRESS, "Réjean Lampron"])
def test_another_name_does_not_confirm_it(maude: Player, typed: str) -> None:
    with pytest.raises(Refused, match="typed_name"):
        erasure.ask(by=maude.user, typed=typed)
    assert not Farewell.objects.exists()


def test_a_login_without_a_player_is_deleted(hand: clock.Frozen, db: None) -> None:
    user = create_user(email=ADDRESS, password="le tock du mercredi soir")
    erasure.ask(by=user, typed=ADDRESS.upper())
    hand.advance(days=7)
    assert erasure.do_due() == 1
    assert not User.objects.exists()
    assert Erased.objects.get().pseudonym == ""


def test_the_last_administrator_and_the_last_officer_stay_until_there_is_another(maude: Player) -> None:
    give_role(player=maude, name="administrator", by=SITE)
    club = clubs.found_club(by=maude, name="Club de tock de Trois-Rivières", town="Trois-Rivières")
    other = create_player(display_name="Réjean Lampron", user=create_user(email="rejean@exemple.quebec"))
    clubs.join(by=other, club=club)
    assert codes(maude) == {"sole_administrator", "last_officer"}
    with pytest.raises(Conflict, match="sole_administrator"):
        asked(maude)
    give_role(player=other, name="administrator", by=SITE)
    clubs.give_role(by=SITE, club=club, player=other, name="officer")
    assert codes(maude) == set()


def test_the_only_member_of_a_club_may_go(maude: Player) -> None:
    clubs.found_club(by=maude, name="Club d’une personne", town="Shawinigan")
    assert codes(maude) == set()
    erasure.erase(parts.person_of(player=maude))
    assert not maude.memberships.filter(until=None).exists()


def test_a_club_of_the_persons_name_is_renamed_first(maude: Player) -> None:
    club = clubs.found_club(by=SITE, name=f"Les amis de {NAME}", town="Shawinigan")
    assert codes(maude) == set()  # a club of strangers is no obstacle: nobody can keep somebody here by such a name
    clubs.join(by=maude, club=club)
    assert codes(maude) == {"named_club"}


def test_a_competition_under_way_a_running_game_and_an_open_case_are_waited_for(life: Life) -> None:
    assert codes(life.player) == {"plays_on", "open_case"}
    referee = life.world.head
    assert codes(referee) == set()
    other = next(m for m in life.world.competition.matches.order_by("pk") if m.state == "scheduled")
    publishing.open_table(match_id=other.pk, early=True)
    other.refresh_from_db()
    seated = other.table.seatings.order_by("seat").first().player
    assert codes(seated) >= {"running_game", "plays_on"}


def test_an_obstacle_that_comes_meanwhile_postpones_it_and_its_end_lets_it_happen(
    maude: Player, hand: clock.Frozen, caplog: pytest.LogCaptureFixture
) -> None:
    asked(maude)
    league = a_league(3, state="draft", size=4)
    team = clubs.form_team(by=SITE, name="Les Pieux", players=[maude, create_player(display_name="Yvon")])
    entering.enter_team(by=SITE, competition=league, team=team)
    rounds = calendar.rounds_needed(league, legs=1)
    calendar.make_calendar(
        by=SITE, competition=league, times=[clock.now() + timedelta(days=d) for d in range(1, rounds + 1)], legs=1
    )
    lifecycle.run_through(by=SITE, competition=league, to="running")
    hand.advance(days=8)
    assert erasure.do_due() == 0
    assert Farewell.objects.get().postponed_at == clock.now()
    hand.advance(days=30)
    assert erasure.do_due() == 0
    assert "waits for more than 30 days: plays_on" in caplog.text
    for match in league.matches.order_by("pk"):
        decide(match, 0)
    lifecycle.advance(by=SITE, competition=league, to="finished")
    assert erasure.do_due() == 1


def test_an_administrator_enters_a_letter_and_others_may_not(maude: Player) -> None:
    boss = create_player(display_name="Chantal Brière")
    with pytest.raises(NotAllowed):
        erasure.ask_for(by=boss, player=maude)
    give_role(player=boss, name="administrator", by=SITE)
    assert erasure.ask_for(by=boss, player=maude).cause == "letter"
    assert b'"kind":"erasure.asked"' in bytes(JournalEntry.objects.order_by("-pk")[0].body)
    bot = create_player(display_name="Robot", bot="club")
    with pytest.raises(Refused, match="bot"):
        erasure.ask_for(by=boss, player=bot)


def test_the_command_asks_lists_takes_back_and_erases(maude: Player) -> None:
    def said(*args: str) -> str:
        out = StringIO()
        call_command("erase_player", *args, stdout=out)
        return out.getvalue()

    assert "will be erased after 2026-09-09" in said(ADDRESS)
    assert f"player:{maude.slug}: letter, due 2026-09-09" in said()
    give_role(player=maude, name="administrator", by=SITE)  # since then something prevents it
    with pytest.raises(CommandError, match="administre"):
        said(ADDRESS, "--now")
    Role.objects.filter(player=maude).delete()
    assert "stays" in said(maude.slug, "--take-back")
    assert "is erased; the pseudonym is Joueur" in said(maude.slug, "--now")
    with pytest.raises(CommandError, match="nobody"):
        said(ADDRESS)


def test_the_page_asks_for_the_name_and_shows_what_waits(client: Any, maude: Player) -> None:
    sign_in(client, maude.user)
    page = reverse("accounts:my_data")
    wrong = client.post(reverse("accounts:ask_erasure"), {"typed": "Quelqu’un"})
    assert (wrong.status_code, Farewell.objects.count()) == (422, 0)
    assert client.post(reverse("accounts:ask_erasure"), {"typed": NAME}).status_code == 302
    shown = client.get(page).content.decode()
    assert reverse("accounts:stay") in shown
    assert reverse("accounts:ask_erasure") not in shown
    client.post(reverse("accounts:stay"))
    assert reverse("accounts:ask_erasure") in client.get(page).content.decode()
    session = client.session
    for record in session["account_authentication_methods"]:
        record["at"] = 0
    session.save()
    answer = client.post(reverse("accounts:ask_erasure"), {"typed": NAME})
    assert answer.url.startswith(reverse("account_reauthenticate"))
    assert not Farewell.objects.exists()


def test_a_page_names_the_obstacle_and_offers_no_form(client: Any, maude: Player) -> None:
    give_role(player=maude, name="administrator", by=SITE)
    sign_in(client, maude.user)
    shown = client.get(reverse("accounts:my_data")).content.decode()
    assert "administr" in shown
    assert reverse("accounts:ask_erasure") not in shown


def test_a_page_names_what_an_erasure_waits_for(client: Any, maude: Player, hand: clock.Frozen) -> None:
    asked(maude)
    give_role(player=maude, name="administrator", by=SITE)
    hand.advance(days=8)
    erasure.do_due()
    sign_in(client, maude.user)
    shown = client.get(reverse("accounts:my_data"))
    assert [one.code for one in shown.context["obstacles"]] == ["sole_administrator"]
    assert "administr" in shown.content.decode()


def test_who_comes_back_after_the_letter_to_the_idle_is_not_told_of_an_erasure(
    client: Any, maude: Player, hand: clock.Frozen
) -> None:
    erasure.begin_idle(maude.user)
    sign_in(client, maude.user)
    shown = client.get(reverse("accounts:my_data")).content.decode()
    assert reverse("accounts:stay") not in shown
    assert reverse("accounts:ask_erasure") in shown


def test_the_page_offers_a_copy_only_when_it_can_be_had(client: Any, maude: Player, hand: clock.Frozen) -> None:
    sign_in(client, maude.user)
    button = f'action="{reverse("accounts:ask_export")}"'
    page = reverse("accounts:my_data")
    assert button in client.get(page).content.decode()
    client.post(reverse("accounts:ask_export"))
    assert button not in client.get(page).content.decode()
    again = client.post(reverse("accounts:ask_export"), follow=True)  # a double click
    assert [message.level_tag for message in again.context["messages"]] == ["success"]
    hand.advance(days=1)
    assert button in client.get(page).content.decode()
