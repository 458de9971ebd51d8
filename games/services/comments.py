"""Comments of the players at the plays of their finished game."""

import unicodedata

from django.utils.translation import gettext_lazy as _

from games.models import Game, PlayComment, Table
from games.models.comment import COMMENT_LENGTH
from games.permissions import Person as Sitting
from games.permissions import seat_in
from games.selectors import alternatives
from games.selectors.plays import numbering
from tock_league.accounts import minors
from tock_league.accounts.models import Player
from tock_league.accounts.permissions import Person, require
from tock_league.common import limits
from tock_league.common.errors import Conflict, NotAllowed, Refused
from tock_league.common.transactions import writing
from tock_league.common.validation import checked

PER_GAME = 40  # comments of one person
PER_DAY = 100


def write(*, by: Player | None, game: Game, seq: int, text: str, line: str = "") -> PlayComment:
    """Keep a comment of a player who sat at the game, at the play of row `seq`; `line`: a play thought better.

    Raises NotAllowed for anybody else, Conflict `running` while this game or another one of its match runs (a comment could
    tell the partner something), and Refused naming the field: `no_play`, `no_alternative` (it could not be played there),
    `blank`, `too_long`, those of the text's rules, `too_many` (40 a game), `too_many_today` (100), and `consent_missing`.
    """
    if by is None or seat_in(game, Sitting(player_id=by.pk)) is None:
        raise NotAllowed(_("Those who played this game write comments."), needed="player of the game")
    minors.require_consent(by.pk, field="text")
    text = " ".join(unicodedata.normalize("NFC", text).split())
    if not text:
        raise Refused("blank", _("Type a comment."), field="text")
    if len(text) > COMMENT_LENGTH:
        raise Refused(
            "too_long", _("A comment has at most %(most)d characters.") % {"most": COMMENT_LENGTH}, field="text"
        )
    with writing():
        table = Table.objects.select_for_update().get(pk=game.table_id)
        if game.state != Game.State.OVER or table.state in (Table.State.OPEN, Table.State.PLAYING):
            raise Conflict("running", _("Comments are written when the match is over."))
        if not numbering(game).is_play(seq):
            raise Refused("no_play", _("There is no play here."), field="seq")
        if line and line not in alternatives.of_play(game, seq):
            raise Refused("no_alternative", _("This could not be played here."), field="line")
        if PlayComment.objects.filter(game=game, player=by).count() >= PER_GAME:
            raise Refused(
                "too_many", _("At most %(most)d comments a game. Delete one first.") % {"most": PER_GAME}, field="text"
            )
        comment = checked(PlayComment(game=game, player=by, seq=seq, text=text, line=line))
        limits.spend_of_day(
            by, "comments", count=PER_DAY, sentence=_("That were many comments for one day. Go on tomorrow.")
        )
        comment.save()
    return comment


def remove(*, by: Person, comment: PlayComment) -> None:
    """Delete a comment: its writer may, and who looks after a club of the writer's. Nothing of it is kept."""
    with writing():
        require(by, "comment.remove", comment.player, needed="author or club officer")
        PlayComment.objects.filter(pk=comment.pk).delete()
