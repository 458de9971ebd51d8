"""The guided first game: every lesson passes through the engine, and its texts promise what the plays do."""

import json
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils.translation import override

from games.engine import registry
from games.fold import Viewer, view
from games.models import TablePreferences
from games.people import SECTIONS
from games.selectors.lessons import LESSONS, Lesson, OtherGoal, following, lesson, start, walk
from games.services import lessons as learning
from tests.accounts.signing import a_player, sign_in
from tock_league.accounts.permissions import SITE
from tock_league.common.errors import NotAllowed, Refused
from tock_league.common.persons import Person

ENGLISH = {"accept-language": "en"}
ENGINE = registry.game("shawinigan/1")
# What each lesson shows, as facts of its last task's example.
PROMISED = {
    "out": ["out", 0, "t0"],
    "move": ["move", 0, "t0", "t9"],
    "burn": None,
    "eat": ["eaten", 3, "t29"],
    "seven": ["move", 0, "t30", "t34"],
    "jack": ["swap", 0, "t5", 3, "t66"],
    "five": ["move", 1, "t14", "t19"],
    "eight": ["move", 0, "t20", "t26"],
    "home": ["move", 0, "t68", "h4"],
    "partner": ["move", 2, "t20", "t28"],
    "win": ["over", [0, 1]],
}


def examples(one: Lesson) -> list[str]:
    return [task.example for task in one.tasks]


def legal(one: Lesson, plays: list[str]) -> list[str]:
    """Return what the player may play after these plays."""
    state = walk(one, plays).state if plays else start(one)
    found: list[str] = view(state, Viewer(seat=0))["legal"]
    return found


@pytest.mark.parametrize("one", LESSONS, ids=lambda one: one.name)
def test_every_lesson_can_be_finished_and_its_plays_do_what_is_promised(one: Lesson) -> None:
    position = start(one).position
    assert ENGINE.from_json(ENGINE.to_json(position)) == position
    for at, task in enumerate(one.tasks):
        before = examples(one)[:at]
        assert task.example in legal(one, before)
        found = walk(one, examples(one)[: at + 1])
        assert (found.done, found.task) == (task, one.tasks[at + 1] if at + 1 < len(one.tasks) else None)
        # The others play what is written, and the player's next task is the player's turn.
        assert [step.row.body["seat"] for step in found.steps] == [0, *range(1, len(task.then) + 1)]
        assert not found.task or found.state.to_act == {0}
    facts = [list(fact) for fact in ENGINE.fx(found.steps[0].before.position, _play(found.steps[0]))]
    assert PROMISED[one.name] is None or PROMISED[one.name] in facts


def _play(step: Any) -> Any:
    return ENGINE.parse_play(step.before.position, step.row.body["play"], 0)


@pytest.mark.parametrize("one", LESSONS, ids=lambda one: one.name)
def test_every_listed_play_is_taken_or_answered_with_a_sentence(one: Lesson, client: Client) -> None:
    for at, task in enumerate(one.tasks):
        before, taken = examples(one)[:at], []
        for line in legal(one, before):
            answer = client.get(
                reverse("games:play_lesson", args=[one.name]), {"play": [*before, line]}, headers=ENGLISH
            )
            assert answer.status_code == 200
            if "ev" in answer.json():
                walk(one, [*before, line])
                taken.append(line)
                continue
            with override("en"):
                assert answer.json() == {"hint": str(task.hint)}
            with pytest.raises(OtherGoal):
                walk(one, [*before, line])
        assert task.example in taken


def test_what_the_texts_say_of_the_positions_is_so() -> None:
    """The sentences name marbles, cards and counts: a rules lawyer must find them on the board."""
    out, eight, jack, five, win = (lesson(name) or LESSONS[0] for name in ("out", "eight", "jack", "five", "win"))
    assert legal(out, []) == ["KS out"]
    # A fresh marble cannot be passed, and B cannot stop on the occupied case 8 although a 3 is in hand.
    after = walk(eight, ["6S t20-t26"])
    answers = [play.text for play in ENGINE.legal_plays(after.steps[1].before.position)]
    assert "3D" in after.steps[1].before.position.to_json()["hands"][1]
    assert answers
    assert all(not line.startswith("3D ") for line in answers)
    assert all(step.after.told["marbles"]["0"].count("t26") == 1 for step in after.steps)
    # The jack can take the partner's and D's marble, but not B's on its case 8.
    assert [line for line in legal(jack, []) if line.startswith("JD")] == ["JD t5xt40", "JD t5xt66"]
    # The 5 could also bring B's marble home.
    assert {"5H t14-h3", "5H t14-t19", "5H t10-t15"} <= set(legal(five, []))
    assert [line for line in legal(win, []) if line.startswith("3C")] == ["3C t32-h1", "3C t32-t35"]


