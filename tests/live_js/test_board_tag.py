"""The board as the server draws it: geometry, layers, names, and no inline style, which the content policy would
refuse."""

import re
from itertools import combinations
from math import dist

import pytest
from django.template import Context, Template
from django.utils.translation import override

from games.templatetags._geometry import BOWL, BOWL_RADIUS, Geometry
from games.templatetags._names import seat_names, short_names
from games.templatetags.board import geometry

from .harness import NAMES, VIEW, boot


def render(text, **context):
    with override("en"):
        return Template("{% load board look %}" + text).render(Context(context))


@pytest.mark.parametrize(("seats", "radius"), [(4, 9.0), (6, 10.46), (8, 12.13)])
def test_places_keep_their_distance(seats, radius):
    g = Geometry(seats)
    assert g.radius == pytest.approx(radius, abs=0.005)
    places = dict(g.places())
    assert len(places) == 18 * seats + 8 * seats
    for space in range(g.length):
        step = dist(g.track(space), g.track(space + 1))
        assert 0.995 <= step <= 1.035, space
    for a, b in combinations(places.values(), 2):
        assert dist(a, b) >= 0.95
    assert all(dist((0, 0), xy) < g.inner for xy in places.values())


@pytest.mark.parametrize("own", [0, 1, 3])
def test_the_own_arm_points_down(own):
    g = Geometry(4, own)
    x, y = g.heaven(own, 1)
    assert x == pytest.approx(0, abs=1e-9)
    assert y > 5
    # the direction is clockwise: the next seat's arm is to the left, as for people around a table
    assert g.heaven((own + 1) % 4, 1)[0] < -5


@pytest.mark.parametrize(("seats", "own"), [(2, 0), (4, 4), (4, -1)])
def test_a_board_that_cannot_be_is_refused(seats, own):
    with pytest.raises(ValueError, match="seat"):
        Geometry(seats, own)


def test_the_browsers_geometry_is_the_drawings():
    data = geometry(4, own=1)
    assert data["places"]["t18"] == [-2.0, 9.0]
    assert data["pieu"] == {"0": 70, "1": 16, "2": 34, "3": 52}
    assert data["half"] > data["bare"] > 9


def test_a_whole_board():
    text = render(
        "{% board seats=4 own=1 marbles=m fresh=f names=n turn=1 pile='3C' %}", m=VIEW["marbles"], f=[1], n=NAMES
    )
    assert text.count('class="marble marble-') == 16
    assert text.count('class="marble-fresh"') == 1
    assert ">OCÉANE<" in text
    assert 'role="img"' in text
    assert text.count('class="board-hole"') == 72 + 32
    assert text.count("<svg") == 1


@pytest.mark.parametrize(
    ("rules", "seats", "sevens", "eights", "bowl"),
    [
        ("shawinigan/1", 4, 4, 4, 0),
        ("tock-air/1", 4, 0, 0, 0),
        ("toc/1", 4, 0, 0, 0),
        ("tock/1", 4, 0, 0, 0),
        ("tock/1", 6, 0, 0, 0),
        ("tock/1", 8, 8, 0, 1),
        ("house/9", 4, 4, 4, 0),
    ],
)
def test_a_board_marks_what_means_something_under_its_rules(rules, seats, sevens, eights, bowl):
    text = render("{% board seats=seats rules=rules %}", seats=seats, rules=rules)
    numbers = [text.count(f">{number}</text>") for number in (7, 8, 18)]
    assert numbers == [sevens, eights, seats]
    assert (text.count("board-seven"), text.count("board-eight"), text.count("board-bowl")) == (sevens, eights, bowl)
    assert ("bowl" in geometry(seats, 0, rules)) == bool(bowl)


@pytest.mark.parametrize("count", [1, 2, 3, 5, 6, 9, 16, 32])
def test_any_number_of_marbles_lies_in_the_centre(count):
    places = Geometry(8).bowl(count)
    assert len(places) == count
    assert all(dist(place, BOWL) + 0.47 <= BOWL_RADIUS for place in places)
    if count <= 5:
        assert all(dist(a, b) >= 0.94 for a, b in combinations(places, 2))


def test_marbles_in_the_centre_are_drawn():
    marbles = {"0": ["x7", "x7", "r", "r"], "3": ["x61", "t3", "h1", "r"]}
    text = render("{% board seats=8 rules='tock/1' marbles=m pile='KD' %}", m=marbles)
    assert text.count('class="marble marble-') == 8
    assert "translate(0 -1.6)" in text  # the pile makes room for the bowl


@pytest.mark.parametrize(
    ("tag", "lines"),
    [
        ("{% card 'KD' rules='tock/1' seats=8 %}", ["out · 13", "centre"]),
        ("{% card 'AS' rules='toc/1' %}", ["out · 1 · 11"]),
        ("{% card '5H' %}", ["any marble"]),
        ("{% card 'JK' %}", ["out · 18"]),
        ("{% card '4H' effect=False %}", []),
        ("{% card '9H' rules='house/9' %}", ["forward 9"]),
    ],
)
def test_what_a_card_does_is_printed_at_its_foot(tag, lines):
    assert re.findall(r'class="card-effect"[^>]*>([^<]*)<', render(tag)) == lines


def test_names_are_escaped_and_told_apart():
    text = render("{% board seats=4 names=n %}", n=["<b>Jean</b> Roy", "Lise A", "Lise B", "Guy"])
    assert "<b>" not in text.lower().replace("<b ", "")
    assert "&lt;B&gt;JEAN" in text
    assert short_names(["Lise A", "Lise B", "Guy C"]) == ["Lise A", "Lise B", "Guy"]


def test_guests_and_programs_have_names():
    with override("en"):
        assert seat_names(boot(names=["", "", "Océane", ""], bots=["", "club", "", "novice"])) == [
            "Guest",
            "Bot B",
            "Océane",
            "Bot D",
        ]


def test_nothing_carries_inline_style_or_handlers():
    text = render(
        "{% sprite %}{% board seats=8 live=True %}{% card 'KS' %}{% card 'JK' %}{% card '??' %}{% marble 3 40 'Yvon' %}"
        "{% target 'eat' %}{% target 'swap' %}{% icon 'eye' %}{% progress 2 6 'Cards given' %}"
    )
    assert not re.search(r"\s(style|on\w+)=", text)
    assert 'aria-label="king of spades"' in text
    assert 'aria-label="Yvon"' in text
    assert 'width="33.3%"' in text
    ids = re.findall(r'\sid="([^"]+)"', text)
    assert len(ids) == len(set(ids))


@pytest.mark.parametrize(
    "tag", ["{% marble 9 %}", "{% marble 'z' %}", "{% target 'jump' %}", "{% icon 'nothing' %}", "{% card 'KX' %}"]
)
def test_what_does_not_exist_is_refused(tag):
    with pytest.raises((ValueError, KeyError)):
        render(tag)
