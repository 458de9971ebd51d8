"""The digest of the week: at the hour of the person's zone, once, only when wanted and when there is something to say."""

from datetime import UTC, datetime, timedelta

import pytest

from tests.competitions.world import START, a_plan, a_tournament, under_way
from tock_league.clubs import services as clubs
from tock_league.common import clock
from tock_league.competitions.models import RosterSpot
from tock_league.notices import tasks
from tock_league.notices.core.weekly import last_before
from tock_league.notices.models import Notice
from tock_league.notices.services import choose, set_digest_hour

from .world import a_reader, delivered, told, with_login, work

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("hand", "mail_is_sent")]


def at(text: str) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=UTC)


@pytest.mark.parametrize(
    ("now", "day", "hour", "expected"),
    [
        ("2026-09-07T12:00", 0, 8, "2026-09-07T12:00"),  # Monday at eight, to the second
        ("2026-09-07T11:59", 0, 8, "2026-08-31T12:00"),
        ("2026-09-09T16:00", 0, 8, "2026-09-07T12:00"),
        ("2026-09-07T02:00", 6, 21, "2026-09-07T01:00"),  # still Sunday there
        ("2026-11-02T13:00", 0, 8, "2026-11-02T13:00"),  # the clocks have gone back
        ("2026-03-08T08:00", 6, 2, "2026-03-08T07:00"),  # the hour that the clocks skip
    ],
)
def test_the_hour_is_that_of_the_wall_clock(now, day, hour, expected):
    assert last_before(at(now), "America/Toronto", day=day, hour=hour).astimezone(UTC) == at(expected)


def wanting(player, **when):
    choose(by=player, wanted={"digest": {"mail"}})
    if when:
        set_digest_hour(by=player, **when)


def test_it_comes_once_at_its_hour_and_says_what_waits_what_comes_and_the_places(hand):
    cup = a_tournament(4, plan=a_plan("swiss", rounds=2))
    match = under_way(cup)[0]
    spot = RosterSpot.objects.filter(entry__side_rows__match=match, slot=1).first()
    player = with_login(spot.player, "p@example.org")
    player.language = "en"
    player.save()
    clubs.invite(by=(boss := a_reader("Ana Roy")), team=clubs.found_team(by=boss, name="Les As"), player=player, slot=2)
    Notice.objects.all().delete()
    match.starts_at = clock.now() + timedelta(days=2)
    match.save(update_fields=["starts_at"])
    wanting(player, day=2, hour=13)
    assert tasks.send_digests() == 0
    hand.set(START + timedelta(hours=1))
    assert [tasks.send_digests(), tasks.send_digests()] == [1, 0]
    [message] = [one for one in delivered() if one.to == ["p@example.org"]]
    assert message.subject == "[Tock League] Your week"
    for text in ("Waiting for you", "1 invitation or question", "Your matches of the week", f"/matches/{match.slug}/"):
        assert text in message.body
        assert text in message.alternatives[0][0]
    assert message.extra_headers["List-Unsubscribe-Post"]
    hand.advance(days=7)
    assert tasks.send_digests() == 1


def test_without_anything_to_say_nothing_is_sent(hand):
    ana = a_reader("Ana Roy")
    wanting(ana, day=2, hour=12)
    assert tasks.send_digests() == 1
    assert work() == ["dropped"]
    assert Notice.objects.get().mail_why == "nothing"


def test_it_is_off_unless_wanted_and_late_ones_are_left_out(hand):
    ana, bob = a_reader("Ana Roy"), a_reader("Bob Roy")
    wanting(bob, day=2, hour=12)
    hand.advance(hours=13)
    assert tasks.send_digests() == 0
    assert (told(ana), told(bob)) == ([], [])
