"""A bot that plays one whole game: python bot_client.py https://site TOKEN [CODE]; docs/bot-accounts.md explains it."""

import json
import random
import sys
import time
from urllib.request import Request, urlopen
from uuid import uuid4

from websockets.sync.client import connect


def call(site, token, path, body=None):  # the REST API; what writes needs a key of its own
    headers = {"Authorization": f"Bearer {token}", "Content-Type": "application/json", "Idempotency-Key": uuid4().hex}
    with urlopen(Request(f"{site}/api/v1/{path}", body and json.dumps(body).encode(), headers)) as answer:
        return json.load(answer)


def merge(old, new):  # a JSON merge patch, RFC 7396
    old = old if isinstance(old, dict) else {}
    both = old | {key: merge(old.get(key), value) if isinstance(value, dict) else value for key, value in new.items()}
    return {key: value for key, value in both.items() if value is not None}


def play(site, token, code="", table="", choose=random.choice, pause=0.5):  # at a casual table, or where it has a seat
    if not code and not table:  # a table of its own, against the bots of the site
        code = call(site, token, "tables", {"rules": "shawinigan/1"})["code"]
        call(site, token, f"tables/{code}/begin", {"fill": True})
    while not table:  # it waits for others, and for somebody to begin
        room = call(site, token, f"tables/{code}")
        if room["my_seat"] is None:
            call(site, token, f"tables/{code}/sit", {"seat": next(n["seat"] for n in room["seats"] if not n["name"])})
        table = room["table"] if room["state"] != "waiting" else time.sleep(2)
    auth, view, seq, mark, sent = {"Authorization": f"Bearer {token}"}, {}, 0, "", {}
    with connect(f"ws{site[4:]}/ws/table/{table}", subprotocols=["tock.table.v1"], additional_headers=auth) as socket:
        socket.send(json.dumps({"t": "join", "table": table, "as": "seat"}))
        while "result" not in view:
            try:
                frame = json.loads(socket.recv(timeout=4))
            except TimeoutError:  # a heartbeat, so that nothing is missed and the socket stays open
                socket.send(json.dumps({"t": "hb", "n": 1, "have": seq, "hash": mark}))
                continue
            if frame["t"] == "snap":
                view, seq, mark = frame["view"], frame["seq"], frame["hash"]
            for event in [event for event in frame.get("list", ()) if event["seq"] > seq]:
                view, seq, mark = merge(view, event["set"]), event["seq"], frame["hash"]
            kind = "ready" if view.get("phase") == "seating" else "play" if view.get("legal") else ""
            if kind and sent.get("turn") != view["decision"]:  # one command for each decision
                args = {"play": choose(view["legal"])} if kind == "play" else {}
                sent = {"t": "cmd", "id": str(uuid4()), "turn": view["decision"], "kind": kind, "args": args}
            elif frame["t"] != "nak" or not frame["retry"]:  # a nak to retry: too fast, or the table is frozen
                continue
            time.sleep(pause)  # a seat may send twenty commands in ten seconds
            socket.send(json.dumps(sent))
    return view["result"]


if __name__ == "__main__":
    print(play(*sys.argv[1:]))
