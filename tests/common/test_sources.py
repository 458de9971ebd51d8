"""Secrets come from the environment or from files that it names, never from both; TLS can be required."""

from pathlib import Path

import pytest

from tock_league.settings.sources import merged, require_tls


def test_a_file_holds_a_secret(tmp_path: Path) -> None:
    (tmp_path / "key").write_text("a key\n")
    (tmp_path / "none").write_text("\n")
    found = merged(
        {"SECRET_KEY_FILE": str(tmp_path / "key"), "EMAIL_URL_FILE": str(tmp_path / "none"), "OTHER_FILE": "x"}
    )
    assert found == {"SECRET_KEY": "a key", "OTHER_FILE": "x"}


def test_a_secret_that_is_given_twice_or_cannot_be_read_stops_the_start(tmp_path: Path) -> None:
    (tmp_path / "key").write_text("a key")
    (tmp_path / "bytes").write_bytes(b"\xff\xfe")
    with pytest.raises(SystemExit, match="Set SECRET_KEY or SECRET_KEY_FILE, not both"):
        merged({"SECRET_KEY": "another", "SECRET_KEY_FILE": str(tmp_path / "key")})
    with pytest.raises(SystemExit, match=r"REDIS_URL_FILE names .*, which cannot be read: No such file"):
        merged({"REDIS_URL_FILE": str(tmp_path / "missing")})
    with pytest.raises(SystemExit, match="it is no text"):
        merged({"REDIS_URL_FILE": str(tmp_path / "bytes")})


DATABASE = {"OPTIONS": {"sslmode": "verify-full"}}
REDIS = "rediss://redis:6379/0?ssl_cert_reqs=required&ssl_ca_certs=/ca"


def test_tls_can_be_required() -> None:
    require_tls(DATABASE, REDIS)
    for mode in ("require", "verify-ca", "prefer", None):
        with pytest.raises(SystemExit, match="DATABASE_URL must end with"):
            require_tls({"OPTIONS": {"sslmode": mode}}, REDIS)
    for wrong in (REDIS.replace("rediss", "redis"), REDIS.replace("required", "none"), REDIS.partition("?")[0]):
        with pytest.raises(SystemExit, match="REDIS_URL must be rediss"):
            require_tls(DATABASE, wrong)
