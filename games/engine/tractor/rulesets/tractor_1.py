"""Tractor (拖拉机, Sheng ji) for four players with two packs, first edition: docs/tractor.md."""

from games.engine.tractor.rules import TractorRules

RULES = TractorRules(id="tractor/1")
