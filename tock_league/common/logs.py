"""Structured log lines: each gets the fields of its context, and no secrets.

Modules log by `logging.getLogger(__name__)` as ever; the formatter passes each record through structlog. A line gets the
context of the task or thread that writes it (request, table, seat, command), and the dictionary given as
`extra={"details": {...}}`. No other attribute of a record is written: some hold requests. Cards are masked wherever a message
or a traceback names one, and what a database adds to an error about the values of a row is left out.
"""

import logging
import re
from collections.abc import Mapping, MutableMapping
from contextvars import ContextVar
from types import MappingProxyType
from typing import Any

import structlog

from . import clock

Context = Mapping[str, Any]
Fields = MutableMapping[str, Any]

_context: ContextVar[Context] = ContextVar("log context", default=MappingProxyType({}))

# A card, also behind the escaped line end of a quoted text, and the legs of the play that it begins.
CARD = re.compile(
    r"(?:(?<![A-Za-z0-9])|(?<=\\[nrt]))(?:(?:A|[2-9]|10|J|Q|K)[SHDC]|JK|RJ|BJ)(?![A-Za-z0-9])"
    r"(?: (?:[thx][0-9]{1,3}|r)-[^\s'\"]+)*"
)
DETAIL = re.compile(r"^(?:DETAIL|CONTEXT):.*\n?", re.MULTILINE)  # PostgreSQL's: "Failing row contains (...)"


def get_context() -> Context:
    """Return the log context of this task or thread."""
    return _context.get()


def set_context(context: Context) -> None:
    """Replace the log context of this task or thread."""
    _context.set(context)


def add_context(**more: Any) -> None:
    """Add fields to the log context of this task or thread. Never pass a card, a key or a password."""
    _context.set({**_context.get(), **more})


def formatter(*, json: bool) -> logging.Formatter:
    """Return the formatter of all handlers: a JSON object a line, or a line for people."""
    renderer: Any = structlog.processors.JSONRenderer()
    if not json:
        renderer = structlog.dev.ConsoleRenderer(
            colors=False, exception_formatter=structlog.dev.plain_traceback, pad_event_to=0, sort_keys=False
        )
    return structlog.stdlib.ProcessorFormatter(
        foreign_pre_chain=[
            _time,
            structlog.stdlib.add_log_level,
            structlog.stdlib.add_logger_name,
            _details,
            structlog.processors.format_exc_info,
            _mask,
        ],
        processors=[structlog.stdlib.ProcessorFormatter.remove_processors_meta, renderer],
    )


def _time(logger: Any, method: str, line: Fields) -> Fields:
    line["timestamp"] = clock.from_ms(int(1000 * line["_record"].created)).isoformat(timespec="milliseconds")
    return line


def _details(logger: Any, method: str, line: Fields) -> Fields:
    for name, value in (*_context.get().items(), *getattr(line["_record"], "details", {}).items()):
        if name not in ("event", "level", "logger", "timestamp"):
            line[name] = value
    return line


def _mask(logger: Any, method: str, line: Fields) -> Fields:
    for name in ("event", "exception"):
        if name in line:
            line[name] = CARD.sub("??", DETAIL.sub("", str(line[name])))
    return line
