"""Choose your game: every rule set at every table that supports it; other combinations are refused at their field."""

from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from games.forms import PracticeForm, level_choices, shapes
from games.models import Game, Seating, Table
from games.selectors import rule_sets
from games.services import tables
from tests.documents import squeezed
from tock_league.common.errors import Refused

pytestmark = pytest.mark.django_db
ENGLISH = {"accept-language": "en"}
EVERY_TABLE = [
    (one.id, seats, teams) for one in rule_sets.offered() for seats, many in one.shapes.items() for teams in many
]


def ask(client: Client, **fields: str) -> Any:
    return client.post(reverse("games:practice"), fields, headers=ENGLISH)


def test_an_empty_post_opens_the_game_of_the_home_pages_button(client: Client) -> None:
    answer = ask(client)
    table = Table.objects.get()
    assert answer.url == reverse("games:table", args=[table.slug])
    assert (table.rules, table.seats, table.teams) == ("shawinigan/1", 4, 2)
    assert (table.touch, table.full_ranking, table.kind) == (False, False, "practice")
    assert list(Seating.objects.filter(table=table).values_list("bot", flat=True)) == ["", "club", "club", "club"]


@pytest.mark.parametrize(("rules", "seats", "teams"), EVERY_TABLE)
def test_every_table_that_is_offered_opens_with_its_bots(client: Client, rules: str, seats: int, teams: int) -> None:
    answer = ask(client, rules=rules, table=f"{seats}-{teams}", level="novice")
    assert answer.status_code == 302
    table = Table.objects.get()
    assert (table.rules, table.seats, table.teams, table.touch, table.rounds) == (rules, seats, teams, False, 0)
    held = list(Seating.objects.filter(table=table).values_list("seat", "bot"))
    assert held == [(0, ""), *((seat, "novice") for seat in range(1, seats))]
    page = client.get(answer.url)
    boot = page.context["boot"]
    assert (boot["seats"], boot["teams"], boot["seat"]) == (seats, teams, 0)
    if rule_sets.game_of(rules) == "tock":
        assert set(boot["snap"]["view"]["marbles"]) == {str(seat) for seat in range(seats)}
    else:
        assert boot["snap"]["view"]["ranks"] == ["2", "2"]
    # Playing again asks for the same table.
    assert ask(client, **boot["again_fields"]).status_code == 302
    again = Table.objects.latest("pk")
    assert (again.rules, again.seats, again.teams, again.touch) == (rules, seats, teams, False)


def test_the_choices_come_from_the_registry_and_the_random_bot_is_not_offered(client: Client) -> None:
    page = squeezed(client.get(reverse("games:practice"), headers=ENGLISH).content.decode())
    for one in rule_sets.offered():
        assert f'value="{one.id}"' in page
        assert reverse("pages:rules", args=[one.page]) in page
    for (seats, teams), rules in shapes().items():
        assert f'data-rules="{" ".join(rules)}"><input type="radio" name="table" value="{seats}-{teams}"' in page
    assert "random" not in dict(level_choices())
    assert 'value="random"' not in page


