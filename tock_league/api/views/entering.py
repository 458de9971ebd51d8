"""What happens to an entry: players answer and check in, captains change the roster, organisers admit and refuse."""

from collections.abc import Callable
from typing import Any

from django.utils.translation import gettext_lazy as _
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.decorators import action
from rest_framework.request import Request
from rest_framework.response import Response

from tock_league.accounts import selectors as players
from tock_league.common.errors import Refused
from tock_league.competitions.core.leaving import HOWS
from tock_league.competitions.models import Entry
from tock_league.competitions.selectors.entries import registration as registrations
from tock_league.competitions.services.entries import answering, checkin, returning, rosters, withdrawals
from tock_league.competitions.services.entries import registration as service

from ..serializers import entering as told
from ..serializers.events import EntryRow
from .base import Endpoint
from .events import entry_of
from .writing import MANAGE, PLAY, deed, named, require_manage


class Entering(Endpoint):
    """What people do with an entry."""

    needs_login = True
    queryset = Entry.objects.none()
    serializer_class = EntryRow
    extra = {"leaving": ("how",)}

    @deed(told.Answer, EntryRow, PLAY)
    def answer(self, request: Request, slug: str) -> Response:
        """Confirm one's place on the roster, or decline it; a starter who declines takes the entry out."""
        entry, accept = self.entry(slug), self.asked(told.Answer)["accept"]
        return self.entry_after(slug, lambda: answering.answer(by=self.person, entry=entry, accept=accept))

    @deed(told.Presence, EntryRow, PLAY)
    def check_in(self, request: Request, slug: str) -> Response:
        """Check a player of the roster or the whole team in, or take that back: oneself, one's team, at the desk anybody."""
        entry, asked = self.own(slug), self.asked(told.Presence)
        if "player" not in asked and asked["here"]:
            return self.entry_after(slug, lambda: checkin.check_in_team(by=self.person, entry=entry))
        if "player" not in asked:
            raise Refused("required", _("Say which player is not here."), field="player")
        player = named(players.player, asked["player"], "player")
        act = checkin.check_in if asked["here"] else checkin.undo
        return self.entry_after(slug, lambda: act(by=self.person, entry=entry, player=player))

    @deed(told.Swap, EntryRow, PLAY)
    def substitute(self, request: Request, slug: str) -> Response:
        """Let a substitute play in the place of a starter."""
        entry, asked = self.own(slug), self.asked(told.Swap)
        leaves, comes = (named(players.player, asked[name], name) for name in ("leaves", "comes"))
        return self.entry_after(
            slug, lambda: rosters.substitute(by=self.person, entry=entry, leaves=leaves, comes=comes)
        )

    @deed(told.Addition, EntryRow, PLAY)
    def substitutes(self, request: Request, slug: str) -> Response:
        """Put a substitute of the team on the roster."""
        entry, asked = self.own(slug), self.asked(told.Addition)
        player = named(players.player, asked["player"], "player")
        return self.entry_after(slug, lambda: rosters.add_substitute(by=self.person, entry=entry, player=player))

    @deed(None, EntryRow, MANAGE)
    def admit(self, request: Request, slug: str) -> Response:
        """Let an entry in that waits, that is not confirmed, or that was dropped at the check-in."""
        entry = self.entry(slug)
        return self.entry_after(slug, lambda: service.admit(by=self.person, entry=entry))

    @deed(told.PublicReason, EntryRow, MANAGE)
    def refuse(self, request: Request, slug: str) -> Response:
        """Refuse an entry with a reason that everybody reads."""
        entry, asked = self.entry(slug), self.asked(told.PublicReason)
        return self.entry_after(slug, lambda: service.refuse(by=self.person, entry=entry, reason=asked["reason"]))

    @extend_schema(
        responses=told.Preview,
        parameters=[OpenApiParameter("how", str, enum=list(HOWS), description="By default withdrawal.")],
    )
    @action(detail=True, write_scope=PLAY)
    def leaving(self, request: Request, slug: str) -> Response:
        """Show what would change if the team left now; after the draw."""
        how = request.query_params.get("how", "withdrawal")
        return self.one(withdrawals.preview(by=self.person, entry=self.entry(slug), how=how))

    @deed(told.Leaving, EntryRow, PLAY)
    def leave(self, request: Request, slug: str) -> Response:
        """Withdraw the team, or disqualify it. After the draw with the digest of what `leaving` has shown."""
        entry, asked = self.own(slug), self.asked(told.Leaving)
        reason, drawn = asked.get("reason", ""), registrations.is_drawn(entry.competition)
        if not drawn and asked["how"] == "withdrawal":
            return self.entry_after(
                slug, lambda: service.withdraw_before_draw(by=self.person, entry=entry, reason=reason)
            )
        out = withdrawals.withdraw if asked["how"] == "withdrawal" else withdrawals.disqualify
        digest = asked.get("digest", "")
        return self.entry_after(slug, lambda: out(by=self.person, entry=entry, reason=reason, digest=digest))

    @extend_schema(responses=told.Preview)
    @action(detail=True, url_path="coming-back", url_name="coming-back", write_scope=MANAGE)
    def coming_back(self, request: Request, slug: str) -> Response:
        """Show what would change if a team that withdrew after the draw came back."""
        return self.one(returning.preview(by=self.person, entry=self.entry(slug)))

    @deed(told.Previewed, EntryRow, MANAGE, path="come-back")
    def come_back(self, request: Request, slug: str) -> Response:
        """Let a team that withdrew after the draw play on."""
        entry, asked = self.entry(slug), self.asked(told.Previewed)
        return self.entry_after(
            slug,
            lambda: returning.bring_back(by=self.person, entry=entry, reason=asked["reason"], digest=asked["digest"]),
        )

    # --- helpers -----------------------------------------------------------------------------------------------------

    def entry(self, slug: str) -> Entry:
        """Return the entry if the caller may see its competition."""
        return entry_of(slug, self.person)

    def own(self, slug: str) -> Entry:
        """Return the entry. A token without `manage` reaches only entries that concern its person as a player."""
        entry = self.entry(slug)
        own = registrations.own_entries(entry.competition, self.person)
        require_manage(self.request, unless=any(one.pk == entry.pk for one in own))
        return entry

    def entry_after(self, slug: str, act: Callable[[], Any]) -> Response:
        """Do `act` once and answer with the entry as it is then."""

        def both() -> Entry:
            act()
            return entry_of(slug)

        return self.done(both, EntryRow)

    def get_serializer_class(self) -> Any:
        return told.Preview if self.action in ("leaving", "coming_back") else EntryRow
