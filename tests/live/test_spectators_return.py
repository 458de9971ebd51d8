"""A spectator who joins after another one left also gets the rows between."""

from typing import Any

import pytest

from games.live.hub import hub

from .sockets import Socket, off_loop

pytestmark = pytest.mark.django_db(transaction=True)


async def test_a_spectator_who_joins_after_another_left_misses_no_row(sat_table: Any) -> None:
    sat_table.table.release = "live"
    await off_loop(sat_table.table.save)()
    player = await Socket.of(sat_table.table.slug, sat_table.players[0])
    first = Socket(sat_table.table.slug, role="spectator")
    await first.enter()
    await first.leave()
    assert (await player.command("ready"))["t"] == "ack"
    await player.reach(2)

    second = Socket(sat_table.table.slug, role="spectator")
    await second.enter()
    await off_loop(lambda: sat_table.send(1, "ready"))()
    await second.reach(3)
    feed = hub().feeds[sat_table.table.pk]
    assert [row.seq for row in feed.rows] == [1, 2, 3]
    assert second.view["ready"] == [True, True, False, False]
    await second.leave()
    await player.leave()
