"""docker-compose.yml and Dockerfile are read as data, so that their mistakes are found without Docker."""

import re

import pytest
import yaml

from games.live import hub
from tock_league.embedded import web

from .production import ROOT
from .test_production import commands

COMPOSE = yaml.safe_load((ROOT / "docker-compose.yml").read_text())
SERVICES = COMPOSE["services"]
OURS = ("web", "worker", "beat", "migrate")
IMAGE = (ROOT / "Dockerfile").read_text().replace("\\\n", " ")


def test_the_compose_file_has_the_documented_services() -> None:
    assert set(SERVICES) == {"web", "worker", "beat", "migrate", "postgres", "redis"}


@pytest.mark.parametrize("name", OURS)
def test_our_processes_run_without_rights_on_a_read_only_disk(name: str) -> None:
    service = SERVICES[name]
    assert service["read_only"] is True
    assert service["cap_drop"] == ["ALL"]
    assert service["env_file"] == ".env"
    assert service["environment"]["DJANGO_SETTINGS_MODULE"] == "tock_league.settings.production"
    assert re.findall(r"^USER (\w+)", IMAGE, re.MULTILINE) == ["tock"]


@pytest.mark.parametrize("name", ["web", "worker", "beat"])
def test_they_wait_for_the_migrations_and_the_servers(name: str) -> None:
    waits = {other: how["condition"] for other, how in SERVICES[name]["depends_on"].items()}
    assert waits == {
        "migrate": "service_completed_successfully",
        "postgres": "service_healthy",
        "redis": "service_healthy",
    }


@pytest.mark.parametrize("name", ["web", "worker", "postgres", "redis"])
def test_its_health_is_watched(name: str) -> None:
    assert SERVICES[name]["healthcheck"]["test"]


def test_nothing_is_kept_but_in_named_volumes() -> None:
    used = {volume.split(":")[0] for service in SERVICES.values() for volume in service.get("volumes", [])}
    assert used == set(COMPOSE["volumes"])
    assert [port for service in SERVICES.values() for port in service.get("ports", [])] == ["127.0.0.1:8000:8000"]


def test_redis_persists_and_evicts_nothing() -> None:
    words = SERVICES["redis"]["command"]
    assert words[words.index("--appendonly") + 1] == "yes"
    assert words[words.index("--maxmemory-policy") + 1] == "noeviction"


def test_the_worker_takes_every_queue() -> None:
    words = commands()["worker"]
    from django.conf import settings

    routes = {route["queue"] for route in settings.CELERY_TASK_ROUTES.values()}
    assert set(words[words.index("-Q") + 1].split(",")) == routes | {settings.CELERY_TASK_DEFAULT_QUEUE}


def test_the_web_process_serves_as_the_embedded_one_does() -> None:
    words = commands()["web"]
    assert words[:3] == ["python", "-m", "tock_league.embedded.web"]
    asked = web.parser().parse_args(words[3:])
    assert (asked.host, asked.port, asked.workers) == ("0.0.0.0", 8000, 2)


def test_the_web_process_is_stopped_before_the_container_is_killed() -> None:
    grace = int(SERVICES["web"]["stop_grace_period"].removesuffix("s"))
    assert grace > hub.DRAIN_S + 5


def test_every_required_setting_stands_in_the_example() -> None:
    example = (ROOT / ".env.example").read_text()
    settings = (ROOT / "tock_league" / "settings" / "production.py").read_text()
    required = re.findall(r"""env\.(?:str|list|db_url|bool|int)\("(\w+)"\)""", settings)
    assert set(required) >= {"SECRET_KEY", "ALLOWED_HOSTS", "DATABASE_URL", "REDIS_URL"}
    assert [name for name in required if not re.search(rf"^{name}=", example, re.MULTILINE)] == []


def test_the_image_holds_what_the_site_reads() -> None:
    copied = re.findall(r"^COPY (?:--\S+ )?(\S+) ", IMAGE, re.MULTILINE)
    assert {
        "manage.py",
        "requirements",
        "docs",
        "locale",
        "static",
        "templates",
        "games",
        "ratings",
        "tock_league",
    } <= set(copied)
    assert all((ROOT / path).exists() for path in copied if not path.startswith("/"))
