"""What a person may ask for outside a table."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django import forms
from django.utils.functional import Promise
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from games import bots
from games.selectors import rule_sets

Choice = tuple[str, str | Promise]
FOR_TESTS = "random"  # a level that no page offers
_LEVELS: Mapping[str, str | Promise] = {
    "novice": _("Beginner: rules of thumb"),
    "club": _("Club player: weighs what each play leads to"),
    "master": _("Master: thinks ahead, up to a second a play"),
}
# Where a refusal of the service is shown: seats and teams are chosen together.
FIELD_OF = {"seats": "table", "teams": "table"}


@dataclass(frozen=True, slots=True)
class Option:
    """One table that may be chosen: `rules` the ids that are played at it, `alone` everybody for himself."""

    value: str
    label: str
    rules: str
    alone: bool
    checked: bool


def rule_choices() -> list[Choice]:
    """Answer the rule sets of the registry: no list of ours to forget."""
    return [(one.id, one.name) for one in rule_sets.offered()]


def shapes() -> dict[tuple[int, int], list[str]]:
    """Answer for each (seats, teams), in order, the ids of the rule sets played so."""
    found: dict[tuple[int, int], list[str]] = {}
    for one in rule_sets.offered():
        for seats, teams in one.shapes.items():
            for number in teams:
                found.setdefault((seats, number), []).append(one.id)
    return dict(sorted(found.items()))


def shape_name(seats: int, teams: int) -> str:
    """Answer who plays with whom, such as "3 teams of 2"."""
    if teams == seats:
        return gettext("everybody for himself")
    return gettext("%(teams)s teams of %(size)s") % {"teams": teams, "size": seats // teams}


def table_choices() -> list[Choice]:
    return [(f"{seats}-{teams}", shape_name(seats, teams)) for seats, teams in shapes()]


def level_choices() -> list[Choice]:
    return [(level, _LEVELS.get(level, level)) for level in bots.LEVELS if level != FOR_TESTS]


class PracticeForm(forms.Form):
    """Choose your game: every field may be left out, and an empty form is the game of the first page's button."""

    rules = forms.ChoiceField(
        label=_("Game"),
        required=False,
        choices=rule_choices,
        error_messages={"invalid_choice": _("There is no such rule set.")},
    )
    table = forms.ChoiceField(
        label=_("Table"),
        required=False,
        choices=table_choices,
        error_messages={"invalid_choice": _("There is no such table.")},
    )
    full_ranking = forms.BooleanField(
        label=_("Play for every place"),
        required=False,
        help_text=_("The game goes on until one player is left, instead of ending with the first who is home."),
    )
    level = forms.ChoiceField(
        label=_("Strength of the bots"),
        required=False,
        choices=level_choices,
        widget=forms.RadioSelect,
        error_messages={"invalid_choice": _("There is no bot of this level.")},
    )
    touch = forms.BooleanField(
        label=_("Touched marble"),
        required=False,
        help_text=_("A card laid and a marble touched must be played, as in official games."),
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        first = rule_sets.offered()[0]
        seats, (teams, *_more) = next(iter(first.shapes.items()))
        self.defaults = {
            "rules": first.id,
            "table": f"{seats}-{teams}",
            "level": bots.DEFAULT_LEVEL,
            "touch": True,
            "full_ranking": False,
        }
        self.initial = {**self.defaults, **self.initial}

    def clean(self) -> dict[str, Any]:
        """Answer what was chosen, the usual where nothing was; a box that is not ticked is off, where there were boxes."""
        found = self.cleaned_data
        plain = not any(name in self.data for name in self.fields)
        for name, usual in self.defaults.items():
            if name in found and (plain or not (found[name] or isinstance(usual, bool))):
                found[name] = usual
        return found

    def options(self) -> dict[str, Any]:
        """Answer the arguments of `tables.open_practice` that were chosen; for a valid form."""
        chosen = dict(self.cleaned_data)
        seats, teams = chosen.pop("table").split("-")
        return {**chosen, "seats": int(seats), "teams": int(teams)}

    def refuse(self, field: str | None, sentence: str | Promise) -> None:
        """Show a refusal of the service at the field it names."""
        name = FIELD_OF.get(field or "", field)
        self.add_error(name if name in self.fields else None, str(sentence))

    def rule_options(self) -> list[tuple[rule_sets.RuleSet, bool]]:
        """Answer the rule sets, each with whether it is chosen."""
        chosen = self["rules"].value()
        return [(one, one.id == chosen) for one in rule_sets.offered()]

    def table_groups(self) -> list[tuple[int, list[Option]]]:
        """Answer the tables by number of seats."""
        chosen = self["table"].value()
        found: dict[int, list[Option]] = {}
        for (seats, teams), rules in shapes().items():
            value = f"{seats}-{teams}"
            option = Option(value, shape_name(seats, teams), " ".join(rules), teams == seats, value == chosen)
            found.setdefault(seats, []).append(option)
        return list(found.items())


def again_fields(*, rules: str, seats: int, teams: int, full_ranking: bool, touch: bool, level: str) -> dict[str, str]:
    """Answer the fields that ask for such a practice table once more."""
    fields = {"rules": rules, "table": f"{seats}-{teams}", "level": level}
    if full_ranking:
        fields["full_ranking"] = "on"
    if touch:
        fields["touch"] = "on"
    return fields
