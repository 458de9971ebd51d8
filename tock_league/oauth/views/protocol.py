"""The endpoints that applications call themselves: tokens, revocation, and what this server offers (RFC 8414)."""

from collections.abc import Callable
from functools import wraps

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.urls import reverse
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_POST, require_safe

from tock_league.accounts.models import Token
from tock_league.common import limits
from tock_league.common.address import absolute
from tock_league.common.bounds import address_of_request

from ..services import server
from ..services.clients import GRANT_TYPES
from ..services.grants import METHODS

View = Callable[[HttpRequest], HttpResponse]
CALLS_A_MINUTE = 120  # from one address, at both endpoints together
METADATA_S = 3600


def _limited(view: View) -> View:
    """Decorate an endpoint: no more than CALLS_A_MINUTE from one address, and no answer is stored."""

    @wraps(view)
    def answered(request: HttpRequest) -> HttpResponse:
        address = address_of_request(request)
        left = limits.take(f"oauth:at:{address}", count=CALLS_A_MINUTE, seconds=60)
        if left.refused:
            error = server.TooOften()
            answer: HttpResponse = JsonResponse(dict(error.get_body()), status=error.status_code)
            answer["Retry-After"] = str(left.seconds)
        else:
            answer = view(request)
        answer["Cache-Control"] = "no-store"
        return answer

    return answered


@csrf_exempt  # the application shows its own secret, or a code, and no cookie counts
@require_POST
@_limited
def token(request: HttpRequest) -> HttpResponse:
    """Change a code or a refresh token for tokens."""
    return server.token_answer(request)


@csrf_exempt  # as above
@require_POST
@_limited
def revoke(request: HttpRequest) -> HttpResponse:
    """End a token that the application gives back."""
    return server.revocation_answer(request)


@require_safe
def metadata(request: HttpRequest) -> HttpResponse:
    """Return where the endpoints are and what they take."""
    told = {
        "issuer": server.issuer(request),
        "authorization_endpoint": absolute(request, reverse("oauth:authorize")),
        "token_endpoint": absolute(request, reverse("oauth:token")),
        "revocation_endpoint": absolute(request, reverse("oauth:revoke")),
        "service_documentation": absolute(request, reverse("api:console")),
        "scopes_supported": list(Token.Scope.values),
        "response_types_supported": ["code"],
        "response_modes_supported": ["query"],
        "grant_types_supported": list(GRANT_TYPES),
        "token_endpoint_auth_methods_supported": METHODS,
        "revocation_endpoint_auth_methods_supported": METHODS,
        "code_challenge_methods_supported": ["S256"],
        "authorization_response_iss_parameter_supported": True,
        "ui_locales_supported": ["fr", "en", "es"],
    }
    answer = JsonResponse(told)
    answer["Cache-Control"] = f"public, max-age={METADATA_S}"
    return answer
