from django.db import models
from django.utils.translation import gettext_lazy as _

from tock_league.accounts.models import Player, plain_text
from tock_league.common.models import Stamped
from tock_league.common.validation import no_markup

from .game import Game

COMMENT_LENGTH = 500
LINE_LENGTH = 80  # of a play in notation


class PlayComment(Stamped):
    """What a player of a finished game wrote about one of its plays. Free text of a person: see `games.people`."""

    game = models.ForeignKey(Game, on_delete=models.CASCADE, related_name="comments")
    player = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="play_comments")
    seq = models.PositiveIntegerField()  # of the play's row
    text = models.CharField(_("comment"), max_length=COMMENT_LENGTH, validators=[plain_text, no_markup])
    # A play that the writer thinks better, in notation; empty: none.
    line = models.CharField(max_length=LINE_LENGTH, blank=True, default="")

    class Meta:
        indexes = [models.Index(fields=["game", "seq"], name="comment_of_play")]
        constraints = [models.CheckConstraint(condition=models.Q(seq__gte=1), name="comment_from_one")]

    def __str__(self) -> str:
        return f"comment {self.pk}"  # never its text
