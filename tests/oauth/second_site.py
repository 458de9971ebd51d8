"""A real second site: it sends people to Tock League, takes them back, and greets them by what the API says."""

import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, urlsplit

from authlib.common.security import generate_token
from authlib.integrations.requests_client import OAuth2Session

from tock_league.oauth import services

PAGE = "<!doctype html><html lang=en><title>Quilles</title><link rel=icon href=data:,><h1>{}</h1><a href='{}'>Connect</a></html>"


class SecondSite:
    """An HTTP server on a port of its own; a confidential application with Authlib's client."""

    def __init__(self, site: str) -> None:
        self.site = site
        self.made: services.Made | None = None
        self.scope = "read play"
        self.waiting: dict[str, str] = {}  # the verifier of each request, by its state
        self.answers: list[dict[str, str]] = []
        self.server = ThreadingHTTPServer(("127.0.0.1", 0), self._handler())
        self.thread = threading.Thread(target=self.server.serve_forever, daemon=True)
        self.thread.start()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server.server_port}"

    def stop(self) -> None:
        self.server.shutdown()
        self.thread.join()
        self.server.server_close()

    def session(self) -> OAuth2Session:
        assert self.made is not None
        return OAuth2Session(
            self.made.application.client_id,
            self.made.secret,
            scope=self.scope,
            redirect_uri=f"{self.url}/retour",
            code_challenge_method="S256",
        )

    def begin(self) -> str:
        """Return where the link leads, and keep the verifier."""
        verifier = generate_token(64)
        address, state = self.session().create_authorization_url(f"{self.site}/oauth/authorize", code_verifier=verifier)
        self.waiting[state] = verifier
        return str(address)

    def finish(self, query: str) -> str:
        """Return what the person is told who comes back."""
        said = {name: values[0] for name, values in parse_qs(query).items()}
        self.answers.append(said)
        verifier = self.waiting.pop(said.get("state", ""), "")
        if not verifier or said.get("iss") != self.site:
            return "Not what was asked"
        if "error" in said:
            return f"Refused: {said['error']}"
        session = self.session()
        session.fetch_token(f"{self.site}/oauth/token", code=said["code"], code_verifier=verifier)
        return f"Hello {session.get(f'{self.site}/api/v1/me').json()['player']['name']}"

    def _handler(self) -> type[BaseHTTPRequestHandler]:
        site = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                parts = urlsplit(self.path)
                text = site.finish(parts.query) if parts.path == "/retour" else "Quilles"
                body = PAGE.format(text, site.begin().replace("&", "&amp;")).encode()
                self.send_response(200)
                self.send_header("Content-Type", "text/html; charset=utf-8")
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *_what: Any) -> None:
                pass

        return Handler
