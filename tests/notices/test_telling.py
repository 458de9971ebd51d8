"""Telling: once, only to people with a login, by the ways that they want, in the transaction of the fact."""

import threading
from datetime import timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from tests.competitions.world import a_player
from tock_league.common import clock
from tock_league.common.errors import Broken, Refused
from tock_league.common.models import OutboxRow
from tock_league.common.transactions import writing
from tock_league.embedded.folder import new_push_key
from tock_league.notices import names, selectors, tasks
from tock_league.notices.kinds import KINDS
from tock_league.notices.models import Notice, Push
from tock_league.notices.services import add_device, choose, set_quiet_hours, silence, tell, tell_withdrawn
from tock_league.notices.services.mailing import MAIL_TASK
from tock_league.notices.services.pushing import PUSH_TASK
from tock_league.notices.services.telling import SPREAD_TASK

from .push_service import Browser
from .world import a_reader, tell_something, told

pytestmark = pytest.mark.django_db


@pytest.fixture
def ana(hand):
    return a_reader("Ana Roy")


@pytest.mark.both_databases
def test_a_fact_is_told_once_and_a_further_player_hears_it_later(ana):
    bob = a_reader("Bob Roy")
    assert tell_something(ana) == 1
    assert tell_something(ana, bob) == 1
    assert tell_something(ana, key="2") == 1
    assert (told(ana), told(bob)) == (["result_to_confirm"] * 2, ["result_to_confirm"])


def test_players_without_login_and_bots_are_told_nothing(ana):
    assert tell_something(a_player("Sans Compte"), a_player("Robot", bot="calm")) == 0
    assert Notice.objects.count() == 0


@pytest.mark.both_databases
def test_a_rolled_back_fact_is_told_to_nobody(ana):
    with pytest.raises(ZeroDivisionError), writing():
        tell_something(ana)
        raise ZeroDivisionError
    assert (Notice.objects.count(), OutboxRow.objects.count()) == (0, 0)


def test_the_demo_s_past_is_told_to_nobody(ana):
    with silence():
        assert tell_something(ana) == 0


def test_a_fact_that_is_no_more_is_taken_back(ana):
    tell_something(ana)
    assert tell_withdrawn("result_to_confirm", "1") == 1
    assert told(ana) == []


@pytest.mark.parametrize(
    "fault",
    [
        {"address": "https://elsewhere.example/"},
        {"address": "//elsewhere.example/"},
        {"address": "/" + "x" * 200},
        {"match": None},
        {"text": "x"},
    ],
)
def test_a_notice_has_exactly_its_fields_and_leads_into_the_site(ana, fault):
    data = {"address": "/", "match": "x"} | fault
    data = {name: value for name, value in data.items() if value is not None}
    with pytest.raises(Broken):
        tell([ana.pk], "result_to_confirm", "1", **data)


@pytest.mark.both_databases
def test_telling_a_hundred_takes_as_many_statements_as_telling_two(ana, django_assert_max_num_queries):
    people = [a_reader(f"P{number} Roy") for number in range(30)]
    with django_assert_max_num_queries(12) as few:
        assert tell_something(*people[:2], key="few") == 2
    with django_assert_max_num_queries(len(few)):
        assert tell_something(*people, key="many") == 30


def test_a_kind_that_is_switched_off_by_both_ways_is_not_told(ana):
    choose(by=ana, wanted={"result_to_confirm": set()})
    tell_something(ana)
    assert told(ana) == []
    choose(by=ana, wanted={"result_to_confirm": {"mail"}})
    tell_something(ana)
    assert Notice.objects.get().on_site is False
    assert selectors.newest(ana) == []
    assert selectors.unseen(ana) == 0


