"""News of a club: a short text that its officers and organisers send to its members."""

from datetime import timedelta

from django.conf import settings
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from tock_league.accounts.models import Player
from tock_league.accounts.permissions import Person, label, require
from tock_league.common import clock
from tock_league.common.errors import NotThere, Refused
from tock_league.common.limits import spend_of_day
from tock_league.common.transactions import writing
from tock_league.common.validation import checked
from tock_league.journal.services import OPEN, record
from tock_league.notices.services import tell, tell_withdrawn

from ..models import Club, ClubNews, Membership

KIND = "club_news"
DAY = timedelta(days=1)


def send_news(*, by: Person, club: Club, text: str) -> ClubNews:
    """Send a text to all members of the club; return it. What was sent within the last day is not sent again: a double click.

    Raise NotAllowed; Refused: `too_many_news` after NEWS_PER_DAY of the club in 24 hours, `too_many_today` where some of them
    were deleted meanwhile, and those of `text`.
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
        most = settings.NEWS_PER_DAY
        too_many = _("The club has sent %(count)s news within a day. Wait until tomorrow.") % {"count": most}
        if recent.count() >= most:
            raise Refused("too_many_news", too_many, field="text", status=429)
        spend_of_day(club, "club-news", count=most, sentence=too_many)  # counts what was deleted too
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
    """Delete a text, with the notices of it; mails that have left stay. Raise NotThere for one of another club."""
    with writing():
        require(by, "club.news", club, needed="club_officer")
        news = ClubNews.objects.filter(club=club, slug=slug).first()
        if news is None:
            raise NotThere
        withdraw(news)


def withdraw(news: ClubNews) -> None:
    """Delete a text and the notices of it; call it inside `writing()`."""
    tell_withdrawn(KIND, news.slug)
    news.delete()
