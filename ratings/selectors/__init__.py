"""Reads about ratings: boards, the figures of a player or a pair, histories, chances."""

from .boards import Top, board, tops
from .clubs import ClubRow, ClubsPage, figure_of
from .clubs import boards as club_boards
from .clubs import compared as clubs_compared
from .ladders import is_coming, ladder, ladders, leading
from .profiles import Chance, Step, Summary, history, pair_summary, player_summary, subject_row, win_chance
from .rows import BoardPage, BoardRow
from .words import ladder_name

__all__ = [
    "BoardPage",
    "BoardRow",
    "Chance",
    "ClubRow",
    "ClubsPage",
    "Step",
    "Summary",
    "Top",
    "board",
    "club_boards",
    "clubs_compared",
    "figure_of",
    "history",
    "is_coming",
    "ladder",
    "ladder_name",
    "ladders",
    "leading",
    "pair_summary",
    "player_summary",
    "subject_row",
    "tops",
    "win_chance",
]
