"""Talk after a game: say, mute, report, and what the moderators decide. Nothing of it is ever said during a game."""

from django.utils.translation import gettext_lazy as _

from games.models import Game
from tock_league.accounts.minors import is_child
from tock_league.accounts.models import Player
from tock_league.accounts.permissions import Person, player_who_asks, require
from tock_league.common import clock
from tock_league.common.errors import Conflict, NotAllowed, Refused
from tock_league.common.limits import spend_of_day
from tock_league.common.transactions import writing
from tock_league.common.validation import checked

from ...models import TalkLine, TalkMute, TalkReport
from ...selectors.results.talk import is_open, players_of, plays_now

LINES_MOST = 30  # of one person after one game
LINES_PER_DAY = 200
REPORTS_PER_DAY = 30
MUTES_MOST = 200
TOO_MANY = _("You have done this often today. Come back tomorrow.")


def say(*, by: Person, game: Game, text: str) -> TalkLine:
    """Return a new line of somebody who played the game.

    Raises NotAllowed for everybody else; Conflict `talk_closed` before the end of the match or meeting, a week after it, and
    where the club has closed it, `talk_playing` while the person is in another game; Refused on `text`, `child_talk`,
    `lines_most`.
    """
    with writing():
        person = _who_played(by, game)
        Player.objects.select_for_update().get(pk=person.pk)  # the limit holds for concurrent requests
        if not is_open(game):
            raise Conflict("talk_closed", _("There is no talk after this game, or not any more."))
        if plays_now(person):
            raise Conflict("talk_playing", _("You are in a game now: the talk waits until it is over."))
        if TalkLine.objects.filter(game=game, player=person).count() >= LINES_MOST:
            raise Refused(
                "lines_most",
                _("You have written %(most)d lines after this game, which is the most.") % {"most": LINES_MOST},
                field="text",
            )
        row = TalkLine(game=game, player=person, text=" ".join(text.split()), at=clock.now())
        checked(row)
        spend_of_day(person, "talk", count=LINES_PER_DAY, sentence=TOO_MANY)
        row.save()
        return row


def mute(*, by: Person, player: Player) -> None:
    """Hide from the person asking what `player` says after games. Idempotent. Raises Refused for oneself, `mutes_most`."""
    with writing():
        person = player_who_asks(by)
        if person.pk == player.pk:
            raise Refused("self_muted", _("You cannot mute yourself."))
        own = TalkMute.objects.filter(player=person)
        if not own.filter(muted=player).exists() and own.count() >= MUTES_MOST:
            raise Refused("mutes_most", _("You mute very many people. Unmute somebody first."))
        TalkMute.objects.get_or_create(player=person, muted=player)


def unmute(*, by: Person, player: Player) -> None:
    """Show again what `player` says. Idempotent."""
    with writing():
        TalkMute.objects.filter(player=player_who_asks(by), muted=player).delete()


def report(*, by: Person, line: TalkLine) -> TalkReport:
    """Report a line of somebody else to the moderators. Idempotent. Raises Refused `own_line`."""
    with writing():
        person = _who_played(by, line.game)
        if line.player_id == person.pk:
            raise Refused("own_line", _("This is your own line."))
        known = TalkReport.objects.filter(line=line, by=person).first()
        if known is not None:
            return known
        spend_of_day(person, "talk-report", count=REPORTS_PER_DAY, sentence=TOO_MANY)
        return TalkReport.objects.create(line=line, by=person, at=clock.now())


def decide(*, by: Person, report: TalkReport, keep: bool) -> None:
    """Keep the reported line or remove it; every report of the line is answered. Raises Conflict `report_decided`."""
    with writing():
        line = TalkLine.objects.select_for_update(of=("self",)).select_related("game__table").get(pk=report.line_id)
        require(by, "talk.moderate", line.game, needed="club_officer")
        waiting = TalkReport.objects.filter(line=line, kept__isnull=True)
        if not waiting.filter(pk=report.pk).exists():
            raise Conflict("report_decided", _("Somebody has decided about this line already."))
        now = clock.now()
        if not keep:
            line.removed_at = now
            line.save(update_fields=["removed_at"])
        waiting.update(kept=keep, handled_by=by if isinstance(by, Player) else None, handled_at=now)


def _who_played(by: Person, game: Game) -> Player:
    require(by, "talk.say", game, needed="player")
    person = player_who_asks(by)
    if not players_of(game).filter(pk=person.pk).exists():  # an administrator, who passes every rule
        raise NotAllowed(needed="player")
    if is_child(person):
        raise Refused("child_talk", _("Talk after games is for people of 14 years and more."))
    return person
