"""Who decides a finding, what is refused, and what becomes of a case that is opened from one."""

from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from ratings.models import Ladder, Subject
from tests.accounts.signing import a_boss, a_player, sign_in
from tests.arbitration.world import World, a_world
from tock_league.accounts.models import Player
from tock_league.accounts.permissions import SITE
from tock_league.accounts.services import give_role
from tock_league.arbitration.selectors.referees import conflicts
from tock_league.arbitration.services.cases import disputes
from tock_league.arbitration.services.referees import leases
from tock_league.common import clock
from tock_league.common.errors import Conflict, NotAllowed, NotThere, Refused
from tock_league.integrity import services, tasks
from tock_league.integrity.models import Finding
from tock_league.integrity.selectors import findings
from tock_league.journal.models import PrivateText
from tock_league.notices.models import Notice
from tock_league.people import parts

from .conftest import Play

pytestmark = pytest.mark.both_databases
WORDS = "Les deux équipes s’entraînent ensemble."


@pytest.fixture
def finding(arranged: Play, head: Player) -> Finding:
    arranged(24)
    tasks.watch()
    return Finding.objects.get(kind="one_opponent")


def refusal(act: Any) -> tuple[str, str | None]:
    with pytest.raises(Refused) as refused:
        act()
    return refused.value.code, refused.value.field


def test_the_head_referee_closes_a_finding_with_a_reason(finding: Finding, head: Player) -> None:
    assert refusal(lambda: services.close(by=head, finding=finding, reason=" "))[1] == "reason"
    services.close(by=head, finding=finding, reason=WORDS)
    finding.refresh_from_db()
    assert (finding.state, finding.decided_by, finding.decided_at) == ("closed", head, clock.now())
    assert findings.reason_of(finding) == WORDS
    assert PrivateText.objects.get(entry=finding.entry, field="reason").text == WORDS
    with pytest.raises(Conflict) as again:
        services.close(by=head, finding=finding, reason=WORDS)
    assert again.value.code == "decided"


@pytest.mark.parametrize("role", [None, "referee", "organiser", "administrator"])
def test_nobody_else_decides_or_sees_it(finding: Finding, role: str | None, client: Client) -> None:
    person = a_player("Nathalie Cossette", "autre@example.org")
    if role is not None:
        give_role(player=person, name=role, by=SITE)
    for act in (services.close, services.open_case):
        more = {"game": finding.games[0]} if act is services.open_case else {}
        with pytest.raises(NotAllowed):
            act(by=person, finding=finding, reason=WORDS, **more)  # type: ignore[operator]
    assert person.user is not None
    sign_in(client, person.user)
    for address in (reverse("integrity:list"), reverse("integrity:finding", args=[finding.number])):
        assert client.get(address).status_code == 403
        assert client.post(address, {"deed": "close", "close-reason": WORDS}).status_code == 403
    finding.refresh_from_db()
    assert finding.state == "open"


def test_a_superuser_and_the_site_do_not_decide(finding: Finding) -> None:
    for by in (a_boss(), SITE, None):
        with pytest.raises(NotAllowed):
            services.close(by=by, finding=finding, reason=WORDS)


def test_a_head_referee_who_is_one_of_the_players_does_not_decide(finding: Finding, people: list[Player]) -> None:
    give_role(player=people[2], name="head_referee", by=SITE)
    with pytest.raises(NotThere):
        services.close(by=people[2], finding=finding, reason=WORDS)
    with pytest.raises(NotThere):
        findings.finding(people[2], finding.number)


def test_the_pages_show_the_games_and_take_the_decision(finding: Finding, head: Player, client: Client) -> None:
    assert head.user is not None
    client.cookies["django_language"] = "en"
    assert client.get(reverse("integrity:list")).status_code == 302
    sign_in(client, head.user)
    text = client.get(reverse("integrity:list")).content.decode()
    assert finding.number in text
    address = reverse("integrity:finding", args=[finding.number])
    text = client.get(address).content.decode()
    assert text.count("chance to win:") == len(finding.games)
    assert "None of these games belongs to a competition" in text
    assert client.post(address, {"deed": "close", "close-reason": ""}).status_code == 200
    assert client.post(address, {"deed": "close", "close-reason": WORDS}).status_code == 302
    assert WORDS in client.get(address).content.decode()
    assert client.get(reverse("integrity:finding", args=["W-2020-001"])).status_code == 404


