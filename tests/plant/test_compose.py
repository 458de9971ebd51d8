"""docker-compose.yml and Dockerfile are read as data, so that their mistakes are found without Docker."""

import re
import stat
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from games.live import hub
from tock_league.embedded import web

from .composed import secrets_of
from .production import ROOT, commands

COMPOSE = yaml.safe_load((ROOT / "docker-compose.yml").read_text())
SERVICES = COMPOSE["services"]
MONITORING = yaml.safe_load((ROOT / "deploy" / "monitoring.yml").read_text())
ALL = SERVICES | MONITORING["services"]
OURS = ("web", "worker", "beat", "migrate")
IMAGE = (ROOT / "Dockerfile").read_text().replace("\\\n", " ")
# Which secrets a service gets, besides its addresses and the authority that signs between the services.
OWN_SECRETS = {
    "proxy": set(),
    "web": {
        "secret_key",
        "secret_key_fallbacks",
        "email_url",
        "push_key",
        "metrics_token",
        "web_certificate",
        "web_certificate_key",
    },
    "worker": {
        "secret_key",
        "secret_key_fallbacks",
        "email_url",
        "push_key",
        "worker_certificate",
        "worker_certificate_key",
    },
    "beat": set(),
    "migrate": {"secret_key", "secret_key_fallbacks"},
}
ROLES = {"web": "app", "beat": "app", "worker": "worker", "migrate": "owner"}


def test_the_compose_file_has_the_documented_services() -> None:
    assert set(SERVICES) == {"proxy", "web", "worker", "beat", "migrate", "postgres", "redis"}


@pytest.mark.parametrize("name", OURS)
def test_our_processes_run_production_without_root(name: str) -> None:
    service = SERVICES[name]
    assert service["env_file"] == ".env"
    assert service["environment"]["DJANGO_SETTINGS_MODULE"] == "tock_league.settings.production"
    assert service["environment"]["REQUIRE_TLS"] == "yes"
    assert re.findall(r"^USER (\w+)", IMAGE, re.MULTILINE) == ["tock"]


@pytest.mark.parametrize("name", ALL)
def test_each_container_is_limited_watched_and_started_again(name: str) -> None:
    service = ALL[name]
    assert service["read_only"] is True
    assert service["cap_drop"] == ["ALL"]
    assert service.get("cap_add", []) == (["NET_BIND_SERVICE"] if name == "proxy" else [])
    assert service["security_opt"] == ["no-new-privileges:true"]
    assert service["logging"]["options"] == {"max-size": "20m", "max-file": "5"}
    if name == "migrate":  # runs once
        assert service["restart"] == "no"
    else:
        assert service["restart"] == "unless-stopped"
        assert service["healthcheck"]["test"]
        assert service["healthcheck"]["interval"]
    if name not in OURS:
        assert re.fullmatch(r"[\w/-]+:v?\d+\.\d+[\w.-]*", service["image"]), "an image without a version"


@pytest.mark.parametrize("name", OWN_SECRETS)
def test_a_service_gets_the_secrets_that_it_needs_and_no_other(name: str) -> None:
    found = secrets_of(name)
    expected = OWN_SECRETS[name] | {"ca_certificate"}
    if name in ROLES:
        expected |= {f"database_url_{ROLES[name]}", "redis_url", "sentry_dsn"}
    assert set(found) == expected
    named = {
        value for key, value in SERVICES[name]["environment"].items() if key.endswith("_FILE") and "/secrets/" in value
    }
    assert named <= {f"/run/secrets/{target}" for target in found.values()}


def test_no_secret_is_written_down_and_none_is_missing() -> None:
    for name, service in ALL.items():
        for key, value in service.get("environment", {}).items():
            if re.search(r"SECRET|PASSWORD|TOKEN|_URL|DSN|KEY", key):
                assert str(value).startswith(("/run/secrets/", "--")), (name, key)
    known = {**COMPOSE["secrets"], **MONITORING["secrets"]}
    used = {source for name in SERVICES for source in secrets_of(name)}
    used |= {name for service in MONITORING["services"].values() for name in service.get("secrets", [])}
    assert used == set(known)
    assert all(found == {"file": f"./secrets/{name}"} for name, found in known.items())
    example = (ROOT / ".env.example").read_text()
    assert re.findall(r"^(SECRET_KEY|DATABASE_URL|REDIS_URL|\w*PASSWORD\w*)=", example, re.MULTILINE) == []


