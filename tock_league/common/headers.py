"""Response headers that Django has no setting for."""

from collections.abc import Callable

from django.conf import settings
from django.http import HttpRequest, HttpResponse, HttpResponseNotAllowed

from .errors import Refused
from .problems import told

FOR_PROGRAMS = ("/api/", "/oauth/token", "/oauth/revoke")
PERMISSIONS = "camera=(), microphone=(), geolocation=(), payment=(), usb=()"


# Django's admin brings jQuery 3, which writes HTML: there the pages go without Trusted Types. The rest of the policy stays.
WITHOUT_TRUSTED_TYPES = {"require-trusted-types-for": None, "trusted-types": None}


class GuardsMiddleware:
    """Adds what SecurityMiddleware adds, where it has refused or redirected the request itself and adds nothing.

    Refuses a target that is no path, such as `*`: a redirect would put it behind the host's name.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request) if request.path.startswith("/") else HttpResponse(status=400)
        response.headers.setdefault("X-Content-Type-Options", "nosniff")
        response.headers.setdefault("Referrer-Policy", settings.SECURE_REFERRER_POLICY)
        return response


class HeadersMiddleware:
    """Adds the Permissions-Policy, and `no-store` to what may be personal: the API's answers, which may hold a hand, and
    pages for a browser with a session. Refuses TRACE, plain http below FOR_PROGRAMS where http is redirected, and an address with
    more parameters than DATA_UPLOAD_MAX_NUMBER_FIELDS: the pages of errors read them too, and would fail like the first one.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if request.method == "TRACE":
            return HttpResponseNotAllowed(["GET", "HEAD", "POST"])
        if request.path.startswith(FOR_PROGRAMS) and settings.SECURE_SSL_REDIRECT and not request.is_secure():
            # A redirect would hide that the program has sent its cookie or secret in the clear.
            return told(request, Refused("https_required", status=403))
        _ = request.GET  # parsed here: TooManyFieldsSent
        response = self.get_response(request)
        response.headers.setdefault("Permissions-Policy", PERMISSIONS)
        if request.path.startswith("/api/") or settings.SESSION_COOKIE_NAME in request.COOKIES:
            response.headers.setdefault("Cache-Control", "no-store")
        if request.resolver_match is not None and request.resolver_match.app_name == "admin":
            response._csp_replace = WITHOUT_TRUSTED_TYPES  # type: ignore[attr-defined]  # read by django-csp
        return response
