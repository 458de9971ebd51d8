"""A reader of the live feed over a real connection, as a browser's EventSource reads it."""

import http.client
import json
from dataclasses import dataclass
from typing import Any

from tests.servers.site import LiveSite


@dataclass
class Event:
    key: str
    kind: str
    data: Any


class Reader:
    """`status`, `headers`; `take` returns the next events."""

    def __init__(self, site: LiveSite, path: str, *, last: str = "", method: str = "GET") -> None:
        self.connection = http.client.HTTPConnection(site.host, site.port, timeout=10)
        self.connection.request(method, path, headers={"Last-Event-ID": last} if last else {})
        self.response = self.connection.getresponse()
        self.status, self.headers = self.response.status, self.response.headers
        self.text = ""  # everything that came

    def take(self, *kinds: str) -> list[Event]:
        """Return the next events, of these kinds, in the order in which they come; others are passed over."""
        found: list[Event] = []
        wanted = list(kinds)
        while wanted:
            event = self._next()
            if event.kind == wanted[0]:
                found.append(event)
                wanted.pop(0)
        return found

    def _next(self) -> Event:
        event = Event("", "", None)
        while True:
            line = self.response.readline().decode()
            if not line:
                raise EOFError("the stream has ended")
            self.text += line
            name, _, value = line.rstrip("\n").partition(": ")
            if name == "id":
                event.key = value
            elif name == "event":
                event.kind = value
            elif name == "data":
                event.data = json.loads(value)
            elif not name and event.kind:
                return event

    def ended(self) -> bool:
        """Return whether the server ends the stream, within ten seconds."""
        try:
            while line := self.response.readline():
                self.text += line.decode()
        except (ConnectionError, http.client.IncompleteRead):
            return True
        except TimeoutError:
            return False
        return True

    def close(self) -> None:
        self.response.close()
        self.connection.close()

    def __enter__(self) -> "Reader":
        return self

    def __exit__(self, *_error: object) -> None:
        self.close()
