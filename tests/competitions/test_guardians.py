"""A child without a guardian's consent takes part in nothing: clubs, teams, entries, check-in, the table of a match."""

from collections.abc import Callable
from datetime import timedelta

import pytest

from games.permissions import Person
from games.services import play
from tests.accounts.children import a_child, a_guardian, consented
from tock_league.accounts import consents
from tock_league.accounts.permissions import SITE
from tock_league.clubs import services as clubs
from tock_league.common import clock
from tock_league.common.errors import Refused
from tock_league.competitions.services.entries import checkin, registration
from tock_league.competitions.services.rounds import publishing

from .world import FIRST_ROUND, a_club, a_league, a_player, a_tournament, first_match

pytestmark = pytest.mark.django_db


def refused(act: Callable[[], object]) -> str | None:
    """Return the field of the refusal for the missing consent."""
    with pytest.raises(Refused) as error:
        act()
    assert error.value.code == "consent_missing", error.value.sentence
    return error.value.field


def test_a_child_takes_part_only_while_a_guardian_consents(frozen_clock: clock.Frozen) -> None:
    frozen_clock.set(FIRST_ROUND)
    child, guardian, other = a_child(), a_guardian(), a_player("Noé Roy")
    club, cup = a_club(), a_tournament(1, state="open", check_in=True)
    assert refused(lambda: clubs.join(by=child, club=club)) == "player"
    assert refused(lambda: clubs.join(by=SITE, club=club, player=child)) == "player"
    refused(lambda: clubs.found_club(by=child, name="Les Petits", town="Ici"))
    refused(lambda: clubs.found_team(by=child, name="Les Petits"))
    assert refused(lambda: clubs.form_team(by=SITE, name="Les Petits", players=[child, other])) == "players"

    consent = consented(child, guardian)
    clubs.join(by=child, club=club)
    team = clubs.form_team(by=SITE, name="Les Petits", players=[child, other])
    consents.withdraw(by=guardian, consent=consent)
    assert refused(lambda: registration.register(by=SITE, competition=cup, team=team)) == "team"

    again = consented(child, guardian)
    entry = registration.register(by=SITE, competition=cup, team=team)
    consents.withdraw(by=guardian, consent=again)
    frozen_clock.set(FIRST_ROUND + timedelta(minutes=45))
    assert refused(lambda: checkin.check_in(by=SITE, entry=entry, player=child)) is not None


def test_a_child_without_consent_does_not_sit_down_at_a_match_and_may_with_it(frozen_clock: clock.Frozen) -> None:
    frozen_clock.set(FIRST_ROUND)
    match = first_match(a_league())
    publishing.open_table(match_id=match.pk, early=True)
    match.refresh_from_db()
    child, guardian = a_child(), a_guardian()
    match.table.seatings.filter(seat=0).update(player=child)
    game = match.table.games.get()

    def ready(command: str) -> tuple[str, str]:
        answer = play.submit(
            game_id=game.pk, seat=0, command_id=command, turn="0.0", kind="ready", args={},
            by=Person(player_id=child.pk),
        )  # fmt: skip
        return answer.code, answer.why

    assert ready("first") == ("illegal", "consent_missing")
    consented(child, guardian)
    assert ready("second")[0] == ""
