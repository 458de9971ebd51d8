"""The metrics are those of docs/hosting.md, and they need the token."""

import re
from pathlib import Path

from django.test import Client
from prometheus_client import REGISTRY

from tock_league.common import metrics

ROW = re.compile(r"^\| `(tock_\w+)` \| (\w+) \| (?:`(\w+)`)? ?\|", re.MULTILINE)
DOCUMENT = Path(__file__).resolve().parents[2] / "docs" / "hosting.md"


def test_the_documented_metrics_are_the_registered_ones() -> None:
    documented = set(ROW.findall(DOCUMENT.read_text(encoding="utf-8")))
    registered = {
        (found._name, found._type, "".join(found._labelnames))
        for found in vars(metrics).values()
        if hasattr(found, "_labelnames")
    }
    assert documented == registered
    assert {name for name, _, _ in documented} == {
        family.name for family in REGISTRY.collect() if family.name.startswith("tock_")
    }


def test_metrics_need_the_token(settings: object) -> None:
    settings.METRICS_TOKEN = "a token of this test"  # type: ignore[attr-defined]
    assert Client().get("/metrics").status_code == 404
    shown = Client().get("/metrics", headers={"authorization": "Bearer a token of this test"})
    assert shown.status_code == 200
    for name in ("tock_plays", "tock_commit_seconds_bucket", "tock_sockets 0.0", "tock_snapshots"):
        assert name in shown.content.decode()
