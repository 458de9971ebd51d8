"""Forms for results on paper and for matches that nobody plays."""

from collections.abc import Sequence
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from ..selectors.seasons.counting import Counting
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
    """The games of a match on paper: the winner of each and the margin, in the units of `counting`."""

    def __init__(
        self,
        *args: Any,
        names: Sequence[str],
        best_of: int,
        ahead: tuple[int, int],  # the least and the greatest margin
        counting: Counting,
        ties: bool = False,  # whether a tie is one of the choices
        picks: bool = False,  # whether the winners are radio buttons: one press instead of two
        **kwargs: Any,
    ) -> None:
        super().__init__(*args, **kwargs)
        self.best_of = best_of
        self.least, most = ahead
        winners: list[tuple[str, Any]] = [("", _("not played"))]
        winners += [(str(position), name) for position, name in enumerate(names)]
        # Translators: an answer to "Won by": the game was a tie, in ranks and in points.
        winners += [(TIED, _("nobody: tied in ranks and points"))] if ties else []
        for number in range(1, best_of + 1):
            self.fields[f"winner_{number}"] = forms.ChoiceField(
                label=_("Game %(number)s won by") % {"number": number} if best_of > 1 else _("Won by"),
                choices=winners if number > 1 else winners[1:] if picks else [("", "—"), *winners[1:]],
                required=number == 1,
                widget=forms.RadioSelect if picks else forms.Select,
            )
            self.fields[f"margin_{number}"] = forms.IntegerField(
                label=str(counting.ahead),
                min_value=self.least,
                max_value=most,
                required=False,
                help_text=str(counting.help) if number == 1 else "",
            )
        self.fields["seen"] = forms.IntegerField(min_value=0, required=False, widget=forms.HiddenInput)

    def rows(self) -> list[tuple[forms.BoundField, forms.BoundField]]:
        """Return the two fields of each game."""
        return [(self[f"winner_{number}"], self[f"margin_{number}"]) for number in range(1, self.best_of + 1)]

    def clean(self) -> dict[str, Any]:
        """Add `games`: (winner, margin) of each game played, in order.

        A gap between two games is refused, and so is a missing margin where the winners are always ahead.
        """
        chosen = super().clean() or {}
        games: list[tuple[int | None, int]] = []
        ended = False
        for number in range(1, self.best_of + 1):
            winner = chosen.get(f"winner_{number}")
            if not winner:
                ended = True
                continue
            if ended:
                self.add_error(f"winner_{number}", _("The game before this one has no result."))
                break
            margin = chosen.get(f"margin_{number}")
            if margin is None and self.least and f"margin_{number}" not in self.errors:
                self.add_error(f"margin_{number}", _("Say by how many the winners are ahead."))
            games.append((None if winner == TIED else int(winner), margin or 0))
        chosen["games"] = games
        return chosen
