"""Secrets come from the environment or from files that it names, never from both; TLS can be required."""

from pathlib import Path

import pytest

from tock_league.settings.sources import Environment, merged, require_tls


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


WORD = "hidden"


def given(**variables: str) -> Environment:
    made = Environment()
    made.ENVIRON = variables
    return made


def test_a_missing_or_misshapen_setting_is_a_sentence_that_names_it() -> None:
    with pytest.raises(SystemExit, match="SECRET_KEY is not set, neither as a variable nor by SECRET_KEY_FILE"):
        given().str("SECRET_KEY")
    with pytest.raises(SystemExit, match=r"^SITE_URL is not set; production needs it"):
        given().str("SITE_URL")
    with pytest.raises(SystemExit, match="DB_POOL_SIZE has a value of another form"):
        given(DB_POOL_SIZE="many").int("DB_POOL_SIZE", 8)
    assert given().int("DB_POOL_SIZE", 8) == 8


@pytest.mark.parametrize(
    "address",
    [f"mysql://tock:{WORD}@db/tock", "sqlite:////data/tock.sqlite3", f"postgresql//tock:{WORD}@db/tock", f"postgres://tock:{WORD}@db:5432"],
)  # fmt: skip
def test_an_address_that_is_no_postgresqls_is_refused_and_not_repeated(
    address: str, recwarn: pytest.WarningsRecorder
) -> None:
    with pytest.raises(SystemExit, match="DATABASE_URL must be postgres://user:password@host") as refused:
        given(DATABASE_URL=address).database("DATABASE_URL")
    assert WORD not in str(refused.value)
    assert not recwarn.list


def test_addresses_of_both_servers_are_taken_as_before() -> None:
    found = given(DATABASE_URL=f"postgres://tock_app:{WORD}@postgres:5432/tock?sslmode=verify-full").database(
        "DATABASE_URL"
    )
    assert (found["NAME"], found["HOST"], found["OPTIONS"]) == ("tock", "postgres", {"sslmode": "verify-full"})
    assert given(DATABASE_URL="postgres://tock@//tmp/pg/postgres").database("DATABASE_URL")["NAME"] == "postgres"
    for address in (
        "redis://127.0.0.1:6379/0",
        f"rediss://tock:{WORD}@redis:6379/0?ssl_cert_reqs=required",
        "unix:///r.sock",
    ):
        assert given(REDIS_URL=address).redis("REDIS_URL") == address
    with pytest.raises(SystemExit, match="REDIS_URL must be redis://"):
        given(REDIS_URL="http://redis").redis("REDIS_URL")
