"""Results on paper, and matches that nobody plays."""

from collections.abc import Sequence
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from .fields import reason_field


class AbsentForm(forms.Form):
    """Why a match is not played, of what is possible for who asks."""

    what = forms.ChoiceField(label=_("What happened"), widget=forms.RadioSelect)
    reason = reason_field(required=True)

    def __init__(self, *args: Any, choices: Sequence[tuple[str, str]], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        field = self.fields["what"]
        assert isinstance(field, forms.ChoiceField)
        field.choices = list(choices)


class PaperForm(forms.Form):
    """The games of a match on paper: who won each, and by how many of at most `marbles`."""

    def __init__(self, *args: Any, names: Sequence[str], best_of: int, marbles: int, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.best_of = best_of
        winners = [("", _("not played")), *((str(position), name) for position, name in enumerate(names))]
        for number in range(1, best_of + 1):
            self.fields[f"winner_{number}"] = forms.ChoiceField(
                label=_("Game %(number)s won by") % {"number": number} if best_of > 1 else _("Won by"),
                choices=winners if number > 1 else [("", "—"), *winners[1:]],
                required=number == 1,
            )
            self.fields[f"margin_{number}"] = forms.IntegerField(
                label=_("Marbles ahead"),
                min_value=0,
                max_value=marbles,
                required=False,
                help_text=_("Marbles in heaven: the winners' less the losers'.") if number == 1 else "",
            )
        self.fields["seen"] = forms.IntegerField(min_value=0, required=False, widget=forms.HiddenInput)

    def rows(self) -> list[tuple[forms.BoundField, forms.BoundField]]:
        """The two fields of each game."""
        return [(self[f"winner_{number}"], self[f"margin_{number}"]) for number in range(1, self.best_of + 1)]

    def clean(self) -> dict[str, Any]:
        """Add `games`: (winner, margin) of each game played, in order; a gap between two games is refused."""
        chosen = super().clean() or {}
        games: list[tuple[int, int]] = []
        ended = False
        for number in range(1, self.best_of + 1):
            winner = chosen.get(f"winner_{number}")
            if not winner:
                ended = True
                continue
            if ended:
                self.add_error(f"winner_{number}", _("The game before this one has no result."))
                break
            games.append((int(winner), chosen.get(f"margin_{number}") or 0))
        chosen["games"] = games
        return chosen
