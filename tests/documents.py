"""HTML documents as tests compare them. White space between tags only shows where a template's lines break, so it is
ignored."""

import re


def squeezed(document: str) -> str:
    """Return an HTML document without white space beside tags, with one space wherever else there is white space."""
    single = re.sub(r"\s+", " ", document)
    return re.sub(r" ?(</?[a-zA-Z][^>]*?) ?(/?>) ?", r"\1\2", single)
