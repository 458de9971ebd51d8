"""All URL patterns. Each app has its own; the order matters only where two patterns could match."""

from django.conf import settings
from django.contrib import admin
from django.urls import URLResolver, include, path
from django.views.i18n import JavaScriptCatalog

from tock_league.accounts import urls as accounts
from tock_league.accounts.views.language import choose
from tock_league.accounts.views.signup import SignUp
from tock_league.people import urls as people


def admin_pages(where: str) -> list[URLResolver]:
    """Return the pages of the admin below `where`, with or without slashes around it; none for an empty text."""
    where = where.strip().strip("/")
    return [path(f"{where}/", admin.site.urls)] if where else []


urlpatterns = [
    path("", include("tock_league.common.urls")),
    path("", include("tock_league.pages.urls")),
    # The pages of `people` belong to the profile; `accounts` may not import them.
    path("", include(([*accounts.urlpatterns, *people.urlpatterns], accounts.app_name))),
    path("", include("tock_league.notices.urls")),
    path("", include("tock_league.clubs.urls")),
    path("", include("tock_league.competitions.urls")),
    path("", include("tock_league.arbitration.urls")),
    path("", include("tock_league.journal.urls")),
    path("", include("tock_league.incidents.urls")),
    path("", include("tock_league.integrity.urls")),
    path("", include("tock_league.calendars.urls")),
    path("", include("tock_league.exports.urls")),
    path("", include("tock_league.imports.urls")),
    path("", include("tock_league.newcomers.urls")),
    path("", include("tock_league.feed.urls")),
    path("", include("tock_league.hall.urls")),
    path("", include("tock_league.webhooks.urls")),
    path("", include("tock_league.oauth.urls")),
    path("", include("games.urls")),
    path("", include("ratings.urls")),
    path("api/v1/", include("tock_league.api.urls")),
    path("accounts/signup/", SignUp.as_view(), name="account_signup"),  # before allauth's
    path("accounts/", include("allauth.urls")),
    path("i18n/setlang/", choose, name="set_language"),
    path("jsi18n/", JavaScriptCatalog.as_view(domain="djangojs"), name="jsi18n"),
    *admin_pages(settings.ADMIN_PATH),
]

handler400 = "tock_league.common.failures.bad"
handler403 = "tock_league.common.failures.forbidden"
handler404 = "tock_league.common.failures.missing"
handler500 = "tock_league.common.failures.broken"
