"""Alerts, dashboard and runbooks fit together: metrics exist, each alert has a runbook and a test of its own."""

import json
import re
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
import yaml
from prometheus_client import REGISTRY

from tests.architecture.test_documents import headings
from tests.conftest import absent
from tests.every import every
from tock_league.common import metrics

from .production import ROOT

PROMETHEUS = ROOT / "deploy" / "prometheus"
ALERTS = [
    rule for group in yaml.safe_load((PROMETHEUS / "alerts.yml").read_text())["groups"] for rule in group["rules"]
]
DASHBOARD = json.loads((ROOT / "deploy" / "grafana" / "tock-league.json").read_text())
# Of the programs that deploy/monitoring.yml starts beside the site.
OTHERS = {
    "up",
    "probe_success",
    "probe_ssl_earliest_cert_expiry",
    "node_filesystem_avail_bytes",
    "node_filesystem_size_bytes",
}
METRIC = re.compile(r"\b(?:tock|probe|node)_\w+|\bup\b")
LOOKED_UP = re.compile(r'GaugeMetricFamily\(\s*"(\w+)"')


def existing() -> set[str]:
    """Return the names of all samples that the site can answer with."""
    counted = {name for found in vars(metrics).values() if hasattr(found, "_labelnames") for name in samples(found)}
    looked_up = {
        name
        for path in ("common/gauges.py", "upkeep/gauges.py")
        for name in LOOKED_UP.findall((ROOT / "tock_league" / path).read_text())
    }
    assert len(looked_up) > 5
    return counted | looked_up


def samples(found: object) -> Iterator[str]:
    for family in found.describe():  # type: ignore[attr-defined]
        endings = {"counter": ["_total"], "histogram": ["_bucket", "_sum", "_count"]}.get(family.type, [""])
        yield from (family.name + ending for ending in endings)


def queries() -> list[str]:
    """Return every query of the dashboard."""
    return [target["expr"] for panel in DASHBOARD["panels"] for target in panel.get("targets", [])]


@every("alert", ALERTS)
def test_an_alert_asks_for_metrics_that_exist_and_names_its_runbook(alert: dict[str, dict[str, str]]) -> None:
    named = set(METRIC.findall(str(alert["expr"])))
    assert named
    assert named <= existing() | OTHERS
    file, _, heading = alert["annotations"]["runbook"].partition("#")
    assert heading in headings(ROOT / file)
    assert alert["annotations"]["summary"]
    assert alert["labels"]["severity"] in ("page", "ticket")


def test_the_dashboard_asks_for_metrics_that_exist_and_shows_them_all() -> None:
    named = {name for query in queries() for name in METRIC.findall(query)}
    assert named <= existing() | OTHERS
    families = {re.sub(r"_(total|bucket|sum|count)$", "", name) for name in named}
    assert {re.sub(r"_(total|bucket|sum|count)$", "", name) for name in existing()} <= families
    assert len({panel["id"] for panel in DASHBOARD["panels"]}) == len(DASHBOARD["panels"])


def test_each_runbook_says_what_to_look_at_what_to_do_and_when_it_is_over() -> None:
    text = (ROOT / "docs" / "runbooks.md").read_text(encoding="utf-8")
    parts = re.split(r"^## (.+)$", text, flags=re.MULTILINE)[1:]
    books = dict(zip(parts[::2], parts[1::2], strict=True))
    assert set(books) >= {"Database lost", "Key lost", "Leak", "Hostile staff account", "Round interrupted"}
    for name, body in books.items():
        for word in ("**Look.**", "**Do.**", "**Over when.**"):
            assert body.count(word) == 1, (name, word)


def test_every_labelled_part_of_an_alert_is_told() -> None:
    """An alert on a part that no scrape names would never fire."""
    told = (ROOT / "tock_league" / "common" / "gauges.py").read_text()
    for part in {part for alert in ALERTS for part in re.findall(r'part="(\w+)"', str(alert["expr"]))}:
        assert f'"{part}"' in told


def test_each_alert_has_a_test_in_prometheus_own_format() -> None:
    text = (PROMETHEUS / "alerts.test.yml").read_text()
    tested = re.findall(r'alertname="(\w+)".*exp_samples: \[\{', text)
    assert set(tested) == {alert["alert"] for alert in ALERTS}
    assert len(re.findall(r"exp_samples: \[\]", text)) == len(ALERTS), "each is silent while all is well"


@pytest.mark.parametrize(
    "words", [("check", "rules", "alerts.yml"), ("test", "rules", "alerts.test.yml")], ids=" ".join
)
def test_promtool_accepts_the_rules_and_their_tests(words: tuple[str, ...]) -> None:
    if (program := shutil.which("promtool")) is None:
        absent("promtool", "no promtool on PATH")
    done = subprocess.run([str(program), *words], cwd=PROMETHEUS, capture_output=True, text=True, timeout=200)
    assert done.returncode == 0, done.stdout + done.stderr


def test_promtool_accepts_the_configuration(tmp_path: Path) -> None:
    if (program := shutil.which("promtool")) is None:
        absent("promtool", "no promtool on PATH")
    shutil.copytree(PROMETHEUS, tmp_path / "prometheus")
    for name in ("metrics_token", "ca_certificate"):
        (tmp_path / name).write_text("")
    file = tmp_path / "prometheus" / "prometheus.yml"
    file.write_text(file.read_text().replace("/run/secrets", str(tmp_path)))
    done = subprocess.run([str(program), "check", "config", file], capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stdout + done.stderr


def test_nothing_is_registered_that_no_module_names() -> None:
    registered = {family.name for family in REGISTRY.collect() if family.name.startswith("tock_")}
    assert registered == {
        re.sub("_total$", "", found._name) for found in vars(metrics).values() if hasattr(found, "_labelnames")
    }
