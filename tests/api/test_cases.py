"""A case by API: a party opens it, the other one answers, a referee rules, a party appeals, a panel decides."""

from collections.abc import Iterator
from typing import Any

import pytest

from tests.arbitration.world import World, a_world, fresh, related
from tests.competitions.world import FIRST_ROUND, a_player
from tock_league.arbitration.core.decisions import Decision
from tock_league.arbitration.models import Case, Draft, PanelSeat
from tock_league.common import clock
from tock_league.competitions.models import ResultEffect

from .calling import caller, code, fits, path_of, send

pytestmark = pytest.mark.django_db
WORDS = "Il a dit à son partenaire de garder son valet."
TEXTS = {"facts": "Il a parlé au coup 12.", "reasons": "Parler est interdit."}


@pytest.fixture
def world(settings: Any) -> Iterator[World]:
    settings.API_MINUTE_WRITES = 10_000
    with clock.frozen(FIRST_ROUND):
        yield a_world()


def get(client: Any, address: str) -> Any:
    answer = client.get(f"/api/v1/{address}")
    assert answer.status_code == 200, answer.content
    fits(answer, path_of(address))
    return answer.json()


def test_a_dispute_from_the_filing_to_the_ruling_of_the_panel(world: World) -> None:
    game = world.played(winner=0)
    winner, loser = world.players[:2]
    opener, other = caller(loser, ["play"]), caller(winner, ["play"])
    referee, organiser = caller(world.referees[0], ["manage"]), caller(world.organiser, ["manage"])
    filed = send(opener, f"games/{game.slug}/disputes", {"seq": 5, "kind": "talk", "text": WORDS})
    assert filed.status_code == 201, filed.content
    number = filed.json()["case"]["number"]
    assert (filed.json()["role"], get(opener, f"cases/{number}")["side"]) == ("party", 1)
    assert [row["number"] for row in get(opener, "me/cases")["results"]] == [number]
    assert [
        row["case"]["number"] for row in get(referee, f"competitions/{world.competition.slug}/cases")["results"]
    ] == [number]
    answered = send(other, f"cases/{number}/answer", {"text": "Je n’ai rien dit."})
    assert "rien dit" not in answered.content.decode(), "what is stored for a day holds no text"
    assert [one["text"] for one in get(other, f"cases/{number}")["statements"]] == [WORDS, "Je n’ai rien dit."]
    assert send(referee, f"cases/{number}/take").json()["held_by"]["slug"] == world.referees[0].slug
    offered = get(referee, f"cases/{number}/choices")["results"]
    assert winner.slug in {one["value"] for one in offered if one["field"] == "offender"}
    decision = {"outcome": "upheld", "row": "talk", "offender": winner.slug, "rules": ["8"], **TEXTS}
    assert send(referee, f"cases/{number}/draft", decision).status_code == 200
    assert Draft.objects.get(form="decision").fields["reasons"] == [TEXTS["reasons"]]
    seen = send(referee, f"cases/{number}/ruling/preview", decision).json()
    assert (seen["second"], len(seen["sentences"]) > 0) == ("", True), seen
    assert code(send(referee, f"cases/{number}/ruling", {**decision, "digest": "0" * 64})) == "preview_moved"
    signed = send(referee, f"cases/{number}/ruling", {**decision, "digest": seen["digest"]}).json()
    assert signed["case"]["state"] == "ruled", signed
    assert get(other, f"cases/{number}")["rulings"][0]["facts"] == TEXTS["facts"]
    appealed = send(other, f"cases/{number}/appeal", {"grounds": "fact", "text": "Personne n’a rien entendu."})
    assert appealed.json()["case"]["state"] == "appealed", appealed.content
    assert get(opener, f"cases/{number}")["appeals"][0]["grounds"] == "fact"
    assert send(organiser, f"cases/{number}/panel").json()["case"]["state"] == "panel_formed"
    assert send(opener, f"cases/{number}/reply", {"text": "Si, tout le monde."}).status_code == 200
    seats = PanelSeat.objects.filter(case__number=number, place__isnull=False)
    members = [caller(seat.member, ["manage"]) for seat in seats.order_by("place")]
    for member in members:
        send(member, f"cases/{number}/vote", {"vote": "uphold", "note": "La règle est claire."})
    assert [vote["choice"] for vote in get(members[0], f"cases/{number}")["votes"]] == ["uphold"] * 3
    upheld = send(members[0], f"cases/{number}/panel/ruling", {"reasons": "La règle est claire."}).json()
    assert upheld["case"]["state"] == "final", upheld
    assert get(opener, f"cases/{number}")["rulings"][0]["level"] == 2