def test_a_rule_set_that_is_added_to_the_registry_is_offered(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    from games.engine import registry

    ids, before = registry.ids(), len(PracticeForm().rule_options())
    known = registry.entry("toc/1")
    monkeypatch.setattr(registry, "ids", lambda: (*ids, "cuisine/1"))
    monkeypatch.setattr(registry, "entry", lambda found: known if found == "cuisine/1" else registry.entries()[found])
    assert len(PracticeForm().rule_options()) == before + 1


def test_an_added_rule_set_of_tractor_is_offered_with_the_options_of_tractor(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    from games.engine import registry
    from games.engine.tractor.game import GAME
    from games.engine.tractor.rules import TractorRules

    found = dict(registry.entries())
    strict = registry.Entry(TractorRules(id="maison/1", tractor_duty=True), GAME)
    monkeypatch.setattr(registry, "entries", lambda: found | {"maison/1": strict})
    [one] = [one for one in rule_sets.offered() if one.id == "maison/1"]
    assert (one.name, one.game, one.touches, one.rounds) == ("maison/1", "tractor", False, True)
    assert rule_sets.game_of("maison") == "tractor"
    answer = ask(client, rules="maison/1", table="4-2", level="master")
    assert set(answer.context["form"].errors) == {"level"}
    assert ask(client, rules="maison/1", table="4-2", level="novice", rounds="2", touch="on").status_code == 302
    table = Table.objects.get()
    assert (table.rules, table.rounds, table.touch) == ("maison/1", 2, False)


def test_a_tractor_game_may_have_a_fixed_number_of_rounds_and_has_no_touch_rule(client: Client) -> None:
    answer = ask(client, rules="tractor/1", table="4-2", level="club", rounds="3", touch="on")
    assert answer.status_code == 302
    table = Table.objects.get()
    assert (table.rounds, table.touch) == (3, False)
    boot = client.get(answer.url).context["boot"]
    assert boot["again_fields"]["rounds"] == "3"
    assert "touch" not in boot["again_fields"]
    answer = client.get(reverse("games:practice"), {"rules": "tractor/1"}, headers=ENGLISH)
    page = squeezed(answer.content.decode())
    assert 'value="tractor/1" data-levels="novice club" data-rounds checked' in page
    assert 'value="toc/1" data-levels="novice club master" data-touches>' in page
    assert '<option value="5">5 rounds</option>' in page


def test_a_game_without_partners_may_have_a_full_ranking(client: Client) -> None:
    assert ask(client, rules="toc/1", table="4-4", full_ranking="on", touch="on").status_code == 302
    table = Table.objects.get()
    assert (table.full_ranking, table.touch) == (True, True)
    boot = client.get(reverse("games:table", args=[table.slug])).context["boot"]
    assert boot["full_ranking"]
    assert boot["snap"]["view"]["full_ranking"] is True
    assert boot["again_fields"]["full_ranking"] == "on"


@pytest.mark.parametrize(
    ("fields", "at"),
    [
        ({"rules": "poker/1"}, "rules"),
        ({"rules": "tractor/1", "level": "master"}, "level"),
        ({"rules": "tractor/1", "table": "6-2"}, "table"),
        ({"rules": "tractor/1", "table": "4-4"}, "table"),
        ({"rules": "tractor/1", "full_ranking": "on"}, "full_ranking"),
        ({"rules": "tractor/1", "rounds": "4"}, "rounds"),
        ({"rules": "tractor/2"}, "rules"),
        ({"rules": "toc/1", "table": "6-2"}, "table"),
        ({"rules": "shawinigan/1", "table": "4-4"}, "table"),
        ({"table": "5-5"}, "table"),
        ({"table": "4"}, "table"),
        ({"table": "-1-2"}, "table"),
        ({"table": "4-2-2"}, "table"),
        ({"level": "random"}, "level"),
        ({"level": "god"}, "level"),
        ({"rules": "toc/1", "table": "4-2", "full_ranking": "on"}, "full_ranking"),
        ({"rounds": "5"}, "rounds"),
        ({"rounds": "4"}, "rounds"),
        ({"rounds": "-1"}, "rounds"),
        ({"rules": "\x00"}, "rules"),
    ],
)
def test_a_wrong_choice_is_reported_at_its_field_and_the_form_keeps_the_values(
    client: Client, fields: dict[str, str], at: str
) -> None:
    asked = {"rules": "tock/1", "table": "4-2", "level": "novice"} | fields
    answer = ask(client, **asked)
    assert answer.status_code == 422
    form = answer.context["form"]
    assert set(form.errors) == {at}
    for name, value in asked.items():
        assert form[name].value() in (value, True)
    page = answer.content.decode()
    assert str(form.errors[at][0]) in page
    assert f'name="level" value="{asked["level"]}"' in page or at == "level"
    assert not Table.objects.exists()


@pytest.mark.parametrize(
    ("change", "field", "code"),
    [
        ({"rules": "poker/1"}, "rules", "unknown_rules"),
        ({"rules": "shawinigan/2"}, "rules", "unknown_rules"),
        ({"seats": 5}, "seats", "bad_table"),
        ({"seats": 0}, "seats", "bad_table"),
        ({"teams": 1}, "teams", "bad_table"),
        ({"rules": "toc/1", "teams": 3}, "teams", "bad_table"),
        ({"full_ranking": True}, "full_ranking", "full_ranking"),
        ({"level": "genius"}, "level", "level"),
    ],
)
def test_the_service_refuses_what_no_page_offers(change: dict[str, Any], field: str, code: str) -> None:
    with pytest.raises(Refused) as caught:
        tables.open_practice(**({"guest_key": "k"} | change))
    assert (caught.value.code, caught.value.field) == (code, field)
    assert not Table.objects.exists()
    assert not Game.objects.exists()


def test_a_link_may_preselect_the_choices(client: Client) -> None:
    page = client.get(reverse("games:practice"), {"rules": "toc/1", "table": "4-4"}, headers=ENGLISH)
    form = page.context["form"]
    assert [one.id for one, _levels, chosen in form.rule_options() if chosen] == ["toc/1"]
    assert [option.value for _, options in form.table_groups() for option in options if option.checked] == ["4-4"]
    odd = client.get(reverse("games:practice"), {"rules": "<b>odd", "level": "x" * 5000}, headers=ENGLISH)
    assert odd.status_code == 200
    assert b"<b>odd" not in odd.content


@pytest.mark.parametrize(
    ("chosen", "words"),
    [
        ({}, "Free touch: nothing binds before the marble is released."),
        ({"touch": "on"}, "Strict touch: a card laid and a marble touched must be played."),
    ],
)
def test_a_practice_table_is_free_unless_strict_is_chosen_and_says_so(
    client: Client, chosen: dict[str, str], words: str
) -> None:
    """What the server then does with a touch is tested in tests/rules/test_9_conduct.py."""
    page = client.get(ask(client, **chosen).url, headers=ENGLISH)
    assert page.context["boot"]["touch"] is bool(chosen)
    assert words in squeezed(page.content.decode())
