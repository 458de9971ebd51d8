"""What a person may choose for the tables' pages: one registry, from which dialog, script and service are fed."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from games.models import TablePreferences
from tock_league.common.errors import Refused, Text

OFF, ON = "off", "on"
Group = Literal["sound", "motion", "look", "play"]
GROUPS: dict[Group, Text] = {
    "sound": _("Sound and vibration"),
    "motion": _("Motion"),
    "look": _("Cards and marbles"),
    "play": pgettext_lazy("settings", "Playing"),
}


@dataclass(frozen=True, slots=True)
class Setting:
    """A setting: its name, its values with their words, and where it means something.

    The page writes the value as `data-<name>` on its root, where style sheets and scripts read it; the attribute is absent
    while nothing was chosen, which means `default`. A setting without `words` is a switch between off and on.
    """

    name: str
    group: Group
    label: Text
    default: str
    words: Mapping[str, Text] | None = None
    note: Text = ""
    family: str = ""  # the one family of games that has it; "": all
    seated: bool = False  # whether it concerns players at their own seat alone

    @property
    def values(self) -> tuple[str, ...]:
        """Return the values that may be chosen, in the order of the dialog."""
        return tuple(self.words) if self.words is not None else (OFF, ON)


SETTINGS = (
    Setting("sound", "sound", _("Sound"), OFF, note=_("A browser lets a page sound after your first press in it.")),
    Setting(
        "volume", "sound", _("Volume"), "75",
        {"25": pgettext_lazy("volume", "soft"), "50": pgettext_lazy("volume", "medium"),
         "75": pgettext_lazy("volume", "loud"), "100": pgettext_lazy("volume", "very loud")},
    ),
    Setting(
        "vibration", "sound", _("Vibration"), OFF,
        note=_("When it is your turn, and when your time runs low."), seated=True,
    ),
    Setting(
        "speed", "motion", _("Speed"), "normal",
        {"slow": pgettext_lazy("speed", "slow"), "normal": pgettext_lazy("speed", "normal"),
         "fast": pgettext_lazy("speed", "fast")},
        note=_("Slow: what a bot plays also stays a moment before the next play."),
    ),
    Setting("still", "motion", _("Reduce motion"), OFF, note=_("Nothing moves by itself. Your device may ask for it too.")),
    Setting("colours", "look", _("Four-colour cards"), OFF, note=_("Each suit has its own colour.")),
    Setting("words", "look", _("Words on cards"), ON, family="tock"),
    Setting("letters", "look", _("Letters on marbles"), ON),
    Setting(
        "turned", "look", _("Own seat at the bottom"), ON, family="tock", seated=True,
        note=_("Off: seat A is at the bottom."),
    ),
    Setting(
        "confirm", "play", _("Ask before a move is released"), OFF, family="tock", seated=True,
        note=_("Where a touched card binds, the move is otherwise released when you press its target."),
    ),
    Setting(
        "phrases", "play", _("Show phrases"), ON,
        note=_("What players say before the first deal and after the end."),
    ),
)  # fmt: skip
BY_NAME = {setting.name: setting for setting in SETTINGS}


def offered(family: str, *, seated: bool) -> list[Setting]:
    """Return the settings that a page of the family has, in the order of the dialog. `seated`: for a player at a seat."""
    return [one for one in SETTINGS if one.family in ("", family) and (seated or not one.seated)]


def checked(chosen: object) -> dict[str, str]:
    """Return `chosen` when it maps names of settings to values of theirs.

    Raises Refused with the rule as code: `object`, `unknown_setting`, `unknown_value`. The field is `settings` for the
    first, else the name of the setting.
    """
    if not isinstance(chosen, dict) or not chosen:
        raise Refused("object", _("Send an object with the settings to change."), field="settings")
    for name, value in chosen.items():
        setting = BY_NAME.get(name)
        if setting is None:
            raise Refused("unknown_setting", _("There is no such setting."), field=name[:40])
        if value not in setting.values:
            allowed = ", ".join(setting.values)
            raise Refused("unknown_value", _("Allowed: %(values)s.") % {"values": allowed}, field=name)
    return chosen


def of(user: Any) -> dict[str, str]:
    """Return what the login's player has chosen, by name; {} for a visitor. A value that no setting has any more is left
    out. One query for somebody who has signed in.
    """
    if not user.is_authenticated:
        return {}
    kept = TablePreferences.objects.filter(player__user=user).values_list("chosen", flat=True).first()
    return {name: value for name, value in (kept or {}).items() if name in BY_NAME and value in BY_NAME[name].values}


def lessons_of(user: Any) -> list[str]:
    """Return the names of the lessons that the login's player has finished; [] for a visitor. One query for somebody who
    has signed in.
    """
    if not user.is_authenticated:
        return []
    return list(TablePreferences.objects.filter(player__user=user).values_list("lessons", flat=True).first() or [])