def test_a_play_after_the_last_task_is_answered_with_a_hint(client: Client) -> None:
    answer = client.get("/api/lessons/out", {"play": ["KS out", "9D t0-t9"]}, headers=ENGLISH)
    assert answer.json() == {"hint": "This lesson is finished. Repeat it, or go on."}


def test_a_seven_is_taken_in_every_order_of_its_parts() -> None:
    seven = lesson("seven")
    assert seven is not None
    assert walk(seven, ["7C t30-t34 t12-t15"]).state.position == walk(seven, ["7C t12-t15 t30-t34"]).state.position


@pytest.mark.parametrize(
    ("name", "plays", "code"),
    [
        ("out", [], "illegal"),
        ("out", [""], "illegal"),
        ("out", ["9D t0-t9"], "illegal"),
        ("out", ["<b>KS</b>"], "illegal"),
        ("out", ["K" * 5000], "illegal"),
        ("out", ["\x00"], "illegal"),
        ("out", ["deck AS"], "illegal"),
        ("burn", ["2H t0-t2"], "illegal"),
        ("home", ["6H t68-h4", "4S t0-t68"], "illegal"),
    ],
)
def test_what_is_wrong_is_refused_with_a_sentence(client: Client, name: str, plays: list[str], code: str) -> None:
    answer = client.get(reverse("games:play_lesson", args=[name]), {"play": plays}, headers=ENGLISH)
    error = answer.json()["error"]
    assert (answer.status_code, error["code"], error["field"]) == (422, code, "play")
    assert error["message"].endswith(".")


@pytest.mark.django_db
def test_the_pages_need_no_account_and_keep_nothing(client: Client) -> None:
    page = client.get(reverse("games:learn"), headers=ENGLISH).content.decode()
    assert all(reverse("games:lesson", args=[one.name]) in page for one in LESSONS)
    for one in (LESSONS[0], LESSONS[-1]):
        shown = client.get(reverse("games:lesson", args=[one.name]), headers=ENGLISH)
        assert shown.status_code == 200
        with override("en"):
            assert str(one.rule) in shown.content.decode()
    assert "sessionid" not in client.cookies
    for address in ("/learn/nothing/", "/api/lessons/nothing"):
        assert client.get(address).status_code == 404
    assert client.post("/api/lessons/out").status_code == 405
    for address in ("/", "/play/", "/practice/", "/rules/shawinigan/"):
        assert reverse("games:learn") in client.get(address, headers=ENGLISH).content.decode(), address
    assert reverse("games:learn") not in client.get("/rules/tractor/", headers=ENGLISH).content.decode()
    assert [following(one) for one in LESSONS] == [*LESSONS[1:], None]


@pytest.mark.django_db
def test_the_account_keeps_what_is_finished(client: Client) -> None:
    player = a_player("Martine Gélinas", "martine@example.org")
    other = a_player("Réjean Lampron", "rejean@example.org")
    assert learning.finish(by=player, player=player, names=["eat", "out"]) == ["out", "eat"]
    assert learning.finish(by=SITE, player=player, names=["burn"]) == ["out", "burn", "eat"]
    for by in (None, other):
        with pytest.raises(NotAllowed):
            learning.finish(by=by, player=player, names=["win"])
    for names in ("out", ["out", "nothing"], {"out": 1}, [["out"]], None):
        with pytest.raises(Refused) as caught:
            learning.finish(by=player, player=player, names=names)
        assert (caught.value.code, caught.value.field) == ("lessons", "lessons")
    assert TablePreferences.objects.get().lessons == ["out", "burn", "eat"]
    section = next(one for one in SECTIONS if one.name == "table_preferences")
    assert next(iter(section.rows(Person(player.user, player))))["lessons"] == ["out", "burn", "eat"]
    address = reverse("games:finish_lessons")
    assert client.post(address, json.dumps(["win"]), content_type="application/json").status_code == 403
    sign_in(client, player.user)
    answer = client.post(address, json.dumps(["win"]), content_type="application/json")
    assert answer.json() == {"lessons": ["out", "burn", "eat", "win"]}
    page = client.get(reverse("games:learn"), headers=ENGLISH)
    assert page.context["finished"] == ["out", "burn", "eat", "win"]
    assert client.post(address, "[", content_type="application/json").status_code == 400
