"""The guided first game: lessons on fixed positions with fixed cards, played by the real engine."""

from .course import LESSONS, following, lesson
from .parts import RULES, Lesson, Task
from .table import OtherGoal, Walk, answer_of, boot_of, start, walk

__all__ = [
    "LESSONS",
    "RULES",
    "Lesson",
    "OtherGoal",
    "Task",
    "Walk",
    "answer_of",
    "boot_of",
    "following",
    "lesson",
    "start",
    "walk",
]
