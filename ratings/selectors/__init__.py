"""Reads about ratings: boards, the figures of a player or a pair, histories, chances."""

from .boards import BoardPage, ClubRow, board, clubs_board, is_coming, ladder, ladders
from .profiles import Chance, Step, Summary, history, pair_summary, player_summary, subject_row, win_chance
from .rows import BoardRow
from .words import ladder_name

__all__ = [
    "BoardPage",
    "BoardRow",
    "Chance",
    "ClubRow",
    "Step",
    "Summary",
    "board",
    "clubs_board",
    "history",
    "is_coming",
    "ladder",
    "ladder_name",
    "ladders",
    "pair_summary",
    "player_summary",
    "subject_row",
    "win_chance",
]
