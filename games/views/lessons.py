"""Pages of the guided first game: the list of lessons, and each lesson's table."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import get_language
from django.views.decorators.csrf import ensure_csrf_cookie
from django.views.decorators.http import require_safe

from games.selectors import lessons, preferences
from tock_league.common import clock
from tock_league.common.errors import NotThere

from .tables import rules_page


@require_safe
def learn(request: HttpRequest) -> HttpResponse:
    """Show the lessons of the guided first game, and which of them the reader has finished."""
    context = {"lessons": lessons.LESSONS, "finished": preferences.lessons_of(request.user)}
    return render(request, "games/learn.html", context)


@ensure_csrf_cookie
@require_safe
def lesson(request: HttpRequest, name: str) -> HttpResponse:
    """Show a lesson: a table whose cards and opponents are fixed. Nothing of it is kept but that it is finished."""
    found = lessons.lesson(name)
    if found is None:
        raise NotThere
    boot = lessons.boot_of(found, now=clock.now_ms()) | {
        "chosen": preferences.of(request.user),
        "rules_page": rules_page(lessons.RULES),
        "lang": (get_language() or "fr").split("-")[0],
    }
    number = lessons.LESSONS.index(found) + 1
    context = {"boot": boot, "lesson": found, "number": number, "next": lessons.following(found)}
    return render(request, "games/lesson.html", context | {"count": len(lessons.LESSONS)})
