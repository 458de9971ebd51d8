"""One open stream: what it sends, and when it ends."""

import asyncio
import json
from typing import Any

from games.live.outbox import Outbox

HEARTBEAT_S = 15.0
RETRY_MS = 3000  # how long a browser waits before it comes again
PREFIX = '{"t":"'  # of a frame of a table


class Stream:
    """Formats events and puts them into an outbox. A reader that is too slow is closed, and resumes with its last id."""

    def __init__(self, send: Any) -> None:
        self._send = send
        self.over = asyncio.Event()
        self.game = ""  # the game whose frames are sent
        self.outbox = Outbox(self._write, on_drained=self.end, on_stuck=self.end)

    def end(self) -> None:
        """Let the stream end soon; callable from anywhere on the loop."""
        self.over.set()

    def event(self, kind: str, data: Any, *, key: str = "") -> None:
        """Send an event. `key`: its id, from which the reader can resume; "" leaves the last one in force."""
        self.put(formatted(kind, json.dumps(data, ensure_ascii=False, separators=(",", ":")), key))

    def put(self, text: str) -> None:
        """Send a text; one that does not fit ends the stream."""
        if not self.outbox.put(text):
            self.end()

    async def _write(self, text: str) -> None:
        if text.startswith(PREFIX):
            text = self._frame(text)
        await self._send({"type": "http.response.body", "body": text.encode(), "more_body": True})

    def _frame(self, text: str) -> str:
        """Return a frame of the table as an event; views and plays have an id."""
        frame = json.loads(text)
        kind = str(frame["t"])
        if kind == "snap":
            return formatted("table.snap", text, f"{self.game}.{frame['epoch']}.{frame['seq']}")
        if kind == "ev":
            return formatted("table.ev", text, f"{self.game}.{frame['epoch']}.{frame['list'][-1]['seq']}")
        return formatted(f"table.{kind}", text)


def formatted(kind: str, data: str, key: str = "") -> str:
    """Return an event of `text/event-stream`. `data`: one line of JSON."""
    return (f"id: {key}\n" if key else "") + f"event: {kind}\ndata: {data}\n\n"
