"""A format is one file: the ladder, in the folder of the tests, is found by everything that lists formats, and played."""

import html
from collections.abc import Iterator

import pytest
from django.test import Client
from django.urls import reverse

from tests.competitions.tournament_desk import settings_form
from tests.toys import formats as toys
from tock_league.accounts.permissions import SITE
from tock_league.common.errors import Refused
from tock_league.competitions.core import registry
from tock_league.competitions.core.estimate import estimate
from tock_league.competitions.core.plan import TournamentPlan
from tock_league.competitions.models import Competition, Meeting, PairingRun, Round
from tock_league.competitions.selectors.rankings import podium
from tock_league.competitions.selectors.rounds import progress
from tock_league.competitions.services.entries import withdrawals
from tock_league.competitions.services.rounds import draw

from .world import a_club, a_signed_up_player, a_tournament, play_on, under_way

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def offered() -> Iterator[None]:
    """Offer the formats of `tests.toys`, as the AppConfig of an app from elsewhere would."""
    registry.offer(toys.__name__)
    yield
    registry.withdraw(toys.__name__)


@pytest.fixture
def organiser() -> Client:
    """Give a browser signed in as the founder of a club."""
    player = a_signed_up_player("founder@example.org")
    a_club(by=player)
    client = Client(headers={"accept-language": "en"})
    client.force_login(player.user)
    return client


def a_ladder(**more) -> Competition:
    return a_tournament(4, plan=TournamentPlan("ladder", rounds=3, pause_s=0), **more)


def met(round_number: int) -> list[tuple[int, int]]:
    """Return who met in a round, by seeds, table by table."""
    matches = Round.objects.get(number=round_number).matches.order_by("number")
    return [tuple(side.entry.seed for side in match.side_rows.order_by("position")) for match in matches]


def upsets(match) -> int:
    """The position of the weaker seed."""
    return max(match.side_rows.all(), key=lambda side: side.entry.seed).position


def text(client: Client, name: str, *args) -> str:
    answer = client.get(reverse(f"competitions:{name}", args=args))
    assert answer.status_code == 200, (name, answer.status_code)
    return html.unescape(" ".join(answer.content.decode().split()))


class TestTheOrganisersForm:
    def test_offers_the_kind_last_and_hides_what_it_does_not_read(self, hand, organiser) -> None:
        page = text(organiser, "new_tournament")
        assert "Ladder: who beats a neighbour stands above" in page
        assert [kind.key for kind in registry.kinds().values()][-1] == "ladder"
        form = organiser.get(reverse("competitions:new_tournament")).context["form"]
        ignored = {bound.name: places for _key, _title, fields in form.sections() for bound, places in fields if places}
        last = len(registry.kinds()) - 1
        assert last not in ignored["rounds"]
        assert all(last in ignored[name] for name in ("groups", "qualify", "legs", "clubs", "third_place"))

    def test_makes_a_tournament_of_it_and_says_what_it_costs(self, hand, organiser) -> None:
        club = organiser.get(reverse("competitions:new_tournament")).context["form"].fields["club"].queryset.get()
        values = settings_form(club, kind="ladder", rounds=3, clubs="hard")
        answer = organiser.post(reverse("competitions:new_tournament"), values)
        assert answer.status_code == 302
        made = Competition.objects.get()
        assert made.tournament_plan == TournamentPlan(
            "ladder", rounds=3, third_place=False, best_of={"group": 1, "knockout": 1, "final": 3}
        )
        assert made.regulations.code == "tournament-ladder"
        assert made.regulations.body["tiebreaks"] == ["wins", "lots"]
        assert estimate(made.tournament_plan, 8).matches == 4 + 3 + 4

    def test_names_the_field_that_is_out_of_its_range(self, hand, organiser) -> None:
        club = organiser.get(reverse("competitions:new_tournament")).context["form"].fields["club"].queryset.get()
        answer = organiser.post(reverse("competitions:new_tournament"), settings_form(club, kind="ladder", rounds=12))
        assert answer.context["form"].errors.keys() == {"rounds"}


class TestAnEvening:
    def test_rounds_are_paired_one_after_the_other_up_to_the_podium(self, hand) -> None:
        made = a_ladder()
        assert made.stages.get().format == "ladder/1"
        assert met(1) == [(1, 2), (3, 4)]
        play_on(made, matches=2, wins=upsets)
        assert met(2) == [(1, 4)]  # 2, 1, 4, 3 stand in this order
        assert sorted(row.entry.seed for row in Round.objects.get(number=2).side_rows.filter(match=None)) == [2, 3]
        play_on(made)
        made.refresh_from_db()
        assert made.state == Competition.State.FINISHED
        assert Meeting.objects.count() == made.matches.count() == 5
        assert not PairingRun.objects.exists()
        ranks = progress.final_ranks(made)
        assert ranks[0][0] == 1
        assert {entry.seed for _rank, entry in ranks} == {1, 2, 3, 4}
        assert len(podium.podium(made, ())) >= 1

    def test_too_few_teams_are_refused(self, hand) -> None:
        made = a_tournament(2, plan=TournamentPlan("ladder", rounds=1), state="closed")
        with pytest.raises(Refused, match="too_few_entries"):
            draw.draw(by=SITE, competition=made)

    def test_who_withdraws_gives_the_open_match_away_and_keeps_the_others(self, hand) -> None:
        made = a_ladder()
        play_on(made, matches=1)
        leaves = under_way(made)[0].side_rows.get(position=0).entry
        withdrawals.withdraw(by=SITE, entry=leaves, reason="ill")
        assert sorted(made.matches.filter(round__number=1).values_list("state", flat=True)) == ["awarded", "confirmed"]


@pytest.mark.parametrize("state", ["open", "closed", "running", "finished"])
def test_every_page_opens_and_knows_its_words(hand, state) -> None:
    made = a_ladder(state=state)
    client = Client(headers={"accept-language": "en"})
    overview = text(client, "competition", made.slug)
    assert "ladder of 3 rounds" in overview
    assert "> Standings <" in overview
    assert reverse("competitions:rounds", args=[made.slug]) in overview
    assert reverse("competitions:groups", args=[made.slug]) not in overview
    assert "ladder of 3 rounds. Neighbours meet." in text(client, "regulations", made.slug)
    rounds = text(client, "rounds", made.slug)
    assert ("Round 3" in rounds) == (state == "finished")
    assert "Fingerprint" not in rounds
    for name in ("teams", "matches"):
        assert made.name in text(client, name, made.slug)
    assert client.get(reverse("competitions:certificate", args=[made.slug, 1])).status_code == 404
