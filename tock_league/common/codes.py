"""A QR code of an address, as the path of an SVG drawing, sharp at every size; by the library qrcode."""

from dataclasses import dataclass

from qrcode.constants import ERROR_CORRECT_M
from qrcode.main import QRCode

QUIET = 4  # modules of white around a code, as ISO/IEC 18004 asks


@dataclass(frozen=True)
class Code:
    """A code: `side` in modules with the white around it, `path` of its dark modules, `text` that it says."""

    text: str
    side: int
    path: str


def code_of(text: str) -> Code:
    """Return the code of a text, an address of the site."""
    code = QRCode(error_correction=ERROR_CORRECT_M, border=QUIET)
    code.add_data(text)
    rows = code.get_matrix()
    dark = (f"M{x} {y}h1v1h-1z" for y, row in enumerate(rows) for x, is_dark in enumerate(row) if is_dark)
    return Code(text, len(rows), "".join(dark))
