"""`python -m games.engine`: reads one JSON request a line, answers one JSON line each, until the input ends."""

import sys

from games.engine.conformance import answer_line


def main() -> None:
    """Return every line that is not blank; the only input and output of the engine."""
    for raw in sys.stdin.buffer:
        line = raw.decode("utf-8", errors="replace").strip()
        if line:
            sys.stdout.write(answer_line(line) + "\n")
            sys.stdout.flush()


if __name__ == "__main__":
    main()
