"""Days and hours in words, per language."""

from datetime import UTC, date, datetime

import pytest
from django.utils import timezone, translation

from tock_league.accounts.templatetags import people

EVENING = datetime(2026, 12, 2, 0, 30, tzinfo=UTC)  # the evening of the first of December in Toronto


@pytest.fixture(autouse=True)
def in_toronto():
    with timezone.override("America/Toronto"):
        yield


def test_french_says_the_first_of_a_month_as_an_ordinal_and_the_hour_with_an_h():
    with translation.override("fr-ca"):
        assert people.day(EVENING) == "Mar. 1er déc."
        assert people.long_day(EVENING) == "Mardi 1er décembre 2026"
        assert people.hour(EVENING) == "19\N{NO-BREAK SPACE}h\N{NO-BREAK SPACE}30"
        assert people.long_day(datetime(2026, 12, 11, 17, tzinfo=UTC)) == "Vendredi 11 décembre 2026"


def test_english_writes_dates_and_hours_in_its_own_form():
    with translation.override("en"):
        assert people.day(EVENING) == "Tue, Dec. 1"
        assert people.hour(EVENING) == "7:30 p.m."


def test_spanish_counts_24_hours_and_says_the_day_first():
    with translation.override("es"):
        assert people.day(EVENING) == "Mar. 1 dic."
        assert people.long_day_in_text(EVENING) == "martes 1 de diciembre de 2026"
        assert people.hour(EVENING) == "19:30"


@pytest.mark.parametrize(("language", "zone", "weekday"), [("fr-ca", "HNE", "mer."), ("en", "EST", "Wed")])
def test_time_zones_and_weekdays_have_the_names_of_the_language(language, zone, weekday):
    with translation.override(language):
        assert (people.zone(EVENING), people.weekday(date(2026, 12, 2))) == (zone, weekday)
