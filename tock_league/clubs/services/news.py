"""News of a club: a short text that its officers and organisers send to its members."""

from datetime import timedelta

from django.conf import settings
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from tock_league.accounts.models import Player
from tock_league.accounts.permissions import Person, label, require
from tock_league.common import clock
from tock_league.common.errors import NotThere, Refused
from tock_league.common.transactions import writing
from tock_league.common.validation import checked
from tock_league.journal.services import OPEN, record
from tock_league.notices.services import tell, tell_withdrawn

from ..models import Club, ClubNews, Membership

KIND = "club_news"
DAY = timedelta(days=1)


def send_news(*, by: Person, club: Club, text: str) -> ClubNews:
    """Send a text to all members of the club; return it. What was sent within the last day is not sent again: a double click.

    Raises NotAllowed; Refused: `too_many_news` after NEWS_PER_DAY of the club in 24 hours, and those of `text`.
    """
    words = " ".join(text.split())
    with writing():
        club = Club.objects.select_for_update().get(pk=club.pk)
        require(by, "club.news", club, needed="club_officer")
        author = by if isinstance(by, Player) else None
        news = checked(ClubNews(club=club, by=author, text=words, at=clock.now()))
        recent = ClubNews.objects.filter(club=club, at__gt=clock.now() - DAY)
        same = recent.filter(text=words).first()
        if same is not None:
            return same
        if recent.count() >= settings.NEWS_PER_DAY:
            raise Refused(
                "too_many_news",
                _("The club has sent %(count)s news within a day. Wait until tomorrow.")
                % {"count": settings.NEWS_PER_DAY},
                field="text",
                status=429,
            )
        news.save()
        record(OPEN, "club.news_sent", actor=label(by), body={"club": club.slug, "news": news.slug})
        members = Membership.objects.filter(club=club, until__isnull=True).values_list("player", flat=True)
        tell(
            [player for player in members if author is None or player != author.pk],
            KIND,
            news.slug,
            address=reverse("clubs:news", args=[club.slug]),
            club=club.slug,
            news=news.slug,
        )
        return news


def remove_news(*, by: Person, club: Club, slug: str) -> None:
    """Delete a text, with the notices of it; mails that have left stay. NotThere for one of another club."""
    with writing():
        require(by, "club.news", club, needed="club_officer")
        deleted, _by_model = ClubNews.objects.filter(club=club, slug=slug).delete()
        if not deleted:
            raise NotThere
        tell_withdrawn(KIND, slug)
