"""Two requests at the same moment: each code and refresh token serves once, and an access exists once."""

import threading
from collections.abc import Callable
from typing import Any

import pytest
from django.db import connection

from tock_league.accounts.models import Token
from tock_league.accounts.permissions import SITE
from tock_league.oauth import services
from tock_league.oauth.models import Access

from .world import Program, a_browser, an_application, answered, me, press, two_people

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.both_databases]


def at_once(*acts: Callable[[], Any]) -> list[Any]:
    """Return what each act returned; all of them begin together, each on its own connection."""
    gate, answers = threading.Barrier(len(acts)), [None] * len(acts)

    def run(number: int, act: Callable[[], Any]) -> None:
        gate.wait(10)
        try:
            answers[number] = act()
        finally:
            connection.close()

    threads = [threading.Thread(target=run, args=pair) for pair in enumerate(acts)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(30)
    return answers


def test_a_code_sent_twice_at_once_gives_tokens_once_and_these_end() -> None:
    owner, player = two_people()
    program = Program(an_application(owner))
    sent = answered(press(a_browser(player), program.address(), player))["code"]
    answers = at_once(*[lambda: program.change(sent)] * 2)
    assert sorted(answer.status_code for answer in answers) == [200, 400]
    [given] = [answer.json() for answer in answers if answer.status_code == 200]
    assert me(given["access_token"]).status_code == 401
    assert Token.objects.count() == 1


def test_a_refresh_token_sent_twice_at_once_ends_the_access() -> None:
    owner, player = two_people()
    program = Program(an_application(owner))
    token = program.connect(player)["refresh_token"]
    answers = at_once(*[lambda: program.refresh(token)] * 2)
    assert sorted(answer.status_code for answer in answers) == [200, 400]
    assert Access.objects.get().ended_at is not None
    assert not Token.objects.filter(revoked_at__isnull=True).exists()


def test_two_presses_at_once_make_one_access() -> None:
    owner, player = two_people()
    program = Program(an_application(owner))
    browsers = a_browser(player), a_browser(player)
    answers = at_once(*[lambda browser=browser: press(browser, program.address(), player) for browser in browsers])
    assert ["code" in answered(answer) for answer in answers] == [True, True]
    assert Access.objects.count() == 1


def test_no_token_outlives_a_suspension_at_the_same_moment() -> None:
    owner, player = two_people()
    program = Program(an_application(owner))
    token = program.connect(player)["refresh_token"]
    at_once(lambda: program.refresh(token), lambda: services.suspend(by=SITE, application=program.application))
    assert not Token.objects.filter(revoked_at__isnull=True).exists()
    assert Access.objects.get().ended_at is not None


def test_six_registrations_at_once_make_five_applications() -> None:
    owner, _player = two_people()

    def register(number: int) -> Any:
        try:
            return an_application(owner, name=f"Quilles {number}", kind="public")
        except Exception as error:
            return error

    answers = at_once(*[lambda number=number: register(number) for number in range(services.MOST + 1)])
    assert [str(getattr(one, "code", "")) for one in answers].count("applications_most") == 1
