"""The page on which a person lets an application act for them, or refuses (RFC 6749, 4.1.1).

The application and its address are checked before anything else is shown or redirected. The page is shown every time: a
redirect without a press would let anybody who knows a public application's number get a code.
"""

from typing import Any

from authlib.oauth2 import OAuth2Error
from authlib.oauth2.rfc6749 import InsecureTransportError, InvalidClientError
from csp.constants import SELF
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from tock_league.accounts.models import Token
from tock_league.accounts.selectors import signed_in_recently
from tock_league.accounts.sessions import owner_mark
from tock_league.accounts.staff import ask_again
from tock_league.accounts.views.profile import signed_in
from tock_league.common import limits
from tock_league.common.errors import Refused

from .. import selectors
from ..services import accesses, redirects, server

ASKED_A_MINUTE = 60  # from one address


@never_cache
@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def authorize(request: HttpRequest) -> HttpResponse:
    """Ask the person; after the press redirect to the application, with a code or with `access_denied`."""
    limits.spend(request, "oauth:authorize", count=ASKED_A_MINUTE, seconds=60)
    user = signed_in(request)
    try:
        grant = server.consent_asked(request, user)
    except OAuth2Error as error:
        return server.told(error, request) if error.redirect_uri else _problem(request, error)
    scopes = grant.request.scope.split()
    application = grant.request.client.application
    before = selectors.held(user, application)
    if request.method != "POST" or request.POST.get("decision") not in ("allow", "refuse"):
        if before is None or not set(scopes) <= set(before.scopes):
            ask_again(request)  # as before a token is made
        return _page(request, grant, before)
    if request.POST.get("owner") != owner_mark(user):
        raise Refused(
            "other_person", _("Somebody else has signed in here meanwhile. Look at the page again."), status=409
        )
    allowed = request.POST["decision"] == "allow"
    if allowed and (before is None or not set(scopes) <= set(before.scopes)) and not signed_in_recently(request):
        return redirect(request.get_full_path())
    return _leading_out(server.decided(grant, request, user, allowed=allowed), grant)


def _page(request: HttpRequest, grant: Any, before: Any) -> HttpResponse:
    user, address = signed_in(request), grant.redirect_uri
    scopes = grant.request.scope.split()
    application = grant.request.client.application
    known = before.scopes if before is not None else ()
    context = {
        "application": application,
        "host": redirects.host_of(application.website),
        "returns_to": redirects.host_of(address),
        "scopes": [{"name": name, "is_new": bool(known) and name not in known} for name in scopes],
        "before": before,
        "manages": Token.Scope.MANAGE in scopes,
        "unused": accesses.UNUSED.days,
        "until": accesses.ends_at(user),
        "owner": owner_mark(user),
    }
    return _leading_out(render(request, "oauth/authorize.html", context), grant)


def _leading_out(answer: HttpResponse, grant: Any) -> HttpResponse:
    """Let the page's form be answered by a redirect to the application's address, and to no other one."""
    source = redirects.form_action(grant.redirect_uri)
    answer._csp_replace = {"form-action": [SELF, source]}  # type: ignore[attr-defined]  # read by django-csp
    return answer


def _problem(request: HttpRequest, error: OAuth2Error) -> HttpResponse:
    """Return the page about an error that must not be told by a redirect: nobody knows where it would lead."""
    if isinstance(error, InvalidClientError):
        text = _("The site that sent you here is not known to us, or may not ask for access any more.")
    elif isinstance(error, InsecureTransportError):
        text = _("Access is given over an encrypted connection only. This site is reached without one.")
    else:
        text = _(
            "The site that sent you here has not asked as it must, so that nobody can tell whether it is the right one."
        )
    context = {"sentence": text, "technical": f"{error.error}: {error.get_error_description()}"}
    return render(request, "oauth/problem.html", context, status=400)
