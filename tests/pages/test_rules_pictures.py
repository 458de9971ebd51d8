"""The pictures, the contents and the search of the rules pages.

Each picture's play is one that the engine accepts at its position, and what is drawn is what the engine says of it.
"""

import re
from html import unescape

import pytest
from django.test import Client
from django.urls import reverse
from django.utils.safestring import mark_safe

from games.engine import registry
from games.templatetags import _leads, pictures
from games.templatetags._geometry import Geometry
from games.templatetags._ways import places, point
from tests.every import every
from tock_league.pages import finding, rules

ENGLISH = {"accept-language": "en"}
EVERY = [(name, picture) for name, many in pictures.PICTURES.items() for picture in many]
PLAYED = [pair for pair in EVERY if pair[1].play]
IDS = [f"{name} {picture.play}" for name, picture in PLAYED]


@every("name, picture", PLAYED)
def test_each_play_is_legal_in_the_engine(name: str, picture: pictures.Picture) -> None:
    engine = registry.game(name)
    p = engine.from_json(picture.position(name))
    assert engine.to_act(p) == frozenset({0})
    play = engine.parse_play(p, picture.play, 0)
    assert engine.is_legal(p, play, 0)
    reached = engine.apply(p, play, 0)
    assert any(engine.apply(p, listed, 0) == reached for listed in engine.legal_plays(p, 0))
    if picture.play.startswith("burn"):
        assert all(engine.play_text(listed).startswith("burn") for listed in engine.legal_plays(p, 0))


@every("name, picture", PLAYED)
def test_what_is_drawn_is_what_the_engine_says(name: str, picture: pictures.Picture) -> None:
    """A line for each move, a cross for each marble eaten, and the ends at the places where the marbles stand afterwards."""
    facts = pictures.facts_of(picture, name)
    drawn = str(pictures.figure(name, pictures.pictures_of(name).index(picture)))
    moves = [fact for fact in facts if fact[0] in ("move", "jump", "out", "swap")]
    assert len(re.findall(r'class="board-last', drawn)) == len(moves)
    g, engine = Geometry(picture.seats), registry.game(name)
    p = engine.from_json(picture.position(name))
    after = engine.to_json(engine.apply(p, engine.parse_play(p, picture.play, 0), 0))["marbles"]
    for word, seat, *about in moves:
        if word == "swap" or (word == "move" and any(fact[0] == "jump" for fact in facts)):
            continue
        end = about[0] if word == "out" else about[1]
        assert end in after[seat]
        x, y = point(g, seat, end)
        assert re.search(rf"{x:.2f}".rstrip("0").rstrip("."), drawn)
        assert re.search(rf"{y:.2f}".rstrip("0").rstrip("."), drawn)


@pytest.mark.parametrize("picture", _leads.CARDS, ids=lambda one: one.line)
def test_each_show_and_lead_of_tractor_is_legal_and_stands_as_led(picture: _leads.Cards) -> None:
    engine, p = registry.game("tractor/1"), picture.position
    play = engine.parse_play(p, picture.line, 0)
    assert engine.is_legal(p, play, 0)
    after = engine.to_json(engine.apply(p, play, 0))
    if picture.line.startswith("play"):
        assert sorted(after["trick"][0]) == sorted(picture.cards)  # a throw that fails would lead fewer
        assert "failed" not in after
    else:
        assert after["show"] == {"seat": 0, "cards": picture.cards}
    drawn = str(pictures.cards_figure(picture))
    assert drawn.count("<svg") == len(picture.cards)


@pytest.mark.parametrize("language", ["fr", "en", "es"])
def test_tractors_pictures_stand_below_their_headings(language: str) -> None:
    page = rules.page("tractor-1", language)
    for heading in {picture.heading for picture in _leads.CARDS}:
        below = page.text.split(f'id="{heading}"')[1].split("</h", 1)[1]
        assert below[2:].startswith('<figure class="rules-figure">'), heading
    assert page.text.count("<figure") == len(_leads.CARDS)


def test_a_way_has_as_many_steps_as_its_card() -> None:
    g = Geometry(4)
    assert len(places(g, 0, "t67", "h3", back=False)) == 7
    assert places(g, 0, "t0", "t68", back=True) == ["t0", "t71", "t70", "t69", "t68"]
    assert places(g, 1, "h1", "h3", back=False) == ["h1", "h2", "h3"]
    assert places(g, 0, "t70", "t1", back=False) == ["t70", "t71", "t0", "t1"]


@pytest.mark.parametrize("language", ["fr", "en", "es"])
@pytest.mark.parametrize("name", pictures.PICTURES)
def test_each_picture_stands_below_its_heading_in_every_language(name: str, language: str) -> None:
    page = rules.page(name.replace("/", "-"), language)
    assert page.text.count("<figure") == page.text.count("<figcaption>") == len(pictures.PICTURES[name])
    for picture in pictures.PICTURES[name]:
        below = page.text.split(f'id="{picture.heading}"')[1].split("</h", 1)[1]
        assert below[2:].startswith('<figure class="rules-figure">'), picture.heading
    names = re.findall(r'role="img" aria-label="([^"]+)"', page.text)
    assert len(names) == sum(2 if picture.play else 1 for picture in pictures.PICTURES[name])
    grounds = re.findall(r'<g id="(ground-\d)">', page.text)
    assert sorted(set(re.findall(r'href="#(ground-\d)"', page.text)) - set(grounds)) == []
    assert len(grounds) == len(set(grounds))


@pytest.mark.parametrize("name", registry.ids())
def test_the_contents_lead_to_every_heading(name: str) -> None:
    for language in ("fr", "en", "es"):
        page = rules.page(name.replace("/", "-"), language)
        assert len(page.contents) > 8
        assert all(place in page.places for _level, place, _words in page.contents)
        assert len(page.contents) == len(re.findall("<h[23] ", page.text))


def test_words_are_found_without_regard_to_case_and_accents_and_nothing_else_changes() -> None:
    text = mark_safe(
        '<h2 id="a">Le <b>Reculé</b></h2><p title="reculer">On recule &lt;b&gt; &amp; RECULÉ.</p><figure>recule</figure>'
    )
    marked, found = finding.find(text, "recule")
    assert [(one.place, one.heading, one.words) for one in found] == [
        ("found-1", "Le Reculé", "Reculé"),
        ("found-2", "Le Reculé", "recule"),
        ("found-3", "Le Reculé", "RECULÉ"),
    ]
    assert unescape(re.sub("</?mark[^>]*>", "", marked)) == unescape(text)
    assert re.sub("</?mark[^>]*>", "", marked) == text
    assert finding.find(text, "  ")[1] == finding.find(text, "zebra")[1] == []
    assert len(finding.find(mark_safe("<p>" + "ab " * 500 + "</p>"), "ab")[1]) == finding.MOST


def test_the_page_finds_words_without_a_script(client: Client, db: None) -> None:
    address = reverse("pages:rules", args=["shawinigan-1"])
    page = client.get(address, {"q": "  SACRIFICED ", "lang": "en"}, headers=ENGLISH)
    found = page.context["found"]
    assert len(found) > 2
    body = page.content.decode()
    for one in found:
        assert f'<mark id="{one.place}">' in body
        assert f'href="#{one.place}"' in body
    nothing = client.get(address, {"q": "<script>alert(1)</script>", "lang": "en"}, headers=ENGLISH)
    assert "<script>alert" not in nothing.content.decode()
    assert "These words are not on this page" in nothing.content.decode()
    assert client.get(address, {"q": "x" * 5000}).status_code == 200
    assert "<mark" not in client.get(address).content.decode()
