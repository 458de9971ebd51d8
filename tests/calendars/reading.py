"""Reads calendars: by `vobject`, which shares no code with the library that writes them, and line by line for the rules
of RFC 5545 that readers of libraries forgive.
"""

import re
from datetime import datetime

import vobject
from django.test import Client

NAME = re.compile(r"[A-Z0-9-]+")
ONCE = {"UID", "DTSTAMP", "DTSTART", "DTEND", "SUMMARY", "STATUS", "SEQUENCE", "LAST-MODIFIED", "TRANSP", "DESCRIPTION"}


def unfolded(body: bytes) -> list[str]:
    """Return the logical lines, after checking line ends and lengths (RFC 5545, 3.1)."""
    assert body.endswith(b"\r\n")
    lines = body.removesuffix(b"\r\n").split(b"\r\n")
    assert all(b"\n" not in line and b"\r" not in line for line in lines)
    assert all(len(line) <= 75 for line in lines)
    return re.sub("\r\n[ \t]", "", "\r\n".join(line.decode() for line in lines)).split("\r\n")


def check(body: bytes) -> None:
    """Assert what every calendar must have: components closed in order, required and single properties, UTC times."""
    inside: list[str] = []
    seen: list[str] = []
    for line in unfolded(body):
        name, _colon, value = line.partition(":")
        assert NAME.fullmatch(name.partition(";")[0]), line
        assert not re.search(r"[\x00-\x08\x0b-\x1f\x7f]", line)
        if name == "BEGIN":
            inside.append(value)
            seen = [] if value == "VEVENT" else seen
        elif name == "END":
            assert inside.pop() == value
            if value == "VEVENT":
                assert ONCE - {"DESCRIPTION"} <= set(seen), seen
        elif inside[-1] == "VEVENT":
            assert name not in seen, line
            seen.append(name)
            if name in ("DTSTART", "DTEND", "DTSTAMP", "LAST-MODIFIED"):
                assert re.fullmatch(r"\d{8}T\d{6}Z", value), line
    assert inside == []


def read(body: bytes) -> dict[str, "vobject.base.Component"]:
    """Return the dates of a calendar by uid, read by the other library, after `check`."""
    check(body)
    made = vobject.readOne(body.decode())
    dates = {date.uid.value: date for date in made.contents.get("vevent", [])}
    assert len(dates) == len(made.contents.get("vevent", []))
    return dates


def fetched(client: Client, address: str, **headers: str) -> dict[str, "vobject.base.Component"]:
    answer = client.get(address, headers=headers)
    assert answer.status_code == 200, answer.status_code
    assert answer["Content-Type"] == "text/calendar; charset=utf-8"
    return read(answer.content)


def number(date: "vobject.base.Component") -> int:
    return int(date.sequence.value)


def modified(date: "vobject.base.Component") -> datetime:
    value = date.contents["last-modified"][0].value
    return value if isinstance(value, datetime) else datetime.strptime(value, "%Y%m%dT%H%M%S%z")
