"""QR codes as rectangles, so that they are sharp on every printer; by the library qrcode."""

from fpdf import FPDF
from qrcode.constants import ERROR_CORRECT_M
from qrcode.main import QRCode

QUIET = 4  # modules of white around a code, as ISO/IEC 18004 asks


def draw_code(document: FPDF, text: str, x: float, y: float, side: float) -> None:
    """Draw the code of a text in a square; `side` in millimetres, with the white around it."""
    code = QRCode(error_correction=ERROR_CORRECT_M, border=QUIET)
    code.add_data(text)
    rows = code.get_matrix()
    module = side / len(rows)
    document.set_fill_color(0)
    for line, row in enumerate(rows):
        for first, last in _runs(row):
            document.rect(x + first * module, y + line * module, (last - first) * module, module, style="F")


def _runs(row: list[bool]) -> list[tuple[int, int]]:
    """Return where dark modules begin and end in a row: one rectangle for neighbours makes the file small."""
    found, first = [], None
    for place, dark in enumerate([*row, False]):
        if dark and first is None:
            first = place
        elif not dark and first is not None:
            found.append((first, place))
            first = None
    return found
