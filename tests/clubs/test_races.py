"""Two requests at the same moment: real threads with their own connections, on both databases."""

import threading
from collections.abc import Callable

import pytest
from django.db import IntegrityError, connection

from tock_league.accounts.services import create_player
from tock_league.clubs import selectors, services
from tock_league.clubs.models import Team, TeamInvitation, TeamPlayer
from tock_league.common.errors import Refused

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.both_databases]


def at_once(*works: Callable[[], object]) -> list[str]:
    """Run the works in threads that start together; return "" for each that succeeded, otherwise the refusal's code."""
    barrier, found = threading.Barrier(len(works)), ["nothing"] * len(works)

    def run(place: int, work: Callable[[], object]) -> None:
        barrier.wait(10)
        try:
            work()
            found[place] = ""
        except Refused as error:
            found[place] = error.code
        except IntegrityError:
            found[place] = "meanwhile"  # common.http answers it with a 409
        finally:
            connection.close()

    threads = [threading.Thread(target=run, args=pair) for pair in enumerate(works)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    return found


def test_a_link_opened_by_four_at_once_lets_one_in():
    captain = create_player(display_name="Martine Gélinas")
    team = services.found_team(by=captain, name="Draveurs")
    _, token = services.invite_by_link(by=captain, team=team, slot=2)
    people = [create_player(display_name=f"Ami {number}") for number in range(4)]
    answers = at_once(
        *[lambda person=person: services.answer_link(by=person, token=token, accept=True) for person in people]
    )
    assert sorted(answers) == ["", "invitation_used", "invitation_used", "invitation_used"]
    assert len(selectors.roster(team).starters) == 2
    assert TeamInvitation.objects.get().answered_by == people[answers.index("")]


def test_one_answer_clicked_twice_is_one_answer():
    captain, partner = (create_player(display_name=name) for name in ("Martine Gélinas", "Océane Trudel"))
    team = services.found_team(by=captain, name="Draveurs")
    invitation = services.invite(by=captain, team=team, player=partner, slot=2)
    answers = at_once(
        lambda: services.answer(by=partner, invitation=invitation, accept=True),
        lambda: services.answer(by=partner, invitation=invitation, accept=False),
    )
    assert sorted(answers) == ["", "invitation_used"]
    accepted = answers[0] == ""
    assert TeamPlayer.objects.filter(team=team, player=partner).exists() == accepted


def test_a_place_offered_twice_at_once_is_offered_once():
    captain = create_player(display_name="Martine Gélinas")
    team = services.found_team(by=captain, name="Draveurs")
    people = [create_player(display_name=f"Ami {number}") for number in range(3)]
    answers = at_once(
        *[lambda person=person: services.invite(by=captain, team=team, player=person, slot=2) for person in people]
    )
    assert sorted(answers) == ["", "second_invitation", "second_invitation"]
    assert TeamInvitation.objects.count() == 1


def test_a_team_founded_by_two_clicks_is_one_team():
    captain = create_player(display_name="Martine Gélinas")
    answers = at_once(*[lambda: services.found_team(by=captain, name="Draveurs")] * 2)
    assert sorted(answers) == ["", "team_name_taken"]
    assert Team.objects.count() == 1
