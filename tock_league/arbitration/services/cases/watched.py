"""Cases that a head referee opens about a finished game whose result looks arranged."""

from datetime import timedelta

from django.utils.translation import gettext_lazy as _

from games.models import Game
from tock_league.accounts.models import Player
from tock_league.common import clock
from tock_league.common.errors import Refused
from tock_league.common.transactions import writing
from tock_league.competitions.models import Match
from tock_league.competitions.services.shared.locking import lock_match

from ...models import Case, Deadline
from . import deadlines, disputes, telling
from .calls import open_case


def open_watched(*, by: Player, match: Match, game: Game, text: str) -> Case:
    """Open a case of conduct about a finished game, by the head referee of the site, who may not decide it.

    The caller has checked the permission. Both sides may answer. Raises Refused `competition_over`, `game_running`;
    Conflict `case_open` while a dispute of the match is being decided.
    """
    with writing():
        locked = lock_match(match.pk)
        if locked.competition.state in disputes.CLOSED:
            raise Refused("competition_over", _("This competition is closed; its results stand."), field="game")
        if game.state != Game.State.OVER:
            raise Refused("game_running", _("The game is still being played."), field="game")
        disputes.one_at_a_time(locked)
        case = open_case(
            match=locked,
            game=game,
            seq=game.last_seq,
            kind=Case.Kind.CONDUCT,
            origin=Case.Origin.DISPUTE,
            by=by,
            side=None,
            text=text,
            role="head_referee",
        )
        times, now = deadlines.deadlines_of(case.competition), clock.now()
        heard_by = now + timedelta(seconds=times.answer)
        deadlines.start(case, Deadline.Kind.ANSWER, heard_by)
        deadlines.start(case, Deadline.Kind.RULING, heard_by + timedelta(seconds=times.ruling))
        telling.announced(case)
        return case
