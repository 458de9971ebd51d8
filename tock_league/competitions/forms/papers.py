"""Forms for results on paper and for matches that nobody plays."""

from collections.abc import Sequence
from typing import Any

from django import forms
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from ..core.caps import Asked, Cap
from ..core.sheets import CAPPED
from ..selectors.seasons.counting import Counting, reached_words
from .fields import reason_field

TIED = "tied"  # the choice for a tie among the winners


class AbsentForm(forms.Form):
    """The reason why a match is not played, from those that the reader may give."""

    what = forms.ChoiceField(label=_("What happened"), widget=forms.RadioSelect)
    reason = reason_field(required=True)

    def __init__(self, *args: Any, choices: Sequence[tuple[str, str]], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        field = self.fields["what"]
        assert isinstance(field, forms.ChoiceField)
        field.choices = list(choices)


class PaperForm(forms.Form):
    """The games of a match on paper: the winner of each and the lead, or under a time cap what each side reached."""

    def __init__(
        self,
        *args: Any,
        names: Sequence[str],
        best_of: int,
        asked: Asked,
        counting: Counting,
        picks: bool = False,  # whether the winners are radio buttons: one press instead of two
        **kwargs: Any,
    ) -> None:
        super().__init__(*args, **kwargs)
        self.best_of, self.asked, self.names = best_of, asked, names
        for number in range(1, best_of + 1):
            if asked.cap is not None:
                self._counts(number, asked.cap)
            else:
                self._lead(number, counting, picks=picks)
        self.fields["seen"] = forms.IntegerField(min_value=0, required=False, widget=forms.HiddenInput)

    def _lead(self, number: int, counting: Counting, *, picks: bool) -> None:
        winners: list[tuple[str, Any]] = [("", _("not played"))]
        winners += [(str(position), name) for position, name in enumerate(self.names)]
        # Translators: an answer to "Won by": the game was a tie, in ranks and in points.
        winners += [(TIED, _("nobody: tied in ranks and points"))] if self.asked.ties else []
        self.fields[f"winner_{number}"] = forms.ChoiceField(
            label=_("Game %(number)s won by") % {"number": number} if self.best_of > 1 else _("Won by"),
            choices=winners if number > 1 else winners[1:] if picks else [("", "—"), *winners[1:]],
            required=number == 1,
            widget=forms.RadioSelect if picks else forms.Select,
        )
        self.fields[f"margin_{number}"] = forms.IntegerField(
            label=str(counting.ahead),
            min_value=self.asked.least,
            max_value=self.asked.most,
            required=False,
            help_text=str(counting.help) if number == 1 else "",
        )

    def _counts(self, number: int, cap: Cap) -> None:
        words = {"number": number, "reached": reached_words(cap)}
        for position, name in enumerate(self.names):
            said = words | {"side": name}
            whole = (
                gettext("Game %(number)s, %(side)s: %(reached)s")
                if self.best_of > 1
                else gettext("%(side)s: %(reached)s")
            )
            first = number == 1 and position == 0
            self.fields[f"count_{number}_{position}"] = forms.IntegerField(
                label=whole % said,
                min_value=self.asked.least,
                max_value=self.asked.most,
                required=number == 1,
                help_text=gettext("%(most)s: the game is finished.") % {"most": self.asked.most} if first else "",
            )

    def game_fields(self, number: int) -> tuple[str, ...]:
        """Return the names of the fields of a game, in their order."""
        if self.asked.cap is not None:
            return tuple(f"count_{number}_{position}" for position in range(len(self.names)))
        return (f"winner_{number}", f"margin_{number}")

    def rows(self) -> list[list[forms.BoundField]]:
        """Return the fields of each game."""
        return [[self[name] for name in self.game_fields(number)] for number in range(1, self.best_of + 1)]

    def clean(self) -> dict[str, Any]:
        """Add `games`, those that were played, in order: (winner, lead), or under a time cap (None, 0, count, count).

        A gap between two games is refused, and so is a missing lead where the winners are always ahead, or one count
        without the other.
        """
        chosen = super().clean() or {}
        games: list[tuple[int | None, ...]] = []
        ended = False
        for number in range(1, self.best_of + 1):
            names = self.game_fields(number)
            if not any(chosen.get(name) not in (None, "") for name in names[: 1 if self.asked.cap is None else None]):
                ended = True
                continue
            if ended:
                self.add_error(names[0], _("The game before this one has no result."))
                break
            games.append(self._counted(number, chosen) if self.asked.cap is not None else self._led(number, chosen))
        chosen["games"] = games
        return chosen

    def _led(self, number: int, chosen: dict[str, Any]) -> tuple[int | None, ...]:
        winner, margin = chosen[f"winner_{number}"], chosen.get(f"margin_{number}")
        if margin is None and self.asked.least and f"margin_{number}" not in self.errors:
            self.add_error(f"margin_{number}", _("Say by how many the winners are ahead."))
        return (None if winner == TIED else int(winner), margin or 0)

    def _counted(self, number: int, chosen: dict[str, Any]) -> tuple[int | None, ...]:
        names = self.game_fields(number)
        for name in names:
            if chosen.get(name) is None and name not in self.errors:
                self.add_error(name, _("Say what each side has reached."))
        return (None, 0, *(chosen.get(name) or 0 for name in names))


def initial_games(games: Sequence[Sequence[int | None]]) -> dict[str, Any]:
    """Return the values of the form for games as core.sheets stores them."""
    values: dict[str, Any] = {}
    for number, game in enumerate(games, start=1):
        values[f"winner_{number}"] = TIED if game[0] is None else str(game[0])
        values[f"margin_{number}"] = game[1]
        if len(game) == CAPPED:
            values |= {f"count_{number}_{position}": game[2 + position] for position in (0, 1)}
    return values
