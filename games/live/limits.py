"""Rate limits, counted in the memory of this process. A counter that is lost only allows more calls, never fewer."""

from tock_league.common import clock


class Rate:
    """At most `count` calls in `seconds`, in a sliding window."""

    def __init__(self, count: int, seconds: float) -> None:
        self._count, self._seconds = count, seconds
        self._times: list[float] = []  # a list: a deque takes half a kilobyte per socket even if it is empty

    def allows(self) -> bool:
        """Count one call and return whether it is within the rate; refused calls are not counted."""
        now = clock.monotonic()
        if self._times and self._times[0] <= now - self._seconds:
            self._times = [time for time in self._times if time > now - self._seconds]
        if len(self._times) >= self._count:
            return False
        self._times.append(now)
        return True


def frames() -> Rate:
    """Return the limit of frames of a socket: 20 a second."""
    return Rate(20, 1.0)


def joins() -> Rate:
    """Return the limit of joins of a socket, each of which may need a whole view: 10 in 10 seconds."""
    return Rate(10, 10.0)


def commands() -> Rate:
    """Return the limit of commands of a seat: 20 in 10 seconds."""
    return Rate(20, 10.0)


class SeatRates:
    """The limits of every seat with recent commands."""

    def __init__(self) -> None:
        self._rates: dict[tuple[int, int], Rate] = {}

    def allows(self, table_id: int, seat: int) -> bool:
        """Count a command of the seat and return whether it is allowed."""
        if len(self._rates) > 10_000:
            self._rates.clear()
        return self._rates.setdefault((table_id, seat), commands()).allows()


seat_rates = SeatRates()
