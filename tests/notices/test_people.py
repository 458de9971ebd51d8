"""A person's notices in the export, after an erasure, and after ninety days."""

import pytest

from tock_league.common import clock
from tock_league.common.persons import Leaving, Person
from tock_league.notices import people
from tock_league.notices.models import Bounce, Notice, Preference, QuietHours
from tock_league.notices.services import choose, set_quiet_hours
from tock_league.people.retention import STEPS

from .world import a_reader, tell_something

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("hand")]


def test_everything_is_exported_and_goes_with_the_person_alone():
    ana, bob = a_reader("Ana Roy"), a_reader("Bob Roy")
    for player in (ana, bob):
        tell_something(player)
        choose(by=player, wanted={"table_open": {"mail"}})
        set_quiet_hours(by=player, begins=1, ends=2)
        Bounce.objects.create(user=player.user, email=player.user.email, at=clock.now(), code=550)
    person = Person(ana.user, ana)
    exported = {section.name: list(section.rows(person)) for section in people.SECTIONS}
    assert exported["notices"][0]["data"] == {"match": "x"}
    assert exported["notice_settings"][0]["kind"] == "table_open"
    assert exported["quiet_hours"] == [{"begins": 1, "ends": 2}]
    assert exported["refused_address"][0]["email"] == "ana@example.org"
    people.forget(Leaving(person, "Joueur 8F3", clock.now()))
    for model in (Notice, Preference, QuietHours):
        assert set(model.objects.values_list("player", flat=True)) == {bob.pk}
    assert Bounce.objects.get().user == bob.user


def test_a_notice_goes_after_ninety_days(hand):
    ana = a_reader("Ana Roy")
    tell_something(ana)
    hand.advance(days=89)
    tell_something(ana, key="2")
    hand.advance(days=2)
    assert STEPS["notices"]() == 1
    assert Notice.objects.get().key == "2"
