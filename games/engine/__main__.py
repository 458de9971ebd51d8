"""`python -m games.engine`: read one JSON request per line and write one JSON answer per line, until the input ends.

`python -m games.engine perft FILE [DEPTH]` verifies a file of position counts instead (docs/engine/perft.md).
"""

import json
import sys

from games.engine import perft
from games.engine.conformance import answer_line


def main(arguments: list[str]) -> int:
    """Return the exit status: 0 for success, 1 when counts differ, 2 for wrong arguments."""
    if not arguments:
        _serve()
        return 0
    if (
        arguments[0] == "perft"
        and len(arguments) in (2, 3)
        and "".join(arguments[2:]).isdecimal() == bool(arguments[2:])
    ):
        return _verify(arguments[1], int(arguments[2]) if arguments[2:] else 10)
    sys.stderr.write("usage: python -m games.engine [perft FILE [DEPTH]]\n")
    return 2


def _serve() -> None:
    """Write one answer for each line that is not blank."""
    for raw in sys.stdin.buffer:
        line = raw.decode("utf-8", errors="replace").strip()
        if line:
            sys.stdout.write(answer_line(line) + "\n")
            sys.stdout.flush()


def _verify(path: str, depth: int) -> int:
    with open(path, encoding="utf-8") as file:
        corpus = json.load(file)
    wrong = 0
    for name, differences in perft.verify(corpus, depth):
        wrong += bool(differences)
        sys.stdout.write("\n".join(differences or [f"{name}: ok"]) + "\n")
        sys.stdout.flush()
    return int(wrong > 0)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
