"""The forms for a practice table and for a casual one."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django import forms
from django.utils.functional import Promise
from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _

from games import bots
from games.selectors import rule_sets

Choice = tuple[str, str | Promise]
FOR_TESTS = "random"  # a level that is used internally and not offered
_LEVELS: Mapping[str, str | Promise] = {
    "novice": _("Beginner: rules of thumb"),
    "club": _("Club player: weighs what each play leads to"),
    "master": _("Master: thinks ahead, up to a second a play"),
}
ROUNDS = (1, 2, 3, 5, 8)  # the numbers of rounds offered for a game that does not go to the ace
# The fields that show a refusal of the service: seats and teams are chosen together.
FIELD_OF = {"seats": "table", "teams": "table"}


@dataclass(frozen=True, slots=True)
class Option:
    """A number of seats and teams that may be chosen."""

    value: str  # "seats-teams", such as "4-2"
    label: str
    rules: str  # the ids of the rule sets played at it, separated by spaces
    alone: bool  # individual play
    checked: bool


def rule_choices() -> list[Choice]:
    """Return the choices of rule sets; they are read from the registry, so no second list is needed."""
    return [(one.id, one.name) for one in rule_sets.offered()]


def shapes() -> dict[tuple[int, int], list[str]]:
    """Return the ids of the rule sets by (seats, teams), sorted."""
    found: dict[tuple[int, int], list[str]] = {}
    for one in rule_sets.offered():
        for seats, teams in one.shapes.items():
            for number in teams:
                found.setdefault((seats, number), []).append(one.id)
    return dict(sorted(found.items()))


def shape_name(seats: int, teams: int) -> str:
    """Return a description of the teams, such as "3 teams of 2"."""
    if teams == seats:
        return gettext("everybody for himself")
    return gettext("%(teams)s teams of %(size)s") % {"teams": teams, "size": seats // teams}


def table_choices() -> list[Choice]:
    return [(f"{seats}-{teams}", shape_name(seats, teams)) for seats, teams in shapes()]


def level_choices() -> list[Choice]:
    return [(level, _LEVELS.get(level, level)) for level in bots.LEVELS if level != FOR_TESTS]


def levels_of(rules: str) -> list[str]:
    """Return the bot levels offered for the rule set."""
    return [level for level in bots.levels(rules) if level != FOR_TESTS]


def length_choices() -> list[Choice]:
    """Return the choices of a game's length: to its end by the rules, or a number of rounds."""
    # Translators: how long a game of Tractor lasts: until a team climbs past the ace.
    whole: Choice = ("0", _("to the ace, and past it"))
    some = [(str(n), ngettext("%(count)d round", "%(count)d rounds", n) % {"count": n}) for n in ROUNDS]
    return [whole, *some]


