"""The colours of tokens.css: text has enough contrast in both themes, and the eight seats can be told apart with every
kind of colour vision.

Contrast is that of WCAG 2.2. Distances are CIEDE2000 (Sharma, Wu and Dalal, 2005); colour-blind sight is simulated with
the matrices of Machado, Oliveira and Fernandes (2009) at severity 1.
"""

import itertools
import math
import operator
import re

import pytest

from .sheets import LOOK

Colour = tuple[float, ...]  # red, green and blue in linear light, 0 to 1; or L, a, b

TEXT, EDGE = 4.5, 3.0  # the minimum ratio of text, and of large text and the edges of controls
PAIRS = [
    *(
        (ink, paper, TEXT)
        for paper in ("page", "card", "sunk")
        for ink in ("ink", "ink-2", "link", "good", "bad", "warn")
    ),
    *((f"on-{paper}", paper, TEXT) for paper in ("primary", "accent", "bar", "wood")),
    *((state, f"{state}-bg", TEXT) for state in ("good", "bad", "warn", "info")),
    *((suit, "face", TEXT) for suit in ("suit-s", "suit-h", "suit-d", "suit-c", "suit-d4", "suit-c4")),
    *((f"seat-{seat}-ink", f"seat-{seat}", TEXT) for seat in "abcdefgh"),
    ("on-primary", "primary-2", TEXT),
    ("on-bar-2", "bar", TEXT),
    ("ink", "info-bg", TEXT),
    ("on-wood", "wood-2", TEXT),
    *((edge, paper, EDGE) for edge in ("line-2", "focus") for paper in ("page", "card")),
    ("target", "wood", EDGE),
]
SIGHTS = {
    "normal": ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
    "protanopia": ((0.152286, 1.052583, -0.204868), (0.114503, 0.786281, 0.099216), (-0.003882, -0.048116, 1.051998)),
    "deuteranopia": ((0.367322, 0.860646, -0.227968), (0.280085, 0.672501, 0.047413), (-0.011820, 0.042940, 0.968881)),
    "tritanopia": ((1.255528, -0.076749, -0.178779), (-0.078411, 0.930809, 0.147602), (0.004733, 0.691367, 0.303900)),
}


def theme(name: str) -> dict[str, Colour]:
    """Return the opaque colours of the theme "light" or "dark" by their token."""
    light, dark = (LOOK / "tokens.css").read_text(encoding="utf-8").split(":root.dark {")
    text = light if name == "light" else light + dark
    return {token: linear(value) for token, value in re.findall(r"--([\w-]+): #([0-9A-F]{6});", text)}


def linear(value: str) -> Colour:
    """Return the colour `RRGGBB` in linear light."""
    parts = (int(value[at : at + 2], 16) / 255 for at in (0, 2, 4))
    return tuple(part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)


def contrast(one: Colour, other: Colour) -> float:
    """Return the contrast ratio, 1 to 21."""
    low, high = sorted(0.2126 * red + 0.7152 * green + 0.0722 * blue for red, green, blue in (one, other))
    return (high + 0.05) / (low + 0.05)


def seen(colour: Colour, sight: str) -> Colour:
    """Return the colour as a person with that kind of colour vision sees it."""
    return tuple(min(1, max(0, sum(map(operator.mul, row, colour)))) for row in SIGHTS[sight])


def lab(colour: Colour) -> Colour:
    """Return the colour in CIELAB under D65."""
    red, green, blue = colour
    x = (0.4124564 * red + 0.3575761 * green + 0.1804375 * blue) / 0.95047
    y = 0.2126729 * red + 0.7151522 * green + 0.0721750 * blue
    z = (0.0193339 * red + 0.1191920 * green + 0.9503041 * blue) / 1.08883
    fx, fy, fz = (part ** (1 / 3) if part > 216 / 24389 else (24389 / 27 * part + 16) / 116 for part in (x, y, z))
    return 116 * fy - 16, 500 * (fx - fy), 200 * (fy - fz)


def distance(one: Colour, other: Colour) -> float:
    """Return the CIEDE2000 distance of two colours in CIELAB; a distance below about 2 is hardly noticeable."""
    (l1, a1, b1), (l2, a2, b2) = one, other
    mean = (math.hypot(a1, b1) + math.hypot(a2, b2)) / 2
    grey = 1.5 - 0.5 * math.sqrt(mean**7 / (mean**7 + 25**7))
    a1, a2 = a1 * grey, a2 * grey
    c1, c2 = math.hypot(a1, b1), math.hypot(a2, b2)
    h1, h2 = math.degrees(math.atan2(b1, a1)) % 360, math.degrees(math.atan2(b2, a2)) % 360
    turn = 0 if c1 * c2 == 0 else (h2 - h1 + 180) % 360 - 180
    hue = h1 + h2 if c1 * c2 == 0 else (h1 + turn / 2) % 360
    bright, chroma = (l1 + l2) / 2, (c1 + c2) / 2
    waves = ((-0.17, 1, -30), (0.24, 2, 0), (0.32, 3, 6), (-0.2, 4, -63))
    weight = 1 + sum(size * math.cos(math.radians(times * hue + shift)) for size, times, shift in waves)
    dl = (l2 - l1) / (1 + 0.015 * (bright - 50) ** 2 / math.sqrt(20 + (bright - 50) ** 2))
    dc = (c2 - c1) / (1 + 0.045 * chroma)
    dh = 2 * math.sqrt(c1 * c2) * math.sin(math.radians(turn / 2)) / (1 + 0.015 * chroma * weight)
    blue = 60 * math.exp(-(((hue - 275) / 25) ** 2))
    twist = -2 * math.sqrt(chroma**7 / (chroma**7 + 25**7)) * math.sin(math.radians(blue))
    return math.sqrt(dl**2 + dc**2 + dh**2 + twist * dc * dh)


@pytest.mark.parametrize("name", ["light", "dark"])
def test_text_and_edges_have_enough_contrast(name: str) -> None:
    colours = theme(name)
    ratios = {(ink, paper): contrast(colours[ink], colours[paper]) / least for ink, paper, least in PAIRS}
    assert {pair: ratio for pair, ratio in ratios.items() if ratio < 1} == {}


@pytest.mark.parametrize(("seats", "least"), [("abcd", 20), ("abcdef", 18), ("abcdefgh", 15)])
@pytest.mark.parametrize("sight", SIGHTS)
def test_seats_differ_for_every_kind_of_colour_vision(seats: str, least: float, sight: str) -> None:
    colours = theme("light")
    found = {seat: lab(seen(colours[f"seat-{seat}"], sight)) for seat in seats}
    near = {one + other: distance(found[one], found[other]) for one, other in itertools.combinations(seats, 2)}
    assert min(near.values()) >= least, min(near.items(), key=lambda pair: pair[1])


def test_the_formulas_give_published_values() -> None:
    assert contrast(linear("FFFFFF"), linear("000000")) == pytest.approx(21)
    assert contrast(linear("777777"), linear("FFFFFF")) == pytest.approx(4.48, abs=0.005)
    # Pairs 1, 9 and 25 of the test data of Sharma, Wu and Dalal.
    assert distance((50, 2.6772, -79.7751), (50, 0, -82.7485)) == pytest.approx(2.0425, abs=0.0001)
    assert distance((50, 2.49, -0.001), (50, -2.49, 0.0009)) == pytest.approx(7.1792, abs=0.0001)
    assert distance((60.2574, -34.0099, 36.2677), (60.4626, -34.1751, 39.4387)) == pytest.approx(1.2644, abs=0.0001)
