"""The site's own address, for links that leave the site: mails, invitations. Never from the Host header.

A client chooses the Host header, so a link built from it could lead the reader of a mail to the client's own server.
"""

from django.conf import settings
from django.http import HttpRequest
from django.urls import NoReverseMatch, reverse


def site_url(request: HttpRequest) -> str:
    """Return the site's address without a slash at its end: SITE_URL, such as https://tock.example.org.

    Without the setting (a club's laptop): the address and port at which this request arrived here, on the club's network.
    """
    if settings.SITE_URL:
        return str(settings.SITE_URL)
    host, port = request.META.get("SERVER_NAME", "localhost"), str(request.META.get("SERVER_PORT", ""))
    usual = {"http": "80", "https": "443"}.get(request.scheme or "http")
    return f"{request.scheme}://{f'[{host}]' if ':' in host else host}" + ("" if port in ("", usual) else f":{port}")


def absolute(request: HttpRequest, path: str) -> str:
    """Return the whole address of a page of the site; `path` begins with a slash."""
    return site_url(request) + path


def page_if_any(name: str) -> str:
    """Return the path of the page of that name, "" where this site has no such page."""
    try:
        return reverse(name)
    except NoReverseMatch:
        return ""
