"""The number of pages in progress is limited, requests that wait too long are refused, and an aborted request keeps its
place until its work has ended."""

import asyncio
import json
import threading
from collections.abc import Iterator
from typing import Any

import pytest
from asgiref.testing import ApplicationCommunicator
from django.http import HttpRequest, HttpResponse
from django.urls import path

from tock_league.common.away import Full
from tock_league.common.gate import Gate, Pages

begun, may_end, ended = threading.Semaphore(0), threading.Event(), threading.Event()


def slow(request: HttpRequest) -> HttpResponse:
    begun.release()
    may_end.wait(20)
    ended.set()
    return HttpResponse("done")


def quick(request: HttpRequest) -> HttpResponse:
    return HttpResponse("quick")


urlpatterns = [path("slow", slow), path("quick", quick), path("health/quick", quick), path("api/tables/quick", quick)]


@pytest.fixture
def pages(settings: Any) -> Iterator[Pages]:
    """Give the handler with one place, on addresses of the test."""
    settings.ROOT_URLCONF, settings.MIDDLEWARE = __name__, []
    settings.PAGES_AT_ONCE, settings.PATIENCE_S = 1, 0.1
    may_end.clear()
    ended.clear()
    yield Pages()
    may_end.set()


class Asked:
    """One request to the handler: `begin`, then `answer`, or `leave`."""

    def __init__(self, pages: Pages, path: str, *headers: tuple[bytes, bytes]) -> None:
        scope = {"type": "http", "method": "GET", "path": path, "query_string": b"", "headers": list(headers)}
        self.inner = ApplicationCommunicator(pages, scope)

    async def begin(self) -> "Asked":
        await self.inner.send_input({"type": "http.request", "body": b""})
        return self

    async def answer(self) -> tuple[int, dict[str, str], str]:
        start = await self.inner.receive_output(10)
        body = await self.inner.receive_output(10)
        await self.inner.wait(10)
        headers = {name.decode().lower(): value.decode() for name, value in start["headers"]}
        return start["status"], headers, body["body"].decode()

    async def leave(self) -> None:
        await self.inner.send_input({"type": "http.disconnect"})


async def get(pages: Pages, path: str, *headers: tuple[bytes, bytes]) -> tuple[int, dict[str, str], str]:
    return await (await Asked(pages, path, *headers).begin()).answer()


async def test_a_page_too_many_is_told_that_the_site_is_busy(pages: Pages) -> None:
    first = await Asked(pages, "/slow").begin()
    assert await asyncio.to_thread(begun.acquire, timeout=10)
    status, headers, body = await get(pages, "/quick")
    assert (status, headers["retry-after"], headers["cache-control"]) == (503, "2", "no-store")
    assert "<h1>" in body
    status, _, body = await get(pages, "/api/clubs/", (b"accept-language", b"en"))
    assert status == 503
    assert json.loads(body) == {"error": {"code": "busy", "message": "The site is busy. Try again in a few seconds."}}
    for address in ("/health/quick", "/api/tables/quick"):
        assert (await get(pages, address))[::2] == (200, "quick")
    may_end.set()
    assert (await first.answer())[::2] == (200, "done")
    assert (await get(pages, "/quick"))[::2] == (200, "quick")


async def test_an_aborted_request_keeps_its_place_while_the_page_is_rendered(pages: Pages) -> None:
    first = await Asked(pages, "/slow").begin()
    assert await asyncio.to_thread(begun.acquire, timeout=10)
    await first.leave()
    assert (await get(pages, "/quick"))[0] == 503
    assert not ended.is_set()
    may_end.set()
    assert await asyncio.to_thread(ended.wait, 10)
    statuses = [(await get(pages, "/quick"))[0] for _ in range(3)]
    assert statuses[-1] == 200
    await first.inner.wait(10)


async def test_a_waiting_request_gets_the_place_that_becomes_free() -> None:
    gate = Gate(1, 10.0)
    await gate.enter()
    waiting = asyncio.create_task(gate.enter())
    await asyncio.sleep(0)
    assert not waiting.done()
    gate.leave()
    await waiting
    with pytest.raises(Full):
        gate.patience = 0.01
        await gate.enter()


def test_each_loop_has_places_of_its_own() -> None:
    gate = Gate(1, 0.01)
    for _ in range(2):
        asyncio.run(gate.enter())