def test_a_finding_is_exported_once_it_is_decided_and_names_leave_its_reason(
    finding: Finding, head: Player, people: list[Player]
) -> None:
    (section,) = [one for one in parts.SECTIONS if one.name == "findings"]
    about = parts.person_of(player=people[0])
    assert list(section.rows(about)) == []
    services.close(by=head, finding=finding, reason=WORDS)
    (row,) = section.rows(about)
    assert (row["number"], row["decided_by_you"]) == (finding.number, False)
    (row,) = section.rows(parts.person_of(player=head))
    assert row["decided_by_you"] is True
    assert list(section.rows(parts.person_of(player=people[10]))) == []


@pytest.fixture
def world() -> World:
    return a_world()


def found_in(world: World) -> Finding:
    """Return a finding about the played game of the world's match."""
    game = world.played()
    ladder = Ladder.objects.get(key=f"{game.rules.partition('/')[0]}:2")
    subject = Subject.objects.create(kind="team", key="1-2", size=2)
    finding = Finding.objects.create(
        number="W-2026-001", ladder=ladder, kind="losses", subject=subject, key="losses:1-2", games=[str(game.pk), "paper:x:1"],
        figures={"games": 10, "won": 0, "expected_tenths": 71}, once_in=4000.0, first_at=clock.now(), last_at=clock.now(),
        found_at=clock.now(),
    )  # fmt: skip
    finding.players.set(world.players[:2])
    return finding


def test_a_case_is_opened_about_a_game_and_another_referee_decides_it(head: Player, world: World) -> None:
    finding = found_in(world)
    assert refusal(lambda: services.open_case(by=head, finding=finding, game="7", reason=WORDS)) == ("game", "game")
    paper = lambda: services.open_case(by=head, finding=finding, game="paper:x:1", reason=WORDS)  # noqa: E731
    assert refusal(paper) == ("no_competition", "game")
    case = services.open_case(by=head, finding=finding, game=finding.games[0], reason=WORDS)
    finding.refresh_from_db()
    assert (finding.state, finding.case) == ("case", case)
    assert (case.kind, case.side, case.opened_by, case.state) == ("conduct", None, head, "filed")
    assert {kind for kind in case.deadlines.values_list("kind", flat=True)} == {"answer", "ruling"}
    assert conflicts.grounds(head, case) == ("author",)
    with pytest.raises(Refused):
        leases.take(by=head, case=case)
    assert conflicts.grounds(world.referees[0], case) == ()
    leases.take(by=world.referees[0], case=case)
    answerer = world.players[0]
    disputes.answer(by=answerer, case=case, text="Nous avons mal joué.")
    case.refresh_from_db()
    assert case.heard
    assert not Notice.objects.filter(kind="answer_due").exists()
    with pytest.raises(Conflict):
        services.open_case(by=head, finding=finding, game=finding.games[0], reason=WORDS)


def test_the_pages_of_a_case_that_no_side_opened_can_be_read(head: Player, world: World, client: Client) -> None:
    finding = found_in(world)
    assert head.user is not None
    sign_in(client, head.user)
    address = reverse("integrity:finding", args=[finding.number])
    assert client.get(address).status_code == 200
    answer = client.post(address, {"deed": "case", "case-game": finding.games[0], "case-reason": WORDS})
    finding.refresh_from_db()
    if finding.case is None:  # the game is not in the rating log of this subject, so that the page does not offer it
        assert answer.status_code == 200
        services.open_case(by=head, finding=finding, game=finding.games[0], reason=WORDS)
        finding.refresh_from_db()
    assert finding.case is not None
    for name in ("arbitration:case",):
        assert client.get(reverse(name, args=[finding.case.number])).status_code == 200
    desk = reverse("arbitration:desk", args=[world.competition.slug])
    assert client.get(desk).status_code == 200


def test_an_open_dispute_of_the_match_comes_first(head: Player, world: World) -> None:
    finding = found_in(world)
    world.dispute()
    act = lambda: services.open_case(by=head, finding=finding, game=finding.games[0], reason=WORDS)  # noqa: E731
    with pytest.raises(Conflict) as open_already:
        act()
    assert open_already.value.code == "case_open"
    finding.refresh_from_db()
    assert finding.state == "open"
