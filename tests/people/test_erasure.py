"""An erasure: nothing of the person is left, and everything that others need is as it was."""

import pytest
from django.db import IntegrityError, transaction

from tests.people.searching import rows_with
from tock_league.accounts.models import Player, User
from tock_league.arbitration.models import Draft, Ruling
from tock_league.clubs.models import Membership, Team
from tock_league.common.persons import Leaving, Person
from tock_league.journal.models import JournalEntry, PrivateText, Redaction
from tock_league.people import erasure, parts
from tock_league.people.models import Erased
from tock_league.upkeep.figures import computed
from tock_league.upkeep.verification import verify

from .world import ADDRESS, NAME, SECOND, WORDS, Life

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases]


def faults() -> list[str]:
    return [str(each) for outcome in verify() for each in outcome.first if outcome.name != "database"]


def erased(life: Life) -> erasure.Done:
    return erasure.erase(parts.person_of(player=life.player))


def test_nothing_of_the_person_is_left_and_everything_verifies(life: Life) -> None:
    assert len(rows_with(NAME, ADDRESS, SECOND)) > 12
    assert faults() == []
    before = computed()
    done = erased(life)
    assert rows_with(NAME, ADDRESS, SECOND, "érable") == []
    assert faults() == []
    assert computed() == before  # standings and ratings, name for name but the one
    assert not User.objects.filter(email__in=[ADDRESS, SECOND]).exists()
    player = Player.objects.get(pk=life.player.pk)
    assert (player.display_name, player.user) == (done.pseudonym, None)
    assert done.pseudonym.startswith("Joueur ")
    assert not Draft.objects.filter(person=player).exists()
    assert not Membership.objects.filter(player=player, until=None).exists()
