"""A case that the head referee opens from a finding: another referee decides it, both sides may answer."""

from collections.abc import Iterator
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from ratings import services as ratings
from ratings.models import Ladder, Subject
from tests.accounts.signing import a_player, sign_in
from tests.arbitration.world import World, a_world
from tests.competitions.world import FIRST_ROUND
from tock_league.accounts.models import Player
from tock_league.accounts.permissions import SITE
from tock_league.accounts.services import give_role
from tock_league.arbitration.selectors.referees import conflicts
from tock_league.arbitration.services.cases import disputes
from tock_league.arbitration.services.referees import leases
from tock_league.common import clock
from tock_league.common.errors import Conflict, Refused
from tock_league.integrity import services
from tock_league.integrity.models import Finding
from tock_league.notices.models import Notice

pytestmark = pytest.mark.both_databases
WORDS = "Les deux équipes s’entraînent ensemble."


@pytest.fixture
def hand(db: None) -> Iterator[clock.Frozen]:
    with clock.frozen(FIRST_ROUND) as frozen:
        yield frozen


@pytest.fixture
def world(hand: clock.Frozen) -> World:
    return a_world()


@pytest.fixture
def head(hand: clock.Frozen) -> Player:
    """The head referee of the site, with a login."""
    player = a_player("Ghislain Trottier", "arbitre@example.org")
    give_role(player=player, name="head_referee", by=SITE)
    return player


def refusal(act: Any) -> tuple[str, str | None]:
    with pytest.raises(Refused) as refused:
        act()
    return refused.value.code, refused.value.field


def found_in(world: World, hand: clock.Frozen) -> Finding:
    """Return a finding about the played game of the world's match."""
    game = world.played()
    hand.advance(minutes=2)
    ladder = Ladder.objects.get()
    ratings.rate_waiting(ladder_key=ladder.key)
    own = world.players[::2]
    subject = Subject.objects.get(key="-".join(str(pk) for pk in sorted(player.pk for player in own)))
    finding = Finding.objects.create(
        number="W-2026-001", ladder=ladder, kind="losses", subject=subject, key=f"losses:{subject.key}",
        games=[str(game.pk), "paper:x:1"], figures={"games": 10, "won": 0, "expected_tenths": 71}, once_in=4000.0,
        first_at=clock.now(), last_at=clock.now(), found_at=clock.now(),
    )  # fmt: skip
    finding.players.set(own)
    return finding


def test_a_case_is_opened_about_a_game_and_another_referee_decides_it(
    head: Player, world: World, hand: clock.Frozen
) -> None:
    finding = found_in(world, hand)
    assert refusal(lambda: services.open_case(by=head, finding=finding, game="7", reason=WORDS)) == ("game", "game")
    paper = lambda: services.open_case(by=head, finding=finding, game="paper:x:1", reason=WORDS)  # noqa: E731
    assert refusal(paper) == ("no_competition", "game")
    case = services.open_case(by=head, finding=finding, game=finding.games[0], reason=WORDS)
    finding.refresh_from_db()
    assert (finding.state, finding.case) == ("case", case)
    assert (case.kind, case.side, case.opened_by, case.state) == ("conduct", None, head, "filed")
    assert set(case.deadlines.values_list("kind", flat=True)) == {"answer", "ruling"}
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


def test_the_page_offers_the_game_and_the_pages_of_the_case_can_be_read(
    head: Player, world: World, hand: clock.Frozen, client: Client
) -> None:
    finding = found_in(world, hand)
    assert head.user is not None
    sign_in(client, head.user)
    address = reverse("integrity:finding", args=[finding.number])
    assert world.game.slug in client.get(address).content.decode()
    answer = client.post(address, {"deed": "case", "case-game": finding.games[0], "case-reason": WORDS})
    finding.refresh_from_db()
    assert finding.case is not None
    page = reverse("arbitration:case", args=[finding.case.number])
    assert answer["Location"] == page
    assert client.get(page).status_code == 200
    assert client.get(reverse("arbitration:desk", args=[world.competition.slug])).status_code == 200
    assert finding.case.number in client.get(address).content.decode()


def test_an_open_dispute_of_the_match_comes_first(head: Player, world: World, hand: clock.Frozen) -> None:
    finding = found_in(world, hand)
    world.dispute()
    act = lambda: services.open_case(by=head, finding=finding, game=finding.games[0], reason=WORDS)  # noqa: E731
    with pytest.raises(Conflict) as open_already:
        act()
    assert open_already.value.code == "case_open"
    finding.refresh_from_db()
    assert finding.state == "open"
