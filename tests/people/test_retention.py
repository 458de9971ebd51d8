"""What is kept for a time only, with the clock moved."""

import os
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from allauth.account.models import EmailAddress
from allauth.usersessions.models import UserSession
from axes.models import AccessAttempt, AccessFailureLog, AccessLog
from django.core.mail import EmailMessage
from django.test import Client

from tests.accounts.signing import a_player, sign_in
from tests.people.searching import files_with
from tock_league.accounts import people as accounts
from tock_league.accounts.models import Player, User
from tock_league.accounts.permissions import SITE
from tock_league.accounts.services import create_player, give_role
from tock_league.arbitration import people as arbitration
from tock_league.arbitration.models import Case
from tock_league.common import clock
from tock_league.common.models import OutboxRow
from tock_league.journal.models import PrivateText
from tock_league.people import erasure, parts, restored, retention
from tock_league.people.models import Erased, Farewell
from tock_league.upkeep.verification import verify

from .world import Life

pytestmark = pytest.mark.django_db
ADDRESS = "maude@exemple.quebec"


@pytest.fixture
def mail(settings: Any) -> None:
    """Mail is sent, and addresses are confirmed."""
    settings.ACCOUNT_EMAIL_VERIFICATION = "mandatory"


def an_unconfirmed(name: str, address: str) -> Player:
    user = User.objects.create_user(username=name, email=address, password="x")
    User.objects.filter(pk=user.pk).update(date_joined=clock.now())
    EmailAddress.objects.create(user=user, email=address, verified=False, primary=True)
    return create_player(display_name=name, user=user)


def test_an_account_that_nobody_confirms_goes_after_seven_days(hand: clock.Frozen, mail: None) -> None:
    an_unconfirmed("Maude", ADDRESS)
    known = a_player("Réjean Lampron", "rejean@exemple.quebec")
    User.objects.filter(pk=known.user.pk).update(date_joined=clock.now())
    hand.advance(days=6, hours=23)
    assert retention.forget_unconfirmed() == 0
    hand.advance(hours=2)
    assert retention.forget_unconfirmed() == 1
    assert list(User.objects.all()) == [known.user]
    assert list(Player.objects.all()) == [known]
    assert retention.forget_unconfirmed() == 0


def test_where_nothing_is_confirmed_nobody_is_forgotten(hand: clock.Frozen) -> None:
    an_unconfirmed("Maude", ADDRESS)
    hand.advance(days=4000)
    assert retention.forget_unconfirmed() == 0
    assert retention.ask_idle() == 0


def test_addresses_of_sign_ins_go_after_thirty_days(hand: clock.Frozen) -> None:
    more: dict[Any, dict[str, int]] = {AccessAttempt: {"failures_since_start": 1}}
    for model in (AccessAttempt, AccessLog, AccessFailureLog):
        row = model.objects.create(
            username=ADDRESS,
            ip_address="203.0.113.7",
            user_agent="x",
            http_accept="",
            path_info="",
            **more.get(model, {}),
        )
        model.objects.filter(pk=row.pk).update(attempt_time=clock.now())
    hand.advance(days=29)
    retention.forget_all()
    assert [model.objects.count() for model in (AccessAttempt, AccessLog, AccessFailureLog)] == [1, 1, 1]
    hand.advance(days=2)
    retention.forget_all()
    assert [model.objects.count() for model in (AccessAttempt, AccessLog, AccessFailureLog)] == [0, 0, 0]


def test_addresses_of_sessions_go_with_the_session(hand: clock.Frozen) -> None:
    player = a_player("Maude Lafrenière", ADDRESS)
    sign_in(Client(), player.user)
    hand.advance(days=13)
    retention.forget_all()
    assert UserSession.objects.get().ip
    hand.advance(days=2)
    retention.forget_all()
    assert not UserSession.objects.exists()


