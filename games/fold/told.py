"""The events as each viewer gets them. What all viewers share is computed and serialised once.

Invariant: the view at one event, merged with the next event's `set`, is the view at that next event.
"""

import hashlib
import json
from collections.abc import Iterable, Iterator
from functools import cached_property
from json.encoder import encode_basestring_ascii
from typing import Any

from .patch import Json, diff
from .rows import canonical
from .state import TableState
from .table import Step
from .view import clocks_json, detail, effects, is_open, own_view, public_view
from .viewer import SPECTATOR, Viewer

_compact = json.JSONEncoder(separators=(",", ":"), ensure_ascii=True, allow_nan=False, check_circular=False).encode


def wire_text(value: object) -> str:
    """Return a value as it is sent: JSON without spaces, ASCII."""
    return _compact(value)


class Sight:
    """A state as its viewers see it. Its parts are computed on demand and cached in this object."""

    def __init__(self, state: TableState, before: "Sight | None" = None) -> None:
        """`before`: an earlier state of the same game; unchanged parts are not serialised again."""
        self.state = state
        self._before = before
        self._own: dict[int, Json] = {}
        self._own_texts: dict[int, dict[str, str]] = {}
        self._marks: dict[int, str] = {}

    def settle(self) -> None:
        """Release the earlier state: everything still needed is computed from this one."""
        self._before = None

    @cached_property
    def public(self) -> Json:
        """The part that all viewers share."""
        return public_view(self.state)

    @cached_property
    def _texts(self) -> dict[str, str]:
        """The shared keys, each with its value as canonical JSON."""
        before = self._before
        if before is None or "_texts" not in before.__dict__:
            return _texts_of(self.public, {}, {})
        return _texts_of(self.public, before.public, before._texts)

    @cached_property
    def clocks_text(self) -> str:
        """The clocks, as all viewers get them."""
        return wire_text(clocks_json(self.state))

    def own(self, viewer: Viewer) -> Json:
        """Return the part that only this viewer sees."""
        found = self._own.get(viewer.key)
        if found is None:
            found = self._own[viewer.key] = own_view(self.state, viewer)
        return found

    def _own_text(self, viewer: Viewer) -> dict[str, str]:
        """Return the keys of the viewer's own part, each with its value as canonical JSON."""
        before = self._before
        if before is None or viewer.key not in before._own_texts:
            texts = _texts_of(self.own(viewer), {}, {})
        else:
            texts = _texts_of(self.own(viewer), before.own(viewer), before._own_texts[viewer.key])
        self._own_texts[viewer.key] = texts
        return texts

    def view(self, viewer: Viewer) -> Json:
        """Return the viewer's whole view."""
        return self.public | self.own(viewer)

    def mark(self, viewer: Viewer) -> str:
        """Return the hash of the viewer's view, as `view_hash` would of the whole."""
        found = self._marks.get(viewer.key)
        if found is None:
            texts = self._texts | self._own_text(viewer)
            whole = "{" + ",".join([texts[key] for key in sorted(texts)]) + "}"
            found = self._marks[viewer.key] = hashlib.sha256(whole.encode("ascii")).hexdigest()[:16]
        return found


def _texts_of(values: Json, before: Json, known: dict[str, str]) -> dict[str, str]:
    """Return each key with its value as canonical JSON; reuse the text in `known` if the value is that in `before`."""
    return {
        key: known[key] if key in known and before[key] == value else f'"{key}":{_text(value)}'
        for key, value in values.items()
    }


def _text(value: object) -> str:
    """Return a value as canonical JSON; fast path for short strings and numbers, which need no encoder."""
    if type(value) is str:
        return encode_basestring_ascii(value)
    return str(value) if type(value) is int else canonical(value).decode("ascii")


class Told:
    """A step between two states: its event for each viewer, as data or as text."""

    def __init__(self, step: Step, before: Sight, after: Sight) -> None:
        self.step, self.before, self.after = step, before, after

    @cached_property
    def fx(self) -> list[list[Any]]:
        """The effects for animation and words, the same for all."""
        return effects(self.step)

    @cached_property
    def _patch(self) -> Json:
        return diff(self.before.public, self.after.public)

    @cached_property
    def _patch_text(self) -> str:
        return wire_text(self._patch)[1:-1]

    @cached_property
    def _fx_text(self) -> str:
        return f',"fx":{wire_text(self.fx)}' if self.fx else ""

    @cached_property
    def _open_detail(self) -> str:
        """What everybody may read of the row, as text; empty if viewers may read different parts."""
        row, setup = self.step.row, self.step.after.setup
        return wire_text(detail(row, SPECTATOR, setup)) if is_open(row, setup) else ""

    def event(self, viewer: Viewer) -> Json:
        """Return the event as an entry of an `ev` frame."""
        row = self.step.row
        event: Json = {
            "seq": row.seq,
            "k": row.code,
            "d": detail(row, viewer, self.step.after.setup),
            "set": self._patch | diff(self.before.own(viewer), self.after.own(viewer)),
        }
        return event | {"fx": self.fx} if self.fx else event

    def text(self, viewer: Viewer) -> str:
        """Return the JSON text of `event(viewer)`; only the viewer's own part is serialised for each viewer."""
        row = self.step.row
        own = diff(self.before.own(viewer), self.after.own(viewer))
        parts = [part for part in (self._patch_text, wire_text(own)[1:-1] if own else "") if part]
        read = self._open_detail or wire_text(detail(row, viewer, self.step.after.setup))
        return f'{{"seq":{row.seq},"k":"{row.code}","d":{read},"set":{{{",".join(parts)}}}{self._fx_text}}}'


def told(steps: Iterable[Step], begin: Sight | None = None) -> Iterator[Told]:
    """Yield the steps as viewers get them, from contiguous steps. `begin`: the state before the first one, if known."""
    before = begin
    for step in steps:
        if before is None or before.state is not step.before:
            before = Sight(step.before)
        after = Sight(step.after, before)
        yield Told(step, before, after)
        before = after


def events(steps: Iterable[Step], viewer: Viewer) -> Iterator[tuple[Json, Json]]:
    """Yield (event, view after it) per step as the viewer gets it."""
    for each in told(steps):
        yield each.event(viewer), each.after.view(viewer)
