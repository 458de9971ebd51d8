"""The watch looks at new games only, finds planted results once, and tells the head referee."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from ratings import services as ratings
from tests.ratings.announced import Finished, evening
from tock_league.accounts.models import Player
from tock_league.accounts.permissions import SITE
from tock_league.accounts.services import give_role
from tock_league.clubs.models import Team, TeamPlayer
from tock_league.common import clock
from tock_league.integrity import services, tasks
from tock_league.integrity.models import Finding, Watched
from tock_league.integrity.selectors import findings
from tock_league.journal.models import JournalEntry
from tock_league.journal.selectors import entries, verification
from tock_league.notices.models import Notice

from .conftest import KEY, Play


def rate_all() -> None:
    """Rate everything that waits, batch by batch."""
    while ratings.rate_waiting(ladder_key=KEY).resting is not None:
        pass


pytestmark = pytest.mark.both_databases


def kinds() -> list[str]:
    return sorted(Finding.objects.values_list("kind", flat=True))


def test_two_pairs_that_mostly_meet_each_other_are_found_once(
    arranged: Play, head: Player, people: list[Player]
) -> None:
    ladder = arranged(24)
    assert tasks.watch() == 2
    assert kinds() == ["one_opponent", "one_way"]
    one_way = Finding.objects.get(kind="one_way")
    assert one_way.subject.key == f"{people[0].pk}-{people[1].pk}"
    assert set(one_way.players.all()) == set(people[:4])
    assert len(one_way.games) == one_way.figures["games"] == 25
    assert tasks.watch() == 0
    Watched.objects.update(seen=0)  # as if it was looked at again from the beginning
    assert services.look(ladder=ladder) == 0
    assert Notice.objects.filter(kind="integrity_finding", player=head).count() == 2
    assert Notice.objects.exclude(player=head).filter(kind="integrity_finding").count() == 0


def test_a_later_finding_is_about_later_games(
    arranged: Play, head: Player, people: list[Player], finished: Finished, at: clock.Frozen
) -> None:
    arranged(24)
    tasks.watch()
    first = Finding.objects.get(kind="one_opponent")
    services.close(by=head, finding=first, reason="Ils s’entraînent ensemble.")
    for _ in range(10):
        evening(at)
        finished(people[0:2], people[2:4])
    at.advance(minutes=2)
    rate_all()
    assert tasks.watch() == 0
    for _ in range(12):
        evening(at)
        finished(people[0:2], people[2:4])
    at.advance(minutes=2)
    rate_all()
    assert tasks.watch() == 1
    second = Finding.objects.filter(kind="one_opponent").order_by("pk").last()
    assert second is not None
    assert not set(second.games) & set(first.games)


def test_honest_games_are_not_listed_and_new_rows_wait_for_their_rating(
    arranged: Play, at: clock.Frozen, people: list[Player], finished: Finished
) -> None:
    ladder = arranged(3)
    assert tasks.watch() == 0
    seen = Watched.objects.get(ladder=ladder).seen
    finished(people[0:2], people[2:4])
    at.advance(minutes=2)
    tasks.watch()  # the row is in the log and not rated yet
    assert Watched.objects.get(ladder=ladder).seen == seen
    rate_all()
    tasks.watch()
    assert Watched.objects.get(ladder=ladder).seen > seen


def test_what_is_read_does_not_grow_with_the_log(
    arranged: Play, at: clock.Frozen, people: list[Player], finished: Finished
) -> None:
    def cost() -> int:
        evening(at)
        finished(people[4:6], people[6:8])
        at.advance(minutes=2)
        rate_all()
        with CaptureQueriesContext(
            connection,
        ) as queries:
            tasks.watch()
        return len(queries)

    arranged(2)
    tasks.watch()
    few = cost()
    for _ in range(6):
        evening(at)
        for i in range(0, 16, 4):
            finished(people[i : i + 2], people[i + 2 : i + 4])
    at.advance(minutes=2)
    rate_all()
    tasks.watch()
    assert cost() <= few + 1
    assert few < 40


def test_a_head_referee_who_is_involved_is_not_told_and_does_not_see_it(
    arranged: Play, head: Player, people: list[Player]
) -> None:
    player = people[0]
    give_role(player=player, name="head_referee", by=SITE)
    team = Team.objects.create(name="Les voisins")
    for slot, member in enumerate((head, people[3]), start=1):
        TeamPlayer.objects.create(team=team, player=member, slot=slot, joined=clock.now())
    arranged(24)
    tasks.watch()
    assert findings.shown(player) == findings.shown(head) == []
    assert not Notice.objects.filter(kind="integrity_finding").exists()
    TeamPlayer.objects.filter(player=head).delete()
    assert len(findings.shown(head)) == 2


def test_the_stream_of_the_watch_is_private_and_verified(arranged: Play, head: Player) -> None:
    arranged(24)
    tasks.watch()
    rows = JournalEntry.objects.filter(stream="integrity:findings")
    assert rows.count() == 2
    assert all(b"player" not in bytes(row.body) for row in rows)
    assert "integrity:findings" not in [stream.name for stream in entries.streams()]
    assert verification.__name__


def test_every_sentence_says_its_figures(arranged: Play, head: Player) -> None:
    from django.utils import translation

    from tock_league.integrity.selectors import words

    with translation.override("en"):
        assert words.surprise("losses", 4123.0) == "A result this surprising happens once in 4,100 such runs."
        assert words.surprise("losses", 1.2) == ""
        assert "40,000 times" in words.surprise("sudden", 40_999.0)
        assert "10,000,000" in words.surprise("sudden", 1e300)
        said = words.sentence("one_opponent", {"games": 22, "against": 14, "won": 3})
        assert said == "14 of the last 22 games were against the same side (64%)."
        assert words.sentence("losses", {"games": 10, "won": 1, "expected_tenths": 72}) == (
            "1 won of 10 games; 7.2 were expected."
        )
        assert words.sentence("resignations", {"games": 5, "early": 3, "won": 0}).startswith("3 of 5 games")
        assert words.ended("resigned", 31) == "given up after 31 moves"
    arranged(24)
    tasks.watch()
    with translation.override("en"):
        rows = {row.finding.kind: row for row in findings.shown(head)}
        assert rows["one_way"].sentence.startswith("25 of the last 25 games were between the same two")
        assert "Martine Gélinas" in rows["one_way"].names
