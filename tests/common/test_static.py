"""Static files over ASGI and WSGI alike."""

import asyncio
import warnings

import pytest
from django.test import AsyncClient, Client

ADDRESS = "/static/look/logo.svg"


@pytest.fixture
def logo() -> bytes:
    from django.contrib.staticfiles import finders

    with open(finders.find("look/logo.svg"), "rb") as file:
        return file.read()


def test_a_file_comes_whole_over_asgi_without_a_warning(logo: bytes) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        answer = asyncio.run(AsyncClient().get(ADDRESS))
    assert (answer.status_code, answer.streaming, answer.content) == (200, False, logo)
    assert answer["Content-Type"].startswith("image/svg+xml")


def test_a_range_of_it_and_only_its_headers(logo: bytes) -> None:
    part = Client().get(ADDRESS, headers={"range": "bytes=10-19"})
    assert (part.status_code, part.content) == (206, logo[10:20])
    head = Client().head(ADDRESS)
    assert (head.status_code, head.content, head["Content-Length"]) == (200, b"", str(len(logo)))
    again = Client().get(ADDRESS, headers={"if-none-match": head["ETag"]})
    assert (again.status_code, again.content) == (304, b"")
