"""Clock arithmetic: the time that a decision may take and has taken. In milliseconds; nothing here reads the time."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields, replace
from typing import Any

from games.engine.numbers import is_whole

FLOOR_MS = 20_000  # the least time bank after a time-out, and the least time of the running decision after a freeze
RESUME_MS = 10_000  # the countdown before the clocks of a frozen table run again


@dataclass(frozen=True, slots=True)
class ClockSettings:
    """A competition's clock, in seconds, shown before check-in."""

    bank_s: int = 300  # per seat and game
    increment_s: int = 5  # added after each own decision
    bank_max_s: int = 300
    cap_s: int = 60  # the longest single decision
    short_s: int = 20  # for forced burns and the exchange, an allowance of its own beside the bank
    timeouts: int = 2  # default plays in one game; the next time-out forfeits
    no_show_s: int = 600  # after the scheduled time

    def __post_init__(self) -> None:
        """Raise ValueError with the field when a value is not an integer of its range."""
        for field in fields(self):
            value = getattr(self, field.name)
            least = 0 if field.name in ("increment_s", "timeouts") else 1
            if not is_whole(value) or not least <= value <= 86_400:
                raise ValueError(f"{field.name} must be a whole number from {least} to 86400, not {value!r}")

    def to_json(self) -> dict[str, int]:
        return asdict(self)

    @classmethod
    def from_json(cls, value: Mapping[str, Any]) -> "ClockSettings":
        """Return the settings of a stored object; ValueError names an unknown field."""
        unknown = set(value) - {field.name for field in fields(cls)}
        if unknown:
            raise ValueError(f"unknown clock fields: {', '.join(sorted(unknown))}")
        return cls(**value)


@dataclass(frozen=True, slots=True)
class Clocks:
    """The clocks of a running game. All times are in milliseconds."""

    bank: tuple[int, ...]  # per seat, milliseconds left
    run: int | None = None  # the seat whose clock runs, None when several seats decide or none
    opened: int = 0  # when the current decision became visible; 0 when none runs
    due: int = 0  # when it must be made; 0 when none runs
    spent: int = 0  # milliseconds that had passed when the table was frozen; 0 if it was not

    def to_json(self) -> dict[str, Any]:
        """Return the `clocks` of a frame; keys with default values are omitted."""
        wire: dict[str, Any] = {"bank": list(self.bank)}
        if self.run is not None:
            wire["run"] = self.run
        if self.due:
            wire |= {"opened": self.opened, "due": self.due}
        if self.spent:
            wire["spent"] = self.spent
        return wire


def start(settings: ClockSettings, seats: int) -> Clocks:
    """Return full time banks and no running decision."""
    return Clocks(bank=(settings.bank_s * 1000,) * seats)


def open_decision(
    clocks: Clocks, settings: ClockSettings, *, run: int | None, at: int, short: bool, caps: int = 1
) -> Clocks:
    """Return the clocks with a new decision visible from `at`; it may last `caps` times the cap.

    `short` only if the reason is public (a forced burn, the exchange): a shorter deadline for a seat without a playable
    card would tell the table so before it burns.
    """
    span = settings.short_s * 1000 if short or run is None else min(settings.cap_s * caps * 1000, clocks.bank[run])
    return replace(clocks, run=run, opened=at, due=at + span, spent=0)


def stop(clocks: Clocks) -> Clocks:
    """Return the clocks with no decision running."""
    return replace(clocks, run=None, opened=0, due=0, spent=0)


def freeze(clocks: Clocks, *, at: int) -> tuple[Clocks, int]:
    """Return the clocks stopped at `at`, and the milliseconds left of the running decision (0: none ran)."""
    if not clocks.due:
        return clocks, 0
    spent = clocks.spent + max(0, at - clocks.opened)
    return replace(clocks, opened=0, due=0, spent=spent), max(0, clocks.due - max(at, clocks.opened))


def thaw(clocks: Clocks, *, at: int, left: int) -> Clocks:
    """Return the clocks running again after the countdown that begins at `at`.

    The decision keeps the `left` milliseconds it had, at least 20 s; the bank of the seat that runs is raised to match.
    """
    begin, left = at + RESUME_MS, max(FLOOR_MS, left)
    if clocks.run is not None:
        clocks = _with_bank(clocks, clocks.run, max(clocks.bank[clocks.run], clocks.spent + FLOOR_MS))
    return replace(clocks, opened=begin, due=begin + left)


def credit(clocks: Clocks, *, ms: int, back: int) -> Clocks:
    """Return the clocks after `ms` of the running decision in which nothing was served; service returned at `back`.

    The decision keeps what was left, at least 20 s from `back` on; the bank of the seat that runs is raised to match.
    The gap costs the bank nothing: the decision counts as opened `ms` later.
    """
    if not clocks.due:
        return clocks
    opened, due = clocks.opened + ms, max(clocks.due + ms, max(back, clocks.opened) + FLOOR_MS)
    moved = replace(clocks, opened=opened, due=due)
    if moved.run is None:
        return moved
    return _with_bank(moved, moved.run, max(moved.bank[moved.run], _passed(moved, back) + FLOOR_MS))


def adjust(clocks: Clocks, *, seat: int, ms: int, at: int) -> Clocks:
    """Return the clocks after a referee gave `seat` time, or took some; a running decision is moved too, and has at
    least 20 s.
    """
    due = clocks.due
    if due and clocks.run == seat:
        due = max(due + ms, max(at, clocks.opened) + FLOOR_MS)
    return replace(_with_bank(clocks, seat, max(0, clocks.bank[seat] + ms)), due=due)


def _passed(clocks: Clocks, at: int) -> int:
    """Return the time that the running decision has taken by `at`, without a freeze and the countdown after it."""
    return clocks.spent + max(0, at - clocks.opened)


def charge(clocks: Clocks, settings: ClockSettings, *, seat: int, at: int) -> Clocks:
    """Return the clocks after `seat` decided at `at`: the time is subtracted from its bank, the increment added."""
    left = max(0, clocks.bank[seat] - _passed(clocks, at)) + settings.increment_s * 1000
    return _with_bank(clocks, seat, min(left, settings.bank_max_s * 1000))


def charge_burn(clocks: Clocks, settings: ClockSettings, *, seat: int, at: int) -> Clocks:
    """Return the clocks after a burn: only the time beyond the short allowance is subtracted from the bank, nothing is
    added.
    """
    over = max(0, _passed(clocks, at) - settings.short_s * 1000)
    return _with_bank(clocks, seat, max(0, clocks.bank[seat] - over))


def charge_timeout(clocks: Clocks, *, seat: int, at: int, short: bool) -> Clocks:
    """Return the clocks after a time-out: the time is used up, but at least 20 s are left for the next decision."""
    spent = 0 if short else _passed(clocks, at)
    return _with_bank(clocks, seat, max(FLOOR_MS, clocks.bank[seat] - spent))


def _with_bank(clocks: Clocks, seat: int, value: int) -> Clocks:
    bank = (*clocks.bank[:seat], value, *clocks.bank[seat + 1 :])
    return replace(clocks, bank=bank)
