"""The web processes of production: `python -m tock_league.embedded.web --host 0.0.0.0 --port 8000 --workers 2`.

They serve as `serve` does, and stop as it does: tables are told, commands refused, sockets closed with 1012. Which peers may
speak for others is read from FORWARDED_ALLOW_IPS (tock_league.embedded.forwarded).
"""

import argparse
import os
import sys
from collections.abc import Mapping, Sequence

from tock_league.common.proxies import beyond_this_machine

from . import meters
from .forwarded import trusted
from .server import Server, bound_socket, config
from .workers import Workers, run


def main(words: Sequence[str]) -> None:
    """Serve until SIGTERM or SIGINT; a port that is taken or a wrong list of proxies ends it with a sentence."""
    asked = parser().parse_args(words)
    try:
        if warning := distrust(asked.host, trusted()):
            print(warning, file=sys.stderr, flush=True)
    except ValueError as error:
        sys.exit(str(error))
    try:
        listening = bound_socket(asked.host, asked.port)
    except OSError as error:
        sys.exit(f"Cannot listen on {asked.host} port {asked.port}: {error.strerror}.")
    settings = config(workers=asked.workers, timeout_graceful_shutdown=5, **tls(os.environ))
    if asked.workers > 1:
        meters.together()
        Workers(settings, [listening]).run()
    else:
        run(Server(settings), [listening])


def distrust(host: str, entries: list[str]) -> str:
    """Return a warning when peers of other machines can connect to `host` and none of them is a trusted proxy, else ""."""
    if host in ("localhost", "127.0.0.1", "::1") or beyond_this_machine(entries):
        return ""
    return (
        f"Listening on {host}, but FORWARDED_ALLOW_IPS (TRUSTED_PROXIES) trusts this machine only. Behind a proxy with "
        'another address all visitors count as one in the limits: see docs/hosting.md, "The proxy".'
    )


def tls(environment: Mapping[str, str]) -> dict[str, str]:
    """Return uvicorn's settings for https between a proxy and this process, none without TLS_CERTIFICATE. Exits if wrong."""
    names = {"ssl_certfile": "TLS_CERTIFICATE", "ssl_keyfile": "TLS_KEY"}
    found = {setting: environment.get(name, "") for setting, name in names.items()}
    if not any(found.values()):
        return {}
    for setting, path in found.items():
        if not os.access(path, os.R_OK):
            sys.exit(f"{names[setting]} must name a file that can be read, not {path!r}.")
    return found


def parser() -> argparse.ArgumentParser:
    """Return what may be said on the command line."""
    found = argparse.ArgumentParser(prog="python -m tock_league.embedded.web", description="Serve the site.")
    found.add_argument("--host", default="127.0.0.1")
    found.add_argument("--port", type=int, default=8000)
    found.add_argument("--workers", type=int, default=1, help="processes; one for each core")
    return found


if __name__ == "__main__":
    main(sys.argv[1:])
