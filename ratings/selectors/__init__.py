"""Reads about ratings: boards, the figures of a player or a pair, histories, chances."""

from .boards import Top, board, tops, unranked
from .club_lists import boards as club_boards
from .clubs import ClubRow, ClubsPage, figure_of, with_figure
from .clubs import compared as clubs_compared
from .comparison import Comparison, comparison
from .corrections import Correction, corrections
from .ladders import is_coming, ladder, ladders, leading
from .pairings import Chance, win_chance
from .profile_pages import ProfilePage, profile_page, rating_of, row_of
from .profiles import Step, Summary, history, pair_summary, player_summary
from .rows import BoardPage, BoardRow
from .trends import Climbers, climbers
from .words import ladder_name

__all__ = [
    "BoardPage",
    "BoardRow",
    "Chance",
    "Climbers",
    "ClubRow",
    "ClubsPage",
    "Comparison",
    "Correction",
    "ProfilePage",
    "Step",
    "Summary",
    "Top",
    "board",
    "climbers",
    "club_boards",
    "clubs_compared",
    "comparison",
    "corrections",
    "figure_of",
    "history",
    "is_coming",
    "ladder",
    "ladder_name",
    "ladders",
    "leading",
    "pair_summary",
    "player_summary",
    "profile_page",
    "rating_of",
    "row_of",
    "tops",
    "unranked",
    "win_chance",
    "with_figure",
]