def test_where_two_sign_a_token_is_not_enough(world: World) -> None:
    case = world.taken(world.heard(world.dispute()))
    head = caller(world.head, ["manage"])
    decision = {"outcome": "dismissed", **TEXTS}
    seen = send(head, f"cases/{case.number}/ruling/preview", decision).json()
    assert seen["second"] == "dismissal", seen
    refused = send(head, f"cases/{case.number}/ruling", {**decision, "digest": seen["digest"]})
    assert code(refused) == "sign_in_again"
    world.signed(case, Decision("dismissed", **TEXTS))
    second = caller(world.second(case), ["manage"])
    told = get(second, f"cases/{case.number}/second-signature")
    assert code(send(second, f"cases/{case.number}/second-signature", {"digest": told["digest"]})) == "sign_in_again"
    assert send(second, f"cases/{case.number}/refuse", {"reason": "Pas sûr."}).json()["case"]["state"] == "filed"
    assert not ResultEffect.objects.exists()


def test_a_case_is_kept_from_strangers_and_a_ruling_from_parties(world: World) -> None:
    case = world.heard(world.dispute())
    stranger, party = caller(a_player("Passante")), caller(world.players[0])
    for path, body in ((f"cases/{case.number}/take", None), (f"cases/{case.number}/add", {"text": "x"})):
        assert code(send(stranger, path, body)) == "not_found"
    assert stranger.get(f"/api/v1/cases/{case.number}").status_code == 404
    assert code(party.get(f"/api/v1/cases/{case.number}/choices")) == "not_allowed"
    assert code(send(party, f"cases/{case.number}/take")) == "not_allowed"


def test_wrong_rulings_are_refused_by_their_fields(world: World) -> None:
    case = world.taken(world.heard(world.dispute()))
    head = caller(world.head, ["manage"])
    right = {"outcome": "upheld", "row": "talk", "offender": world.players[0].slug, **TEXTS}
    for more, status, field in (
        ({"outcome": "maybe"}, 400, "outcome"),
        ({"row": "walk"}, 400, "row"),
        ({"offender": world.head.slug}, 400, "offender"),
        ({"remedies": ["rewind"]}, 400, "remedies"),
        ({"facts": ""}, 400, "facts"),
        ({"games": [{"winner": 0}]}, 400, "margin_1"),
        ({"penalty": "burn"}, 400, "penalty"),
        ({"mood": "bad"}, 400, "mood"),
    ):
        answer = send(head, f"cases/{case.number}/ruling/preview", right | more)
        assert (answer.status_code, answer.json()["field"]) == (status, field), (more, answer.json())
    assert fresh(case).state == Case.State(case.state)


def test_referees_pass_a_case_on_and_dismiss_it(world: World) -> None:
    case = world.heard(world.dispute(kind="other"))
    number, referee, head = case.number, caller(world.referees[0]), caller(world.head)
    send(referee, f"cases/{number}/take")
    assert send(referee, f"cases/{number}/renew").json()["held_by"]["slug"] == world.referees[0].slug
    assert send(referee, f"cases/{number}/escalate", {"reason": "Trop difficile."}).json()["held_by"] is None
    assert send(head, f"cases/{number}/take").json()["held_by"]["slug"] == world.head.slug
    assert send(head, f"cases/{number}/release").json()["held_by"] is None
    send(head, f"cases/{number}/take")
    gone = send(head, f"cases/{number}/dismiss", {"reason": "Rien à juger.", "about": "clock"})
    assert gone.json()["case"]["state"] == "inadmissible", gone.content


def test_the_conflict_of_a_referee_is_refused_and_kept_in_the_case(world: World) -> None:
    case = world.dispute()
    related(world.referees[0], world.players[0])
    assert code(send(caller(world.referees[0]), f"cases/{case.number}/take")) == "conflict"
    assert case.events.order_by("seq").last().actor == world.referees[0]
