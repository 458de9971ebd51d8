"""One sentence to everybody in the hall."""

from django.utils.translation import gettext_lazy as _

from tock_league.accounts.permissions import Person, require
from tock_league.common import clock
from tock_league.common.errors import Refused
from tock_league.common.transactions import writing
from tock_league.common.validation import checked
from tock_league.competitions.models import Competition
from tock_league.competitions.services.shared.journal import note
from tock_league.competitions.services.shared.locking import lock_competition
from tock_league.competitions.services.shared.telling import fact

from ..announcements import SAID
from ..models import TEXT_LENGTH, Announcement
from .shared import refuse_without_hall


def announce(*, by: Person, competition: Competition, text: str) -> Announcement:
    """Show the sentence on every screen and phone in place of the last one. The same sentence again changes nothing.

    Raises Refused on `text`. The journal keeps the words where they can be erased: they may name somebody.
    """
    text = " ".join(text.split())
    if not text or len(text) > TEXT_LENGTH:
        said = _("Write a sentence of at most %(most)s letters.") % {"most": TEXT_LENGTH}
        raise Refused("text", said, field="text")
    with writing():
        held = lock_competition(competition.pk, changes=False)
        require(by, "hall.set_up", held, needed="organiser")
        refuse_without_hall(held)
        last = Announcement.objects.filter(competition=held).first()
        if last is not None and last.text == text:
            return last
        made = last or Announcement(competition=held)
        made.text, made.at = text, clock.now()
        checked(made).save()
        note(held, "hall.announced", by, reason=text)
        fact(SAID, held)
        return made


def end(*, by: Person, competition: Competition) -> None:
    """Take the sentence away. Idempotent."""
    with writing():
        held = lock_competition(competition.pk, changes=False)
        require(by, "hall.set_up", held, needed="organiser")
        if Announcement.objects.filter(competition=held).delete()[0]:
            fact(SAID, held)