class PracticeForm(forms.Form):
    """The choice of a game. Every field is optional; an empty form opens the same game as the first page's button."""

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
    rounds = forms.ChoiceField(
        label=_("Length of the game"),
        required=False,
        choices=length_choices,
        error_messages={"invalid_choice": _("A game is not played over so many rounds here.")},
        help_text=_(
            "A game to the ace takes an evening. After a fixed number of rounds the higher rank wins, then the points."
        ),
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
        help_text=_(
            "Strict, as in official games: a card laid and a marble touched must be played. Otherwise nothing binds you "
            "before you release the marble."
        ),
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        first = rule_sets.offered()[0]
        seats, (teams, *_more) = next(iter(first.shapes.items()))
        self.defaults = {
            "rules": first.id,
            "table": f"{seats}-{teams}",
            "rounds": "0",
            "level": bots.DEFAULT_LEVEL,
            "touch": False,
            "full_ranking": False,
        }
        self.initial = {**self.defaults, **self.initial}

    def clean(self) -> dict[str, Any]:
        """Return the chosen values, with defaults for those left out.

        Browsers do not send an unticked box: it means "off" if any field was sent, and the default otherwise.
        """
        found = self.cleaned_data
        plain = not any(name in self.data for name in self.fields)
        for name, usual in self.defaults.items():
            if name in found and (plain or not (found[name] or isinstance(usual, bool))):
                found[name] = usual
        if "rules" in found:
            self._fit(found)
        return found

    def _fit(self, found: dict[str, Any]) -> None:
        """Add an error at each option that the chosen game does not have; switch `touch` off if it has no touches."""
        if found.get("level") and found["level"] not in levels_of(found["rules"]):
            self.add_error("level", _("No bot of this level plays this game; choose another one."))
        if found.get("rounds", "0") != "0" and not rule_sets.has_rounds(found["rules"]):
            self.add_error("rounds", _("Under these rules a game goes to its end; it has no rounds to count."))
        found["touch"] = bool(found.get("touch")) and rule_sets.touches(found["rules"])

    def options(self) -> dict[str, Any]:
        """Return the arguments of `tables.open_practice` that were chosen; the form must be valid."""
        chosen = dict(self.cleaned_data)
        seats, teams = chosen.pop("table").split("-")
        rounds = int(chosen.pop("rounds"))
        return {**chosen, "seats": int(seats), "teams": int(teams)} | ({"rounds": rounds} if rounds else {})

    def refuse(self, field: str | None, sentence: str | Promise) -> None:
        """Show a refusal of the service at the field that it names."""
        name = FIELD_OF.get(field or "", field)
        self.add_error(name if name in self.fields else None, str(sentence))

    def rule_options(self) -> list[tuple[rule_sets.RuleSet, str, bool]]:
        """Return the rule sets, each with its bot levels and whether it is selected."""
        chosen = self["rules"].value()
        return [(one, " ".join(levels_of(one.id)), one.id == chosen) for one in rule_sets.offered()]

    def table_groups(self) -> list[tuple[int, list[Option]]]:
        """Return the tables by number of seats."""
        chosen = self["table"].value()
        found: dict[int, list[Option]] = {}
        for (seats, teams), rules in shapes().items():
            value = f"{seats}-{teams}"
            option = Option(value, shape_name(seats, teams), " ".join(rules), teams == seats, value == chosen)
            found.setdefault(seats, []).append(option)
        return list(found.items())


class PlayOnForm(forms.Form):
    """From where a finished game is played on, and in which seat."""

    seq = forms.IntegerField(min_value=1, max_value=10**6)
    seat = forms.IntegerField(min_value=0, max_value=7, required=False)

    def options(self) -> dict[str, Any]:
        """Return the arguments of `services.play_on.play_on` that were chosen; the form must be valid."""
        return {name: value for name, value in self.cleaned_data.items() if value is not None}


def again_fields(
    *, rules: str, seats: int, teams: int, full_ranking: bool, touch: bool, level: str, rounds: int = 0
) -> dict[str, str]:
    """Return the form fields that ask for the same kind of practice table again."""
    fields = {"rules": rules, "table": f"{seats}-{teams}", "level": level}
    if rounds:
        fields["rounds"] = str(rounds)
    if full_ranking:
        fields["full_ranking"] = "on"
    if touch:
        fields["touch"] = "on"
    return fields


CLOCK_NAMES: Mapping[str, str | Promise] = {
    "none": _("No clock"),
    "fast": _("Fast: 2 minutes each, 3 seconds more for each play, 30 seconds at most"),
    "normal": _("Normal: 5 minutes each, 5 seconds more for each play, a minute at most"),
    "slow": _("Slow: 15 minutes each, 10 seconds more for each play, three minutes at most"),
}
WATCHERS: Mapping[str, str | Promise] = {
    "all": _("Everybody: the table is in the lists"),
    "link": _("Who has the link"),
    "nobody": _("Only those who play"),
}


class CasualForm(PracticeForm):
    """The choice of a game with friends. Every field is optional."""

    pace = forms.ChoiceField(
        label=_("Clock"),
        required=False,
        choices=list(CLOCK_NAMES.items()),
        widget=forms.RadioSelect,
        error_messages={"invalid_choice": _("There is no such clock.")},
    )
    rated = forms.BooleanField(
        label=_("Rated"),
        required=False,
        help_text=_("The game counts for the leaderboards: signed-in people only, a clock, strict touch."),
    )
    watch = forms.ChoiceField(
        label=_("Who may find and watch it"),
        required=False,
        choices=list(WATCHERS.items()),
        widget=forms.RadioSelect,
        error_messages={"invalid_choice": _("Choose who may watch.")},
    )
    name = forms.CharField(
        label=_("Your name at the table"),
        required=False,
        max_length=60,
        help_text=_("2 to 20 letters, digits, spaces."),
    )

    def __init__(self, *args: Any, guest: bool = False, name: str = "", **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.defaults |= {"pace": "none", "rated": False, "watch": "link"}
        self.initial = {**self.defaults, "name": name, **self.initial}
        if guest:
            self.fields["name"].required = True
            self.fields["name"].widget.attrs |= {"autocomplete": "nickname"}
            self.fields["rated"].disabled = True
        else:
            del self.fields["name"]

    def options(self) -> dict[str, Any]:
        """Return the arguments of `casual.open_table` that were chosen; the form must be valid."""
        chosen = super().options()
        watch = chosen.pop("watch")
        return {**chosen, "listed": watch == "all", "seated_only": watch == "nobody"}
