from django.utils.translation import gettext_lazy as _

from .kind import Kind

KINDS = (
    Kind(
        "club_news",
        label=_("A club of mine sends news"),
        title=_("News of %(club)s"),
        sentence="%(news)s",  # the club's own words, read when the notice is shown
        things={"club": "club", "news": "news"},
    ),
)
