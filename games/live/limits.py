"""Rates, counted in this process: a lost counter makes nobody wait longer."""

from tock_league.common import clock


class Rate:
    """At most `count` times in `seconds`, sliding."""

    def __init__(self, count: int, seconds: float) -> None:
        self._count, self._seconds = count, seconds
        self._times: list[float] = []  # a deque would take half a kilobyte a socket, empty or not

    def allows(self) -> bool:
        """Count one more and return whether it is still within the rate; one that is refused does not count."""
        now = clock.monotonic()
        if self._times and self._times[0] <= now - self._seconds:
            self._times = [time for time in self._times if time > now - self._seconds]
        if len(self._times) >= self._count:
            return False
        self._times.append(now)
        return True


def frames() -> Rate:
    """Return the rate of frames a socket may send: 20 a second."""
    return Rate(20, 1.0)


def joins() -> Rate:
    """Return the rate of joins of a socket, each of which may cost a whole view: 10 in 10 seconds."""
    return Rate(10, 10.0)


def commands() -> Rate:
    """Return the rate of commands of a seat: 20 in 10 seconds."""
    return Rate(20, 10.0)


class SeatRates:
    """The commands' rate of every seat heard of lately."""

    def __init__(self) -> None:
        self._rates: dict[tuple[int, int], Rate] = {}

    def allows(self, table_id: int, seat: int) -> bool:
        """Count a command of the seat and return whether it may be heard."""
        if len(self._rates) > 10_000:
            self._rates.clear()
        return self._rates.setdefault((table_id, seat), commands()).allows()


seat_rates = SeatRates()
