"""What a family of games adds above the engine: one folder each, with the name of the family's folder in
`games/engine`.

A family's modules are found by name through `games.engine.registry.part`; no module imports a family. `table.py`
defines TABLE, how the family behaves at the table (`games.fold.Family`); `bots.py` BOTS, its bots
(`games.bots.at_table.Players`); `words.py` NAMES and `counting.py` COUNTING, its texts for people
(`games.families.words`). Its pages are templates found by its name: `games/table_<family>.html` and
`games/replay_<family>.html`.
"""
