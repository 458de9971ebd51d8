"""From the body of a ruling to a decision: the choices and the checks are those of the page's form."""

from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext_lazy as _
from rest_framework import serializers

from tock_league.accounts.models import Player
from tock_league.accounts.permissions import can, require
from tock_league.arbitration.core.decisions import Decision
from tock_league.arbitration.forms import DecisionForm
from tock_league.arbitration.models import Case
from tock_league.arbitration.selectors.rulings import options
from tock_league.competitions.forms.papers import TIED

from ..serializers.settings import cleaned
from .cases import CaseEndpoint


class Deciding(CaseEndpoint):
    """What the endpoints of rulings share."""

    def judged(self, number: str) -> Case:
        """Return the case for those who judge it. Raises NotAllowed for its parties."""
        case = self.case(number)
        if not can(self.person, "case.vote", case):
            require(self.person, "case.take", case, needed="referee")
        return case

    def form(self, case: Case, data: Mapping[str, Any] | None = None) -> DecisionForm:
        """Return the form of a ruling, as the page of the case has it."""
        return DecisionForm(data, options=options.options(case, self.person))

    def offered(self, case: Case) -> list[dict[str, str]]:
        """Return each choice of the form, players by their slugs."""
        form = self.form(case)
        players = {str(one.pk): one.slug for one in self.players(case)}
        found = []
        for name, field in form.fields.items():
            for value, text in getattr(field, "choices", ()):
                key = players.get(str(value), str(value)) if name == "offender" else str(value)
                if key and not name.startswith("winner_"):
                    found.append({"field": name, "value": key, "text": str(text)})
        return found

    def players(self, case: Case) -> Any:
        """Return the players of the case's match."""
        return Player.objects.filter(pk__in=[one.id for one in options.options(case, self.person).players])

    def typed(self, case: Case, asked: Mapping[str, Any]) -> dict[str, Any]:
        """Return the values of the page's form for a body. Raises ValidationError for a player who is not of the match."""
        data = {name: value for name, value in asked.items() if name not in ("games", "rules", "offender")}
        data["rules"] = ", ".join(asked.get("rules", ()))
        if "offender" in asked:
            known = {one.slug: one.pk for one in self.players(case)}
            if asked["offender"] not in known:
                raise serializers.ValidationError({"offender": [_("Choose a player of the match.")]})
            data["offender"] = known[asked["offender"]]
        for number, game in enumerate(asked.get("games", ()), start=1):
            if "counts" in game:
                data |= {f"count_{number}_{position}": count for position, count in enumerate(game["counts"])}
                continue
            data[f"winner_{number}"] = TIED if game.get("winner") is None else game["winner"]
            data[f"margin_{number}"] = game.get("margin", 0)
        return data

    def decision(self, case: Case, asked: Mapping[str, Any]) -> Decision:
        """Return the decision of a body, checked by the page's form. Raises ValidationError naming the fields."""
        data = self.typed(case, asked)
        form = self.form(case, data)
        useless = sorted(name for name in data if name not in form.fields)
        if useless:
            text = _("This does not belong to a ruling of this case now.")
            raise serializers.ValidationError({useless[0]: [text]})
        cleaned(form, {})
        return form.decision()
