"""What makes the site installable: its manifest, and a worker of the browser that keeps one page for when there is no network
and shows the pushes of `notices`.

The worker keeps that page and the files it needs, and nothing else: what a person sees is never stored in the browser.
"""

import json
from hashlib import sha256
from pathlib import Path

from django.conf import settings
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.templatetags.static import static
from django.urls import reverse
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_safe

WORKER = Path(settings.ROOT) / "static" / "install" / "worker.js"
NEEDED = (
    "look/site.css",
    "look/fonts/atkinson.woff2",
    "look/fonts/besley.woff2",
    "look/logo-mark.svg",
    "look/sash.svg",
    "theme.js",
)
ICONS = (("look/logo-mark.svg", "any", "image/svg+xml"), ("install/icon-512.png", "512x512", "image/png"))
MASKABLE = ("install/icon-512-maskable.png", "512x512", "image/png")
# The colours of the bar and of the page in the light theme: static/look/tokens.css.
BAR, PAGE = "#14332B", "#F0F1EA"


@require_safe
@cache_control(max_age=3600)
def manifest(_request: HttpRequest) -> JsonResponse:
    """Return the web application manifest in the reader's language (W3C, Web Application Manifest)."""
    icons = [{"src": static(name), "sizes": sizes, "type": kind} for name, sizes, kind in ICONS]
    name, sizes, kind = MASKABLE
    icons.append({"src": static(name), "sizes": sizes, "type": kind, "purpose": "maskable"})
    data = {
        "id": "/",
        "name": "Tock League",
        "short_name": "Tock",
        "description": _("Clubs, leagues and live tables for Tock."),
        "lang": get_language(),
        "start_url": reverse("pages:home"),
        "scope": "/",
        "display": "standalone",
        "theme_color": BAR,
        "background_color": PAGE,
        "icons": icons,
        "shortcuts": [
            {"name": _("Play tonight"), "url": reverse("pages:tonight")},
            {"name": _("Practice"), "url": reverse("games:practice")},
        ],
    }
    response = JsonResponse(data, content_type="application/manifest+json")
    response["Vary"] = "Accept-Language, Cookie"
    return response


@require_safe
@cache_control(no_cache=True)
def worker(_request: HttpRequest) -> HttpResponse:
    """Return the service worker's script: the addresses that it keeps, then the code (static/install/worker.js)."""
    page = reverse("pages:offline")
    kept = [page, *(static(name) for name in NEEDED)]
    code = WORKER.read_text(encoding="utf-8")
    # A new page or sheet makes a new script, which is how the browser notices.
    version = sha256("\n".join([*kept, code]).encode()).hexdigest()[:12]
    told = {"KEPT": kept, "NAME": f"offline-{version}", "ICON": static("install/icon-180.png")}
    head = f"self.offline = {json.dumps(told)};\n"
    return HttpResponse(head + code, content_type="text/javascript; charset=utf-8")


@require_safe
def offline(request: HttpRequest) -> HttpResponse:
    """Show the page for when there is no network, in every language: the browser keeps one for all readers."""
    languages = [code for code, _name in settings.LANGUAGES]
    return render(request, "pages/offline.html", {"languages": languages})
