"""Public views of the journal: streams, entries, the export, the verifier."""

from pathlib import Path

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from . import verifier as verifier_file
from .selectors import entries as selectors


@require_safe
def index(request: HttpRequest) -> HttpResponse:
    """Show every public stream with its last hash."""
    return render(request, "journal/index.html", {"streams": selectors.streams()})


@require_safe
def stream(request: HttpRequest, name: str) -> HttpResponse:
    """Show the entries of one stream, newest first."""
    shown = selectors.stream(name)
    found = selectors.entries_for(name, before=_before(request))
    context = {
        "stream": shown,
        "entries": found,
        "earlier": found[-1].seq if found and found[-1].seq > 1 else None,
        "is_first": not found or found[0].seq == shown.length,
    }
    return render(request, "journal/stream.html", context)


def _before(request: HttpRequest) -> int | None:
    """Return the number in `?before=`; None when there is none that a number of an entry could be."""
    typed = request.GET.get("before", "")
    return int(typed) if typed.isascii() and typed.isdigit() and len(typed) < 16 else None


@require_safe
def export(request: HttpRequest, name: str) -> HttpResponse:
    """Show the stream as JSON lines, for `verifier.py`."""
    return _download(selectors.export(name), f"{name.replace(':', '-')}.jsonl", "application/jsonl; charset=utf-8")


@require_safe
def verifier(request: HttpRequest) -> HttpResponse:
    """Show the program that checks an export: one file, the standard library only."""
    return _download(Path(verifier_file.__file__).read_bytes(), "verifier.py", "text/x-python; charset=utf-8")


def _download(content: bytes, name: str, content_type: str) -> HttpResponse:
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    return HttpResponse(content, content_type=content_type, headers=headers)
