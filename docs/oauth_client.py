"""A program that asks a person for access: python oauth_client.py https://site CLIENT_ID; docs/oauth.md explains it.

It needs Authlib and requests, and an application that runs on a computer, with the address http://127.0.0.1/return.
"""

import sys
import webbrowser
from http.server import BaseHTTPRequestHandler, HTTPServer
from urllib.parse import parse_qs, urlsplit

import requests
from authlib.common.security import generate_token
from authlib.integrations.requests_client import OAuth2Session


def answer_to(server):  # wait for the browser to come back, and return the address at which it does
    class Return(BaseHTTPRequestHandler):
        def do_GET(self):
            server.came = self.path if self.path.startswith("/return?") else server.came
            self.send_response(200)
            self.end_headers()
            self.wfile.write(b"Done. You may close this page.")

        def log_message(self, *_what):  # the address holds the code: it belongs in no log
            pass

    server.came, server.RequestHandlerClass = "", Return
    while not server.came:
        server.handle_request()
    return f"http://127.0.0.1:{server.server_port}{server.came}"


def connect(site, client_id, scope="read play", browse=webbrowser.open):  # return a session that acts for the person
    told = requests.get(f"{site}/.well-known/oauth-authorization-server", timeout=10).json()
    with HTTPServer(("127.0.0.1", 0), BaseHTTPRequestHandler) as server:  # any free port
        session = OAuth2Session(
            client_id,
            scope=scope,
            redirect_uri=f"http://127.0.0.1:{server.server_port}/return",
            token_endpoint_auth_method="none",
            code_challenge_method="S256",
            token_endpoint=told["token_endpoint"],  # an access token that has expired is renewed by itself
        )
        verifier = generate_token(64)
        address, state = session.create_authorization_url(told["authorization_endpoint"], code_verifier=verifier)
        browse(address)
        came = answer_to(server)
    said = {name: values[0] for name, values in parse_qs(urlsplit(came).query).items()}
    if said.get("state") != state or said.get("iss") != told["issuer"]:
        raise SystemExit("This is not the answer to what was asked.")
    if "error" in said:
        raise SystemExit(f"No access: {said['error']}")
    session.fetch_token(told["token_endpoint"], code=said["code"], code_verifier=verifier)
    return session


if __name__ == "__main__":
    site, client_id = sys.argv[1:]
    print(connect(site, client_id).get(f"{site}/api/v1/me").json())