def test_statements_go_two_years_after_the_case_is_closed(life: Life, hand: clock.Frozen) -> None:
    texts = PrivateText.objects.filter(entry__case_event__case=life.case)
    assert texts.count() > 3
    hand.advance(days=900)
    assert arbitration.forget_statements() == 0  # the appeal is open
    Case.objects.filter(pk=life.case.pk).update(state="final")
    assert arbitration.forget_statements() > 3
    assert arbitration.forget_statements() == 0
    assert not texts.exists()
    assert PrivateText.objects.exists()  # those of results are public, and stay
    assert life.case.rulings.get().facts
    [journal] = [outcome for outcome in verify() if outcome.name == "journal"]
    assert not journal.count


def test_idle_people_are_asked_after_three_years_and_erased_without_an_answer(hand: clock.Frozen, mail: None) -> None:
    idle = a_player("Maude Lafrenière", ADDRESS)
    back = a_player("Réjean Lampron", "rejean@exemple.quebec")
    boss = a_player("Chantal Brière", "chef@exemple.quebec")
    give_role(player=boss, name="administrator", by=SITE)
    User.objects.update(last_login=clock.now())
    hand.advance(days=1094)
    assert retention.ask_idle() == 0
    hand.advance(days=2)
    assert retention.ask_idle() == 2
    assert retention.ask_idle() == 0
    assert {row.body["email"] for row in OutboxRow.objects.filter(task__endswith="send_letter")} == {
        ADDRESS, "rejean@exemple.quebec",
    }  # fmt: skip
    hand.advance(days=20)
    User.objects.filter(pk=back.user.pk).update(last_login=clock.now())  # signs in
    hand.advance(days=11)
    retention.forget_all()
    assert set(User.objects.all()) == {back.user, boss.user}
    assert not Farewell.objects.exists()
    assert Erased.objects.get().label == f"player:{idle.slug}"


def test_mails_in_the_folder_go_with_their_reader_and_after_thirty_days(
    hand: clock.Frozen, settings: Any, tmp_path: Path, django_capture_on_commit_callbacks: Any
) -> None:
    settings.EMAIL_BACKEND = "django.core.mail.backends.filebased.EmailBackend"
    settings.EMAIL_FILE_PATH = tmp_path
    player = a_player("Maude Lafrenière", ADDRESS)
    EmailMessage("Bonjour", "Bonjour Maude Lafrenière", to=[ADDRESS]).send()
    first = next(tmp_path.glob("*.log"))
    EmailMessage("Bonjour", "Ici Réjean", to=["rejean@exemple.quebec"]).send()
    shared = b"".join(path.read_bytes() for path in sorted(tmp_path.glob("*.log")))
    for path in tmp_path.glob("*.log"):
        path.unlink()
    first.write_bytes(shared)  # as when both are sent in one second
    assert len(files_with(tmp_path, ADDRESS)) == 1
    with django_capture_on_commit_callbacks(execute=True):
        erasure.erase(parts.person_of(player=player))
    [left] = tmp_path.glob("*.log")
    assert files_with(tmp_path, ADDRESS, "Maude") == []
    assert b"rejean@exemple.quebec" in left.read_bytes()
    os.utime(left, times=((clock.now() - timedelta(days=31)).timestamp(),) * 2)
    assert accounts.forget_old_mails() == 1


def test_a_failing_step_does_not_keep_the_others(hand: clock.Frozen, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(retention.STEPS, "exports", lambda: 1 // 0)
    found = retention.forget_all()
    assert found["exports"] is None
    assert found["outbox"] == 0


def test_a_list_of_erased_people_is_kept_beside_the_copies_and_merged(
    hand: clock.Frozen, settings: Any, tmp_path: Path
) -> None:
    settings.BACKUP_DIR, settings.DATA = tmp_path, None
    (tmp_path / restored.NAME).write_text(
        '{"label": "player:older234", "pseudonym": "Joueur 7KP", "at": "2026-01-01T00:00:00+00:00"}\nnonsense\n'
    )
    player = a_player("Maude Lafrenière", ADDRESS)
    erasure.erase(parts.person_of(player=player))
    restored.write_lists()
    restored.write_lists()
    known = restored.read(tmp_path / restored.NAME)
    assert [one.label for one in known] == ["player:older234", f"player:{player.slug}"]
    assert files_with(tmp_path, ADDRESS, "Maude") == []
    assert (tmp_path / restored.NAME).stat().st_mode & 0o777 == 0o600
