"""Running a tournament: its settings, its next step, its states, seeds and ties. Only its organisers may."""

from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework.decorators import action
from rest_framework.request import Request
from rest_framework.response import Response

from tock_league.accounts.permissions import require
from tock_league.common.errors import NotThere, Refused
from tock_league.competitions.forms.announcing import values_of
from tock_league.competitions.forms.settings import tournament_initial
from tock_league.competitions.models import Competition, Entry, Group
from tock_league.competitions.selectors.rounds import progress
from tock_league.competitions.selectors.seasons import competitions, next_step
from tock_league.competitions.services.entries import seeding
from tock_league.competitions.services.rounds import draw, ties
from tock_league.competitions.services.seasons import countdown, lifecycle, steps, tournaments

from ..paging import Whole
from ..serializers import events
from ..serializers import organising as told
from ..serializers import settings as form
from .base import Endpoint
from .writing import MANAGE, deed, takes


class Organising(Endpoint):
    """What the organisers of a tournament do."""

    needs_login = True
    queryset = Competition.objects.none()
    serializer_class = events.CompetitionPage

    @extend_schema(responses=form.SettingsTold)
    @action(detail=True, url_path="settings", url_name="settings", write_scope=MANAGE)
    def chosen(self, request: Request, slug: str) -> Response:
        """Show the settings of a tournament to its organisers."""
        return self.one(form.told(tournament_initial(self.planned(slug))))

    @takes(form.Change, form.SettingsTold)
    @chosen.mapping.patch
    def change_settings(self, request: Request, slug: str) -> Response:
        """Change settings before the draw."""
        made = self.planned(slug)
        chosen = form.chosen(self.asked(form.Change), tournament_initial(made), by=self.person)

        def act() -> Any:
            try:
                edited = tournaments.edit(by=self.person, competition=made, **values_of(chosen))
            except Refused as error:
                raise form.renamed(error) from None
            return form.told(tournament_initial(edited))

        return self.done(act, form.SettingsTold)

    @extend_schema(responses=told.NextStep)
    @action(detail=True, write_scope=MANAGE)
    def step(self, request: Request, slug: str) -> Response:
        """Show what is next in a tournament, or what it waits for."""
        return self.one(next_step.next_step(self.planned(slug)))

    @takes(told.StepTaken, told.NextStep)
    @step.mapping.post
    def take_step(self, request: Request, slug: str) -> Response:
        """Do the next step: announce, open and close the entries, close the check-in, draw, start, open a round, finish.

        Answers with the step after it.
        """
        made, asked = self.planned(slug), self.asked(told.StepTaken)
        relaxed = [(pair[0], pair[1]) for pair in asked.get("relaxed", ())]

        def act() -> next_step.Step:
            steps.take(by=self.person, competition=made, code=asked["code"], relaxed=relaxed)
            return next_step.next_step(competitions.get(slug, self.person))

        return self.done(act, told.NextStep)

    @deed(told.Countdown, told.NextStep, MANAGE)
    def countdown(self, request: Request, slug: str) -> Response:
        """Begin the start or the next round after some minutes; every page shows the countdown. Answers with the next step."""
        made, asked = self.planned(slug), self.asked(told.Countdown)

        def act() -> next_step.Step:
            countdown.begin(by=self.person, competition=made, **asked)
            return next_step.next_step(competitions.get(slug, self.person))

        return self.done(act, told.NextStep)

    @deed(None, told.NextStep, MANAGE)
    def cancel_countdown(self, request: Request, slug: str) -> Response:
        """End the countdown without its step. Answers with the next step."""
        made = self.planned(slug)

        def act() -> next_step.Step:
            countdown.cancel(by=self.person, competition=made)
            return next_step.next_step(competitions.get(slug, self.person))

        return self.done(act, told.NextStep)

    @deed(told.NextState, events.CompetitionPage, MANAGE)
    def state(self, request: Request, slug: str) -> Response:
        """Move a competition to another state, for example cancel it; also a league or a club night."""
        made, asked = competitions.get(slug, self.person), self.asked(told.NextState)

        def act() -> Competition:
            lifecycle.advance(by=self.person, competition=made, to=asked["to"], reason=asked.get("reason", ""))
            return competitions.get(slug, self.person)

        return self.done(act, events.CompetitionPage)

    @deed(told.Seeds, told.Seeded, MANAGE)
    def seeds(self, request: Request, slug: str) -> Response:
        """Put the entries that would be drawn now in order; answers with that order."""
        made, asked = self.planned(slug), self.asked(told.Seeds)
        order = self.in_order(made, asked["order"]) if "order" in asked else None

        def act() -> dict[str, Any]:
            return {"entries": seeding.seed(by=self.person, competition=made, how=asked["how"], order=order)}

        return self.done(act, told.Seeded)

    @deed(None, told.NextStep, MANAGE)
    def take_back_draw(self, request: Request, slug: str) -> Response:
        """Take the draw back before the start."""
        made = self.planned(slug)

        def act() -> next_step.Step:
            draw.discard(by=self.person, competition=made)
            return next_step.next_step(competitions.get(slug, self.person))

        return self.done(act, told.NextStep)

    @extend_schema(responses=told.Tie(many=True), filters=False)
    @action(detail=True, pagination_class=Whole, write_scope=MANAGE, serializer_class=told.Tie)
    def ties(self, request: Request, slug: str) -> Response:
        """List the ties that somebody must settle before the tournament goes on."""
        made = self.planned(slug)
        names = {entry.pk: entry for entry in made.entries.select_related("team", "player")}
        return self.whole(
            [
                {"group": tie.group.name, "entries": [names[pk] for pk in tie.entries], "ways": tie.ways}
                for tie in progress.ties(made)
            ]
        )

    @takes(told.TieSettled, told.NextStep)
    @ties.mapping.post
    def settle_tie(self, request: Request, slug: str) -> Response:
        """Settle a tie; answers with the next step."""
        made, asked = self.planned(slug), self.asked(told.TieSettled)
        found = Group.objects.filter(stage__competition=made, name=asked["group"]).select_related("stage")
        tied = {tie.group.pk for tie in progress.ties(made)}
        group = next((one for one in found if one.pk in tied), None) or found.first()
        if group is None:
            raise NotThere

        def act() -> next_step.Step:
            ties.settle_tie(
                by=self.person,
                group=group,
                order=self.in_order(made, asked.get("order", ())),
                how=asked["how"],
                reason=asked.get("reason", ""),
            )
            return next_step.next_step(competitions.get(slug, self.person))

        return self.done(act, told.NextStep)

    # --- helpers -----------------------------------------------------------------------------------------------------

    def planned(self, slug: str) -> Competition:
        """Return the tournament that the caller organises. Raises NotThere for a competition without a plan."""
        found = competitions.get(slug, self.person)
        require(self.person, "competition.organise", found, needed="organiser")
        if not found.is_planned:
            raise NotThere
        return found

    def in_order(self, made: Competition, slugs: Any) -> list[Entry]:
        """Return the entries of these slugs, in their order. Raises NotThere for another one."""
        known = {entry.slug: entry for entry in made.entries.filter(slug__in=list(slugs))}
        if missing := [slug for slug in slugs if slug not in known]:
            error = NotThere()
            error.field, error.details = "order", {"slug": missing[0]}
            raise error
        return [known[slug] for slug in slugs]

    def get_serializer_class(self) -> Any:
        return {
            "chosen": form.SettingsTold,
            "step": told.NextStep,
            "ties": told.Tie,
        }.get(self.action, events.CompetitionPage)
