"""The fields of a time cap: a usual one, or every setting of an own one."""

from typing import Any

from django import forms
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from ..core import caps
from ..core.caps import Cap, CapError
from ..services.seasons.regulations import cap_sentence

# The settings of an own cap, with the names of their fields; a refusal stands beside them.
OWN_FIELDS = ("minutes", "of", "call", "counts", "marble", "finished", "tie", "came", "absent")
USUAL_MINUTES = 45
FIELDS = ("cap", *(f"cap_{name}" for name in OWN_FIELDS), "cap_order")


class CapFields(forms.Form):
    """The fields; `clean` adds `capped`, the settings for `freeze`, None without a cap."""

    cap = forms.ChoiceField(
        label=_("Time cap of a game"),
        required=False,
        choices=[
            ("", _("none: a game goes to its end")),
            ("pairs", _("as in pair tournaments: 45 minutes, last deal, 2 points a marble and 10 for a finished game")),
            ("brisk", _("brisk: 30 minutes, one more turn each, the most marbles home")),
            (caps.OWN, _("another one, set below")),
        ],
        help_text=_("When the time is up, marbles home decide. A game that ends by time is not rated."),
    )
    cap_minutes = forms.IntegerField(label=_("Minutes"), required=False, initial=USUAL_MINUTES)
    cap_of = forms.ChoiceField(
        label=_("The minutes are for"),
        required=False,
        choices=[(caps.GAME, _("each game")), (caps.MATCH, _("the whole match, on boards"))],
    )
    cap_call = forms.ChoiceField(
        label=_("At the cap"),
        required=False,
        choices=[
            (caps.DEAL, _("last deal: the deal is played to its end")),
            (caps.TURN, _("one more turn each")),
            (caps.STOP, _("stop at once")),
        ],
    )
    cap_counts = forms.ChoiceField(
        label=_("What counts"),
        required=False,
        choices=[
            (caps.POINTS, _("points for marbles home and for a finished game")),
            (caps.MARBLES, _("marbles home")),
            (caps.STEPS, _("steps walked by all marbles")),
        ],
    )
    cap_marble = forms.IntegerField(label=_("Points a marble home"), required=False, initial=caps.MARBLE)
    cap_finished = forms.IntegerField(label=_("Points more for a finished game"), required=False, initial=caps.FINISHED)
    cap_tie = forms.ChoiceField(
        label=_("Equal at the end"),
        required=False,
        choices=[
            (caps.ALLOWED, _("a tie; in a knockout another game")),
            (caps.NEXT_HOME, _("the next marble home decides")),
            (caps.ONE_DEAL, _("one more deal")),
        ],
    )
    cap_came = forms.IntegerField(
        label=_("Score of a side whose opponent is absent"),
        required=False,
        help_text=_("For example 8, and 4 for the absent side. Empty: such a match brings no score."),
    )
    cap_absent = forms.IntegerField(label=_("Score of the absent side"), required=False)
    cap_order = forms.ChoiceField(
        label=_("Teams with as many match points"),
        required=False,
        choices=[
            ("usual", _("are ordered as usual")),
            ("score", _("are ordered by difference and score first")),
        ],
        help_text=_("The score is what counts at the cap."),
    )

    def clean(self) -> dict[str, Any]:
        """Add `capped`; what is wrong with a setting stands beside its field."""
        chosen = super().clean() or {}
        chosen["capped"] = None
        name = chosen.get("cap") or ""
        if name in caps.PRESETS:
            chosen["capped"] = caps.PRESETS[name].to_json()
        elif name == caps.OWN and not any(field.startswith("cap_") for field in self.errors):
            chosen["capped"] = self._own(chosen)
        return chosen

    def _own(self, chosen: dict[str, Any]) -> dict[str, Any] | None:
        came, absent = chosen["cap_came"], chosen["cap_absent"]
        if (came is None) != (absent is None):
            self.add_error(
                "cap_came" if came is None else "cap_absent", gettext("Give both sides a score, or neither of them.")
            )
            return None
        defaults = Cap(minutes=caps.LEAST_MINUTES)
        values = {
            name: value if (value := chosen[f"cap_{name}"]) not in (None, "") else getattr(defaults, name)
            for name in ("of", "call", "counts", "tie", "marble", "finished")
        }
        try:
            made = Cap(
                minutes=chosen["cap_minutes"] or 0, absent=(came, absent) if came is not None else None, **values
            )
        except CapError as error:
            self.add_error(f"cap_{error.field}", str(cap_sentence(error.code)))
            return None
        return made.to_json()


def tiebreaks_of(chosen: dict[str, Any], usual: tuple[str, ...]) -> tuple[str, ...]:
    """Return the tie-breaks: `usual`, under a time cap with the scores, first or after the difference of the scores."""
    if chosen["capped"] is None:
        return usual
    rest = tuple(key for key in usual if key not in ("margin", "scored"))
    if chosen["cap_order"] == "score":
        return ("margin", "scored", *rest)
    at = usual.index("margin") if "margin" in usual else len(rest)
    return (*rest[:at], "margin", "scored", *rest[at:])


def cap_initial(cap: Cap | None, tiebreaks: list[str]) -> dict[str, Any]:
    """Return the values of the fields for a cap that exists; without one those of a new cap."""
    shown = cap if cap is not None else Cap(USUAL_MINUTES)
    came, absent = shown.absent if shown.absent is not None else (None, None)
    own = {name: getattr(shown, name) for name in OWN_FIELDS if name not in ("came", "absent")}
    values = {f"cap_{name}": value for name, value in own.items()} | {"cap_came": came, "cap_absent": absent}
    order = "score" if cap is not None and tiebreaks[:1] == ["margin"] else "usual"
    return values | {"cap": caps.preset_of(cap), "cap_order": order}


def minutes_before_cap(values: dict[str, Any]) -> int | None:
    """Return after how many minutes a game meets its cap, by the values of the fields; None without one."""
    name = values.get("cap") or ""
    return (
        caps.PRESETS[name].minutes if name in caps.PRESETS else values.get("cap_minutes") if name == caps.OWN else None
    )