def test_the_secrets_are_made_once_and_only_their_owner_enters_the_folder(tmp_path: Path) -> None:
    command = [sys.executable, ROOT / "deploy" / "make_secrets.py", "--folder", tmp_path / "secrets"]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    made = {path.name: path.read_bytes() for path in (tmp_path / "secrets").iterdir()}
    assert set(made) >= set(COMPOSE["secrets"]) | set(MONITORING["secrets"])
    assert stat.S_IMODE((tmp_path / "secrets").stat().st_mode) == 0o700
    again = subprocess.run(command, check=True, capture_output=True, text=True)
    assert "everything was there already" in again.stdout
    assert {path.name: path.read_bytes() for path in (tmp_path / "secrets").iterdir()} == made
    assert len({made[name] for name in made if name.endswith("_password") and name != "alert_mail_password"}) == 6


def test_the_servers_are_reached_by_those_who_need_them() -> None:
    networks = {name: set(service.get("networks", [])) for name, service in SERVICES.items()}
    assert networks["postgres"] == networks["redis"] == {"inside"}
    assert networks["proxy"] == {"edge"}
    assert {name for name, found in networks.items() if "edge" in found} == {"proxy", "web"}
    assert COMPOSE["networks"]["inside"]["internal"] is True


@pytest.mark.parametrize("name", ["web", "worker", "beat"])
def test_they_wait_for_the_migrations_and_the_servers(name: str) -> None:
    waits = {other: how["condition"] for other, how in SERVICES[name]["depends_on"].items()}
    assert waits == {
        "migrate": "service_completed_successfully",
        "postgres": "service_healthy",
        "redis": "service_healthy",
    }


def test_nothing_is_kept_but_in_named_volumes_and_only_the_proxy_is_published() -> None:
    mounts = [volume.split(":")[0] for service in SERVICES.values() for volume in service.get("volumes", [])]
    assert {name for name in mounts if not name.startswith("./deploy/")} == set(COMPOSE["volumes"])
    assert all((ROOT / name).exists() for name in mounts if name.startswith("./"))
    published = {name: service["ports"] for name, service in ALL.items() if "ports" in service}
    assert published == {"proxy": ["80:80", "443:443"], "grafana": ["127.0.0.1:3000:3000"]}


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
    required = re.findall(r"""env\.(?:str|list|database|redis|bool|int)\("(\w+)"\)""", settings)
    assert set(required) >= {"SECRET_KEY", "ALLOWED_HOSTS", "DATABASE_URL", "REDIS_URL"}
    files = set(COMPOSE["secrets"])
    secret = {name for name in required if name.lower() in files or f"{name.lower()}_app" in files}
    assert secret == {"SECRET_KEY", "DATABASE_URL", "REDIS_URL"}
    assert [name for name in required if not (name in secret or re.search(rf"^{name}=", example, re.MULTILINE))] == []


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


def test_what_the_documents_do_with_postgresql_fits_the_compose_file() -> None:
    """They connect inside the container as the role that may, and leave alone the command, which holds TLS and pg_hba.conf."""
    allowed = re.findall(
        r"^local +(?:all|replication) +(\w+)", (ROOT / "deploy/postgres/pg_hba.conf").read_text(), re.MULTILINE
    )
    documents = [path.read_text(encoding="utf-8") for path in (ROOT / "docs").glob("*.md")]
    roles = re.findall(r"exec postgres (?:psql|pg_basebackup) -U (\w+)", "\n".join(documents))
    assert len(roles) > 5
    assert set(roles) == set(allowed) == {"postgres"}
    assert not any("exec -u" in text for text in documents)  # the container runs as that user already
    blocks = [block for text in documents for block in re.findall(r"```yaml\n(.*?)```", text, re.DOTALL)]
    services = [service for block in blocks for service in (yaml.safe_load(block).get("services") or {}).items()]
    assert [name for name, more in services if name in SERVICES and "command" in more] == []
