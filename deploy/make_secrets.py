#!/usr/bin/env python3
"""Make the secrets of docker-compose.yml in the folder `secrets`, once: random passwords, addresses, keys and certificates.

    python3 deploy/make_secrets.py [--folder secrets] [--renew-certificates]

Needs Python and the program openssl, nothing else. Files that exist are kept, so that it may be run again after an update.
To replace a secret, delete its file, and for a password also the address (`..._url...`) or list that contains it. Only the
owner can enter the folder; the files in it are readable, because each container reads its own as a user without rights.
"""

import argparse
import base64
import hashlib
import os
import secrets
import subprocess
import sys
import tempfile
from pathlib import Path
from urllib.parse import urlencode

INSIDE = "/run/secrets"  # where the containers see them
YEARS = 10
CERTIFICATES = ("postgres", "redis", "web", "worker")
EMPTY = ("secret_key_fallbacks", "email_url", "sentry_dsn", "alert_mail_password")  # optional; empty: not set
P256_ORDER = 0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551
DATABASE_TLS = urlencode({"sslmode": "verify-full", "sslrootcert": f"{INSIDE}/ca_certificate"}, safe="/")
REDIS_TLS = urlencode({"ssl_cert_reqs": "required", "ssl_ca_certs": f"{INSIDE}/ca_certificate"}, safe="/")
# What the site uses: lists, sets, hashes, scripts, publishing, blocking reads. No command that lists, flushes, configures,
# copies or debugs the whole server. Without a password nothing may be asked, not even a PING.
ACL = "user default reset off\nuser tock reset on #{digest} ~* &* +@all -@admin -@dangerous\n"


def main() -> None:
    """Make what is missing, and say what was made."""
    words = argparse.ArgumentParser(description="Make the secrets of docker-compose.yml.")
    words.add_argument("--folder", type=Path, default=Path(__file__).resolve().parent.parent / "secrets")
    words.add_argument("--renew-certificates", action="store_true", help="new certificates between the containers")
    asked = words.parse_args()
    folder: Path = asked.folder
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    folder.chmod(0o700)
    made = [name for name in (*passwords(folder), *addresses(folder)) if name]
    if asked.renew_certificates or not (folder / "ca_certificate").exists():
        certificates(folder)
        made.append("certificates")
    print(f"{folder}: {', '.join(made) if made else 'everything was there already'}")


def passwords(folder: Path) -> list[str]:
    """Write the random ones that are missing; return their names."""
    names = ["secret_key", "metrics_token", "grafana_password", "redis_password", "postgres_password"]
    names += [f"postgres_{role}_password" for role in ("owner", "app", "worker")]
    made = [write(folder, name, secrets.token_urlsafe(50 if name == "secret_key" else 32)) for name in names]
    made.append(write(folder, "push_key", new_push_key()))
    return made + [write(folder, name, "") for name in EMPTY]


def new_push_key() -> str:
    """Return a private key of web push: a number of the curve P-256, as 32 bytes in base64url."""
    number = 1 + secrets.randbelow(P256_ORDER - 1)
    return base64.urlsafe_b64encode(number.to_bytes(32, "big")).rstrip(b"=").decode()


def addresses(folder: Path) -> list[str]:
    """Write what contains a password; return the names of what was written."""
    made = []
    for role in ("owner", "app", "worker"):
        word = (folder / f"postgres_{role}_password").read_text().strip()
        made.append(
            write(folder, f"database_url_{role}", f"postgres://tock_{role}:{word}@postgres:5432/tock?{DATABASE_TLS}")
        )
    word = (folder / "redis_password").read_text().strip()
    made.append(write(folder, "redis_url", f"rediss://tock:{word}@redis:6379/0?{REDIS_TLS}"))
    digest = hashlib.sha256(word.encode()).hexdigest()
    made.append(write(folder, "redis_users", ACL.format(digest=digest)))
    return made


def write(folder: Path, name: str, text: str) -> str:
    """Write a file that is missing; return its name, empty where it was there."""
    path = folder / name
    if path.exists():
        return ""
    replace(path, text)
    return name


def replace(path: Path, text: str) -> None:
    """Write a file as a whole: it never exists half-written."""
    unfinished = path.with_name(f".{path.name}")
    unfinished.write_text(text)
    unfinished.chmod(0o444)
    os.replace(unfinished, path)


def certificates(folder: Path) -> None:
    """Make an authority, and a certificate for each server between the containers. The authority's key is not kept."""
    with tempfile.TemporaryDirectory() as temporary:
        place = Path(temporary)
        openssl(place, "req", "-x509", *key_to("ca.key"), "-out", "ca.crt", "-days", str(365 * YEARS),
                "-subj", "/CN=Tock League containers",
                "-addext", "keyUsage=critical,keyCertSign,cRLSign")  # fmt: skip
        for name in CERTIFICATES:
            openssl(place, "req", *key_to(f"{name}.key"), "-out", f"{name}.csr", "-subj", f"/CN={name}")
            (place / "names").write_text(
                f"subjectAltName=DNS:{name},DNS:localhost,IP:127.0.0.1\nbasicConstraints=CA:FALSE\n"
                "extendedKeyUsage=serverAuth\nauthorityKeyIdentifier=keyid\n"
            )
            openssl(place, "x509", "-req", "-in", f"{name}.csr", "-CA", "ca.crt", "-CAkey", "ca.key", "-CAcreateserial",
                    "-days", str(365 * YEARS), "-extfile", "names", "-out", f"{name}.crt")  # fmt: skip
        replace(folder / "ca_certificate", (place / "ca.crt").read_text())
        for name in CERTIFICATES:
            replace(folder / f"{name}_certificate", (place / f"{name}.crt").read_text())
            replace(folder / f"{name}_certificate_key", (place / f"{name}.key").read_text())


def key_to(name: str) -> list[str]:
    """Return the words for a new key on the curve P-256, without a passphrase."""
    return ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-keyout", name]


def openssl(place: Path, *words: str) -> None:
    """Run openssl in a folder; stop with its last lines when it fails."""
    try:
        done = subprocess.run(["openssl", *words], cwd=place, capture_output=True, text=True)
    except FileNotFoundError:
        sys.exit("The program openssl is missing; install it and run this again.")
    if done.returncode:
        sys.exit(f"openssl failed: {done.stderr.strip()[-500:]}")


if __name__ == "__main__":
    main()
