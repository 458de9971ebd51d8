"""Scripts: written with comments that carry their types and with indentation, served without both.

Types are JSDoc comments (static/live/types.js, tests/javascript), a fifth of the bytes of a page. The finder here offers each
script with empty lines in place of its comments, so that the line numbers in a browser are those of the source. Indentation is
another 3 % of the compressed bytes.
The choice: docs/decisions/0018-scripts-are-served-without-comments.md.
"""

import re
from pathlib import Path

from django.conf import settings

from tock_league.common.prepared import PreparedFilesFinder

# A comment that has its lines to itself. One behind code stays, for only a parser can tell it from a text.
COMMENT = re.compile(r"^[ \t]*(?://.*|/\*(?:(?!\*/)[\s\S])*\*/[ \t]*)$", re.MULTILINE)


INDENTATION = re.compile(r"^[ \t]+", re.MULTILINE)


def compact(script: str) -> str:
    """Return the script without indentation, with an empty line for each line of a comment; trailing comments stay.

    No text of a script may span lines: a template literal does not (tests/architecture/test_scripts.py).
    """
    return INDENTATION.sub("", COMMENT.sub(lambda found: "\n" * found[0].count("\n"), script))


class BareScriptsFinder(PreparedFilesFinder):
    """Offers the scripts without comments and indentation."""

    def sources(self) -> dict[str, Path]:
        """Return each script below static/."""
        root = settings.ROOT / "static"
        return {path.relative_to(root).as_posix(): path for path in sorted(root.rglob("*.js"))}

    def text(self, source: Path) -> str:
        """Return the script `source` without comments and indentation."""
        return compact(source.read_text(encoding="utf-8"))
