"""What a kind of notice is."""

from base64 import urlsafe_b64encode
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from hashlib import sha256
from typing import Any, Final
from zoneinfo import ZoneInfo

from django.utils import timezone
from django.utils.dateparse import parse_datetime
from django.utils.functional import Promise

from tock_league.accounts.templatetags.people import day_in_text, hour

Text = str | Promise
Names = Mapping[tuple[str, str], str]

SITE: Final = "site"
MAIL: Final = "mail"
PUSH: Final = "push"
WAYS: Final = (SITE, MAIL, PUSH)


@dataclass(frozen=True)
class Told:
    """A notice in the reader's words."""

    title: str
    sentence: str


@dataclass(frozen=True)
class Kind:
    """One kind of notice: its texts, and by which ways it goes.

    `title`, `sentence`: hold the fields as %(field)s. `things`: the fields with the public id of something, and the prefix
    of its namer (notices.names). `times`: the fields with an instant, ISO 8601. `plain`: the fields that are shown as they
    are, such as a case's number; never a name and never a text that somebody typed. `ways`: unless the person says otherwise.
    `fixed`: the ways that cannot be switched off. `offered`: the ways among which one can choose. `lasts`: no push is
    delivered later than so long after the fact. `topic`: kinds of the same topic, about the same things, replace each other
    on a device. `at_once`: a push does not wait for the end of the quiet hours, because it concerns what the person is
    doing now.
    """

    key: str
    label: Text  # in the settings
    title: Text
    sentence: Text
    things: Mapping[str, str] = field(default_factory=dict)
    times: tuple[str, ...] = ()
    plain: tuple[str, ...] = ()
    ways: frozenset[str] = frozenset(WAYS)
    fixed: frozenset[str] = frozenset()
    offered: tuple[str, ...] = WAYS
    lasts: timedelta = timedelta(days=1)
    topic: str = ""
    at_once: bool = False

    @property
    def fields(self) -> frozenset[str]:
        """Return the names of all fields, each of which a notice of this kind has."""
        return frozenset({*self.things, *self.times, *self.plain})

    def wanted(self, data: Mapping[str, Any]) -> list[tuple[str, str]]:
        """Return the (prefix, public id) of which the texts need the names."""
        return [(prefix, str(data[name])) for name, prefix in self.things.items()]

    def collapse_key(self, data: Mapping[str, Any]) -> str:
        """Return what pushes have in common of which only the newest matters: 32 letters of base64url (RFC 8030, 5.4)."""
        about = [self.topic or self.key, *(str(data[name]) for name in sorted(self.things))]
        return urlsafe_b64encode(sha256("|".join(about).encode()).digest()[:24]).decode()

    def told(self, data: Mapping[str, Any], names: Names, *, zone: str) -> Told:
        """Return the texts in the active language; instants in `zone`, an IANA name. What is gone is called “—”."""
        shown: dict[str, object] = {name: data[name] for name in self.plain}
        shown |= {name: names.get((prefix, str(data[name])), "—") for name, prefix in self.things.items()}
        shown |= {name: _moment(str(data[name]), zone) for name in self.times}
        return Told(str(self.title) % shown, str(self.sentence) % shown)


def _moment(text: str, zone: str) -> str:
    at = parse_datetime(text)
    assert isinstance(at, datetime)
    with timezone.override(ZoneInfo(zone)):
        return f"{day_in_text(at)}, {hour(at)}"
