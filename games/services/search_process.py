"""The process in which a bot searches: questions on standard input, answers on standard output, one line of JSON each.

`games.services.search_pool` starts it as `python -m games.services.search_process`. It loads the engine and the bots,
neither Django nor a database driver, and gets no settings: all it knows of a game is the view of one seat. It runs at a
low priority.

It ends with its parent, for whatever reason, because its input is closed then. A running search is told that time is
up.
"""

import json
import os
import random
import signal
import sys
import threading
import traceback
from collections.abc import Mapping
from queue import SimpleQueue
from typing import Any

from games.bots import at_table
from games.engine import registry
from tock_league.common import clock

NICE = 10  # the processes that serve people go first
LAST_WORDS_S = 1.0  # for a search to notice that time is up; then the process ends without an answer


def main() -> None:
    """Answer questions until the input ends."""
    for name in ("SIGINT", "SIGTERM"):  # the parent handles a signal to the whole group and then ends this process
        signal.signal(getattr(signal, name), signal.SIG_IGN)
    if hasattr(os, "nice"):  # Windows has none
        os.nice(NICE)
    registry.entries()
    questions: SimpleQueue[bytes | None] = SimpleQueue()
    leaving = threading.Event()
    threading.Thread(target=_listen, args=(questions, leaving), daemon=True).start()
    _say({"ready": os.getpid()})
    while (line := questions.get()) is not None:
        _say(answer(json.loads(line), leaving))


def answer(question: Mapping[str, Any], leaving: threading.Event) -> dict[str, str]:
    """Return {"line": the play} or {"fault": a traceback}.

    `question`: `view`, `legal`, `level`, `seat` and `seen` as for `at_table.answer`; `seed` of its random
    numbers; `seconds` that it may take. When `leaving` is set, time is up at once.
    """
    until = clock.monotonic() + question["seconds"]
    given = {name: question[name] for name in ("view", "legal", "level", "seat", "seen")}
    roll = random.Random(question["seed"]).randrange  # nosec B311: which deals are tried; the seed is unguessable
    try:
        line = at_table.answer(**given, roll=roll, time_up=lambda: leaving.is_set() or clock.monotonic() > until)
    except Exception:
        return {"fault": traceback.format_exc()}
    return {"line": line}


def _listen(questions: "SimpleQueue[bytes | None]", leaving: threading.Event) -> None:
    """Pass the questions on; at the end of the input tell the search to end, and end the process if it does not."""
    for line in sys.stdin.buffer:
        questions.put(line)
    leaving.set()
    questions.put(None)
    clock.pause(LAST_WORDS_S)
    os._exit(1)


def _say(word: Mapping[str, Any]) -> None:
    try:
        sys.stdout.buffer.write(json.dumps(word).encode("ascii") + b"\n")
        sys.stdout.buffer.flush()
    except BrokenPipeError:  # the parent has ended
        os._exit(0)


if __name__ == "__main__":
    main()
