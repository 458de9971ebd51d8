"""The Markdown of the rules pages: what is supported, and that everything else is refused or escaped."""

import re

import pytest

from tock_league.pages.markdown import render
from tock_league.pages.rules import parts_of


@pytest.mark.parametrize(
    ("source", "html"),
    [
        ("# Le tock", '<h1 id="le-tock">Le tock</h1>'),
        ("un\ndeux\n\ntrois", "<p>un deux</p><p>trois</p>"),
        ("- un\n- deux\n  suite", "<ul><li>un</li><li>deux suite</li></ul>"),
        ("1. un\n2. deux", "<ol><li>un</li><li>deux</li></ol>"),
        ("- un\n  - dedans\n- deux", "<ul><li>un<ul><li>dedans</li></ul></li><li>deux</li></ul>"),
        ("texte :\n- un", "<p>texte :</p><ul><li>un</li></ul>"),
        ("**fort** et *doux* et `t12`", "<p><strong>fort</strong> et <em>doux</em> et <code>t12</code></p>"),
        ("> cité", "<blockquote><p>cité</p></blockquote>"),
        ("[ici](/rules/toc/)", '<p><a href="/rules/toc/">ici</a></p>'),
        ("2 * 3 * 4", "<p>2 * 3 * 4</p>"),
        ("<!-- #four-back --> Reculer.", '<p><span class="mark" id="four-back"></span>Reculer.</p>'),
    ],
)
def test_supported_markdown_is_rendered(source, html):
    assert re.sub(r"(?<=>)\n|\n(?=<)", "", render(source)).replace("\n", " ") == html


def test_a_table():
    html = render("| carte | effet |\n| --- | ---: |\n| as | **sortir** |")
    assert '<th scope="col">carte</th>' in html
    assert "<td><strong>sortir</strong></td>" in html
    assert "style=" not in html  # a column alignment would be an inline style, which the site's policy forbids


@pytest.mark.parametrize(
    "source",
    [
        "<script>alert(1)</script>",
        "# <img src=x onerror=alert(1)>",
        "| <b> |\n| --- |\n| <i onclick=x> |",
        "- <svg/onload=alert(1)>",
        "`<b>`",
        "**<b>**",
        '[x](/a"onmouseover="alert(1))',
    ],
)
def test_html_is_text(source):
    html = render(source)
    for tag in ("<script", "<img", "<b>", "<i ", "<svg"):
        assert tag not in html
    assert 'onmouseover="' not in html


@pytest.mark.parametrize("link", ["javascript:alert(1)", "http://x", "//evil.example", "data:text/html,x"])
def test_links_go_to_https_or_to_this_site(link):
    assert "<a" not in render(f"[x]({link})")


def test_parts_by_language():
    parts = parts_of("tout\n<!-- fr -->\nbonjour\n<!-- en -->\nhello")
    assert parts == {"fr": "tout\nbonjour", "en": "tout\nhello"}
    assert parts_of("seul") == {"": "seul"}
