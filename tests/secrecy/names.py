"""Random names for cards: the product's modules that know how a card is spelled are loaded with other spellings.

A card is written `KS` on the wire, which cannot be searched for: every text has two letters. `use` replaces the spelling
in the source of the modules below, before they are imported, so that a card is one random word of sixteen letters
everywhere: on the wire, in the rows, in memory. A place that is not found in a source is an error: then the module has
changed, and so must this table.
"""

import importlib.abc
import importlib.machinery
import importlib.util
import random
import re
import sys
from collections.abc import Sequence
from types import ModuleType
from typing import Any

SUITS, RANKS = "SHDC", ("A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K")
JOKERS = ("JK", "BJ", "RJ")
MARK = "Zq"  # no other word begins like this
NAME = re.compile(rb"Zq[a-z]{14}")

NAMES: dict[str, str] = {}  # by the spelling of every day
RANK_OF: dict[str, str] = {}  # by name; a joker's rank is its name
SUIT_OF: dict[str, str] = {}  # by name; empty for jokers

_CARD = '"Zq[a-z]{14}"'
CHANGES: dict[str, tuple[tuple[str, str], ...]] = {
    "games.engine.cards": (
        ("PLAIN = tuple(rank + suit for", "PLAIN = tuple(NAMES[rank + suit] for"),
        ('text if text in (JOKER, "BJ", "RJ") else text[:-1] for text', "RANK_OF[text] for text"),
    ),
    "games.engine.shuffle": (),
    "games.engine.tock.notation": ((r'r"(JK|(?:10|[2-9AJQK])[SHDC])"', '"(Zq[a-z]{14})"'),),
    "games.engine.tock.rulesets.tock_1": (),
    "games.engine.tock.rulesets.shawinigan_1": (),
    "games.engine.tractor.notation": (
        (r'r"(?:RJ|BJ|(?:10|[2-9AJQK])[SHDC])"', _CARD),
        ("LONGEST = 108 * 4 + 10", "LONGEST = 108 * 17 + 10"),
    ),
    "games.engine.tractor.rules": (),
    "games.engine.tractor.order": (("NUMBER[name + letter]", "NUMBER[NAMES[name + letter]]"),),
    "games.engine.tractor.shows": (("NUMBER[rank + suit]", "NUMBER[NAMES[rank + suit]]"),),
    "games.services.deals": (),
    "games.live.messages": (
        (r're.compile(r"(?:A|[2-9]|10|J|Q|K)[SHDC]|JK")', f"re.compile({_CARD})"),
        (
            r're.compile(r"(?:(?:A|[2-9]|10|J|Q|K)[SHDC]|RJ|BJ)(?: (?:(?:A|[2-9]|10|J|Q|K)[SHDC]|RJ|BJ)){0,32}")',
            're.compile("Zq[a-z]{14}(?: Zq[a-z]{14}){0,32}")',
        ),
        ("[ -~]{1,200}", "[ -~]{1,900}"),
    ),
    "games.bots.novice": (),
    "games.bots.default": (
        ("card if card == JOKER else card[:-1]", "RANK_OF.get(card, card)"),
        ("0 if card == JOKER else SUITS.find(card[-1:])", "SUITS.find(SUIT_OF.get(card, '')[:1] or 'S')"),
    ),
    "games.bots.tractor.default": (("TEXTS[card][-1]", "SUIT_OF[TEXTS[card]]"),),
    # What is drawn has the name in it too.
    "games.templatetags._pieces": (
        ("rank, suit = card[:-1], card[-1]", "rank, suit = RANK_OF.get(card, card[:-1]), SUIT_OF.get(card, card[-1:])"),
        ("""base = '<rect class="card-face\"""", """base = f'<!--{card}-->' '<rect class="card-face\""""),
    ),
    "games.templatetags.tractor": (
        ("rank, suit = name[:-1], name[-1]", "rank, suit = RANK_OF.get(name, name[:-1]), SUIT_OF.get(name, name[-1:])"),
        ("""f'<svg class="card" viewBox""", """f'<svg data-card="{name}" class="card" viewBox"""),
    ),
    "games.templatetags.board": (("name[:-1]", "RANK_OF.get(name, name[:-1])"),),
    "games.bots.tractor.choice": (('"suit": text[-1]', '"suit": SUIT_OF[text]'),),
}


def use(seed: int) -> None:
    """Draw names from a seed and let all modules use them; before any of them is imported."""
    early = sorted(set(CHANGES) & set(sys.modules))
    if early:
        raise RuntimeError(f"imported already: {', '.join(early)}")
    roll = random.Random(f"names {seed}")
    for card in (*(rank + suit for suit in SUITS for rank in RANKS), *JOKERS):
        name = MARK + "".join(roll.choices("abcdefghijklmnopqrstuvwxyz", k=14))
        NAMES[card] = name
        RANK_OF[name] = name if card in JOKERS else card[:-1]
        SUIT_OF[name] = "" if card in JOKERS else card[-1]
    sys.meta_path.insert(0, _Finder())


class _Finder(importlib.abc.MetaPathFinder):
    """Finds the modules of CHANGES and gives them the loader below."""

    def find_spec(self, name: str, path: Sequence[str] | None, target: ModuleType | None = None) -> Any:
        if name not in CHANGES:
            return None
        spec = importlib.machinery.PathFinder.find_spec(name, path)
        assert spec is not None
        assert spec.origin is not None
        spec.loader = _Loader(name, spec.origin)
        return spec


class _Loader(importlib.machinery.SourceFileLoader):
    """Loads a module from its changed source, with the names in its globals; nothing is kept as bytecode."""

    def get_code(self, fullname: str) -> Any:
        source = self.get_data(self.path).decode("utf-8")
        for old, new in CHANGES[fullname]:
            if old not in source:
                raise RuntimeError(f"{fullname} has changed: {old!r} is not there")
            source = source.replace(old, new)
        for joker in JOKERS:
            source = source.replace(f'"{joker}"', f'"{NAMES[joker]}"')
        return compile(source, self.path, "exec")

    def exec_module(self, module: ModuleType) -> None:
        module.__dict__.update(NAMES=NAMES, RANK_OF=RANK_OF, SUIT_OF=SUIT_OF)
        super().exec_module(module)
