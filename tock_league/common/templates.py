"""Templates: written with indentation, served without it.

One tag a line makes the templates readable, and indentation would be a quarter of the bytes of a page. The loader removes it
when a template is compiled. Lines keep their numbers, so that an error names the line of the source.
"""

import re

from django.template.base import Origin
from django.template.loaders import filesystem

INDENTATION = re.compile(r"^[ \t]+", re.MULTILINE)


class Loader(filesystem.Loader):
    """Loads the project's templates without indentation.

    White space at the beginning of a line means nothing in HTML, except inside `pre` and `textarea` and in a translated
    text that spans lines: `tests/architecture/test_templates.py` refuses these in a template.
    """

    def get_contents(self, origin: Origin) -> str:
        """Return the template's source; that of a text, such as a mail, is not changed."""
        contents = super().get_contents(origin)
        return INDENTATION.sub("", contents) if str(origin.name).endswith((".html", ".svg")) else contents