@pytest.mark.parametrize(
    ("wanted", "field"), [({"nothing": set()}, "kind"), ({"ruling": set()}, "ruling"), ({"ruling": {"sms"}}, "ruling")]
)
def test_what_has_a_deadline_stays_in_the_site(ana, wanted, field):
    with pytest.raises(Refused) as refused:
        choose(by=ana, wanted={"table_open": {"mail"}} | wanted)
    assert refused.value.field == field
    assert selectors.wishes([ana.pk], KINDS["table_open"])[ana.pk] == {"site", "push"}  # nothing half-written


def test_all_wishes_are_written_by_one_statement(ana, django_assert_num_queries):
    wanted = {key: set(kind.offered) for key, kind in KINDS.items()}
    with django_assert_num_queries(3):  # with the savepoint of the test's transaction
        choose(by=ana, wanted=wanted)
    choose(by=ana, wanted=wanted | {"table_open": {"mail"}})
    assert selectors.wishes([ana.pk], KINDS["table_open"])[ana.pk] == {"mail"}
    assert selectors.wishes([ana.pk], KINDS["table_invitation"])[ana.pk] == {"site", "mail", "push"}


@pytest.mark.both_databases
def test_a_fact_is_spread_to_each_device_once_also_when_the_task_runs_again(ana, settings):
    settings.PUSH_KEY = new_push_key()
    add_device(by=ana, name="Firefox", **Browser().subscription)
    add_device(by=ana, name="Chrome", **Browser("b").subscription)
    tell_something(ana, a_reader("Bob Roy"))
    row = OutboxRow.objects.get(task=SPREAD_TASK)
    for _again in range(2):
        assert tasks.spread(outbox_id=row.pk, **row.body) == 4  # two mails, two pushes
    assert Push.objects.count() == OutboxRow.objects.filter(task=PUSH_TASK).count() == 2
    for waiting in OutboxRow.objects.filter(task=PUSH_TASK):
        Push.objects.update(claimed_at=clock.now())
        assert tasks.send_push(outbox_id=waiting.pk, **waiting.body) == "later"


def test_the_quiet_hours_of_all_are_read_together(ana):
    set_quiet_hours(by=ana, begins=11, ends=14)
    tell_something(ana, *(a_reader(f"P{number} Roy") for number in range(5)))
    row = OutboxRow.objects.get(task=SPREAD_TASK)
    with CaptureQueriesContext(connection) as queries:
        tasks.spread(outbox_id=row.pk, **row.body)
    assert (
        sum("quiethours" in query["sql"] for query in queries) <= 2
    )  # for mails, and for pushes where the site sends some
    waiting = OutboxRow.objects.filter(task=MAIL_TASK)
    assert waiting.filter(due_at__gt=clock.now() + timedelta(minutes=1)).get().body == {
        "notice": Notice.objects.get(player=ana).pk
    }


def test_every_kind_has_a_namer_for_its_things_and_texts_for_its_fields():
    for kind in KINDS.values():
        data = {name: "2026-09-02T16:00:00+00:00" if name in kind.times else "x" for name in kind.fields}
        shown = kind.told(data, {}, zone="America/Toronto")
        assert shown.title
        assert "%(" not in shown.title + shown.sentence
        assert set(kind.things.values()) <= names.known()
        assert kind.fixed <= kind.ways


@pytest.mark.parametrize(
    ("kind", "ways"),
    [
        ("table_invitation", {"site", "push"}),
        ("draw_published", {"site"}),
        ("table_open", {"site", "push"}),
        ("your_turn", {"push"}),
        ("webhook_disabled", {"site", "mail"}),
        ("digest", set()),
    ],
)
def test_a_kind_goes_by_the_ways_that_the_page_of_notices_promises(kind, ways):
    assert KINDS[kind].ways == ways


@pytest.mark.both_databases
@pytest.mark.django_db(transaction=True)
def test_two_workers_that_tell_the_same_tell_it_once(hand):
    ana = a_reader("Ana Roy")
    start = threading.Barrier(2)

    def again() -> None:
        try:
            start.wait(10)
            tell_something(ana)
        finally:
            connection.close()

    threads = [threading.Thread(target=again) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert told(ana) == ["result_to_confirm"]
