"""Bodies and answers of those who run a tournament: steps, seeds, ties, podium, bracket."""

from typing import Any

from rest_framework import serializers as s

from tock_league.competitions.models import Competition, StandingOverride

from .base import Asked, Told
from .events import SideRow

REASON = "Public; at most 200 characters."


class NextStep(Told):
    """The next step of a tournament."""

    code = s.CharField(help_text="Send it back to do the step. Before a colon: publish, open, close, …")
    kind = s.CharField(help_text="The word before the colon.")
    sentence = s.CharField()
    can_be_done = s.BooleanField(source="label", help_text="false while the tournament waits for others.")
    missing = s.ListField(child=s.CharField(), help_text="The names of those for whom the step waits.")
    matches = s.SerializerMethodField(help_text="The slugs of the matches whose results are missing.")

    def get_matches(self, step: Any) -> list[str]:
        return [view.match.slug for view in step.matches]


class Meeting(s.ListField):
    """Two numbers of entries."""

    def __init__(self, **more: Any) -> None:
        super().__init__(child=s.IntegerField(min_value=1, max_value=2**31), min_length=2, max_length=2, **more)


class StepTaken(Asked):
    code = s.CharField(max_length=60, help_text="As the step was shown; another one by now is refused (409).")
    relaxed = s.ListField(
        child=Meeting(),
        required=False,
        max_length=100,
        help_text="Second meetings that are accepted: `details.pairs` of the refusal `needs_relaxing`.",
    )


class Countdown(Asked):
    code = s.CharField(max_length=60, help_text="As the step was shown: one that begins a round.")
    minutes = s.IntegerField(min_value=0, max_value=15, help_text="0: at once.")


class NextState(Asked):
    to = s.ChoiceField(choices=Competition.State.values)
    reason = s.CharField(required=False, allow_blank=True, max_length=200, help_text=f"{REASON} To cancel or suspend.")


class Seeds(Asked):
    how = s.ChoiceField(choices=Competition.Seeding.values)
    order = s.ListField(
        child=s.CharField(max_length=16),
        required=False,
        max_length=128,
        help_text="By hand: the slugs of all entries, the strongest first.",
    )


class TieSettled(Asked):
    group = s.CharField(max_length=20, allow_blank=True, help_text="The name of the group, as the tie gives it.")
    how = s.ChoiceField(choices=StandingOverride.How.values)
    order = s.ListField(
        child=s.CharField(max_length=16),
        required=False,
        max_length=128,
        help_text="The slugs of the equal entries, the best first; not for lots.",
    )
    reason = s.CharField(required=False, allow_blank=True, max_length=200, help_text=f"{REASON} Not needed for lots.")


class EntryRef(Told):
    slug = s.CharField()
    name = s.SerializerMethodField()

    def get_name(self, entry: Any) -> str:
        return str(entry)


class Seeded(Told):
    entries = EntryRef(many=True, help_text="In the order of their seeds.")


class Tie(Told):
    """Entries that nothing separates where it decides who plays on."""

    group = s.CharField()
    entries = EntryRef(many=True)
    ways = s.ListField(child=s.CharField(), help_text="How it may be settled.")


class PodiumStep(Told):
    rank = s.IntegerField(help_text="Equals share a rank.")
    entry = EntryRef()


class Node(Told):
    """A match of a bracket."""

    number = s.IntegerField(source="node.number")
    round = s.IntegerField(source="node.column")
    title = s.CharField(source="node.title", help_text="The name of its round.")
    match = s.CharField(source="node.slug")
    state = s.CharField(source="node.view.match.state")
    sides = SideRow(source="node.view.sides", many=True)
    leads_to = s.IntegerField(
        source="node.leads_to", allow_null=True, help_text="The number of the match that its winner goes to."
    )
    loser_to = s.IntegerField(allow_null=True, help_text="The number of the match that its loser goes to.")
