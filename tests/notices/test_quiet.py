"""Quiet hours by the wall clock of the person's zone, also when the clocks change."""

from datetime import UTC, datetime

import pytest

from tock_league.notices.core.quiet import over_at

MONTREAL = "America/Toronto"


def at(text: str) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=UTC)


@pytest.mark.parametrize(
    ("now", "hours", "expected"),
    [
        ("2026-09-02T16:00", (22, 8), "2026-09-02T16:00"),  # noon
        ("2026-09-03T01:59", (22, 8), "2026-09-03T01:59"),  # 21:59
        ("2026-09-03T02:00", (22, 8), "2026-09-03T12:00"),  # 22:00
        ("2026-09-03T11:59", (22, 8), "2026-09-03T12:00"),  # 7:59
        ("2026-09-03T12:00", (22, 8), "2026-09-03T12:00"),  # 8:00
        ("2026-11-01T03:00", (22, 8), "2026-11-01T13:00"),  # the night in which the clocks go back
        ("2026-03-08T04:00", (22, 8), "2026-03-08T12:00"),  # the night in which they go forward
        ("2026-09-02T16:00", (9, 17), "2026-09-02T21:00"),  # quiet by day
        ("2026-09-02T22:00", (9, 17), "2026-09-02T22:00"),
        ("2026-09-03T04:00", (0, 0), "2026-09-03T04:00"),  # no hour is quiet
    ],
)
def test_a_mail_waits_for_the_end_of_the_quiet_hours(now, hours, expected):
    assert over_at(at(now), MONTREAL, begins=hours[0], ends=hours[1]) == at(expected)
