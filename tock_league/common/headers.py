"""Response headers that Django has no setting for."""

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse

PERMISSIONS = "camera=(), microphone=(), geolocation=(), payment=(), usb=()"


# Django's admin brings jQuery 3, which writes HTML: there the pages go without Trusted Types. The rest of the policy stays.
WITHOUT_TRUSTED_TYPES = {"require-trusted-types-for": None, "trusted-types": None}


class HeadersMiddleware:
    """Adds the Permissions-Policy, and `no-store` to the API's answers, which may hold a hand."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        response.headers.setdefault("Permissions-Policy", PERMISSIONS)
        if request.path.startswith("/api/"):
            response.headers.setdefault("Cache-Control", "no-store")
        if request.resolver_match is not None and request.resolver_match.app_name == "admin":
            response._csp_replace = WITHOUT_TRUSTED_TYPES  # type: ignore[attr-defined]  # read by django-csp
        return response
