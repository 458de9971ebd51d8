"""Deeds tried through the services, with real people and a real thing in each stage of its life."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from django.db import transaction

from tock_league.accounts.models import Player
from tock_league.common.errors import Refused
from tock_league.journal.models import JournalEntry

from .roles import Role

Try = Callable[[Player, Any], object]  # the person, the things of the stage


@dataclass(frozen=True)
class Stage:
    """A stage of a thing's life: its name, who has which role in it (by title; nobody: None), and its things."""

    name: str
    people: Mapping[str, Player | None]
    things: Any


@dataclass
class Found:
    """The stages in which a role could do a deed. `refusals`: the code of each refusal, to explain a difference."""

    done: dict[tuple[str, str], tuple[str, ...]] = field(default_factory=dict)  # by deed and title of the role
    refusals: dict[tuple[str, str, str], str] = field(default_factory=dict)  # by deed, role and stage


@contextmanager
def undone() -> Iterator[None]:
    """Roll back what the block writes."""
    with transaction.atomic():
        yield
        transaction.set_rollback(True)


# Refusals because of the state of the thing: they are the same for everybody.
BY_STATE = frozenset(
    {
        "not_open",
        "already_ruled",
        "not_ruled",
        "state",
        "drawn",
        "not_drawn",
        "entry_state",
        "match_begun",
        "match_waiting",
        "result_stands",
        "not_decided",
        "not_entered",
        "period_over",
        "deadline_over",
        "ruled",
        "played_at_table",
    }
)


def attempts(stages: Iterable[Stage], tries: Mapping[str, Try], roles: Mapping[str, tuple[Role, ...]]) -> Found:
    """Try each deed in each stage for each of its `roles`, those whom its rule allows, and roll it back."""
    found = Found()
    for stage in stages:
        for deed, allowed in roles.items():
            for role in allowed:
                person = stage.people.get(role.title)
                if person is None:
                    continue
                code = refusal(tries[deed], person, stage)
                if code:
                    found.refusals[deed, role.title, stage.name] = code
                else:
                    found.done[deed, role.title] = (*found.done.get((deed, role.title), ()), stage.name)
                if code in BY_STATE:
                    break
    return found


def refusal(deed: Try, person: Player, stage: Stage) -> str:
    """Return the code with which a service refuses the deed in this stage, "" where it is done.

    `again`: nothing is new, because the same was done before. Every deed writes to the journal.
    """
    try:
        with undone():
            before = JournalEntry.objects.count()
            deed(person, stage.things)
            return "" if JournalEntry.objects.count() > before else "again"
    except Refused as error:
        return error.code
