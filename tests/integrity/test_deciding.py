"""Who decides a finding, what is refused, and what becomes of a case that is opened from one."""

from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from tests.accounts.signing import a_boss, a_player, sign_in
from tock_league.accounts.models import Player
from tock_league.accounts.permissions import SITE
from tock_league.accounts.services import give_role
from tock_league.common import clock
from tock_league.common.errors import Conflict, NotAllowed, NotThere, Refused
from tock_league.integrity import services, tasks
from tock_league.integrity.models import Finding
from tock_league.integrity.selectors import findings
from tock_league.journal.models import PrivateText
from tock_league.people import parts, retention

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
    Player.objects.filter(pk=head.pk).update(language="en")
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


def test_a_closed_finding_and_its_reason_are_forgotten_after_two_years(
    finding: Finding, head: Player, at: clock.Frozen
) -> None:
    services.close(by=head, finding=finding, reason=WORDS)
    at.advance(days=730)
    assert services.forget() == 0
    assert PrivateText.objects.filter(text__contains=WORDS).exists()
    at.advance(days=1)
    assert retention.STEPS["findings"]() == 1
    assert not Finding.objects.filter(pk=finding.pk).exists()
    assert not PrivateText.objects.filter(text__contains=WORDS).exists()
    assert services.forget() == 0
