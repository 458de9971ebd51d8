"""All services that write clubs and teams."""

from .clubs import edit_club, end_role, found_club, give_role, join, leave, set_talk
from .invitations import answer, answer_link, invite, invite_by_link, open_or_refuse, revoke
from .news import remove_news, send_news
from .teams import dissolve, form_team, found_team, leave_team, remove_player, rename_team, resize_team, set_place

__all__ = [
    "answer",
    "answer_link",
    "dissolve",
    "edit_club",
    "end_role",
    "form_team",
    "found_club",
    "found_team",
    "give_role",
    "invite",
    "invite_by_link",
    "join",
    "leave",
    "leave_team",
    "open_or_refuse",
    "remove_news",
    "remove_player",
    "rename_team",
    "resize_team",
    "revoke",
    "send_news",
    "set_place",
    "set_talk",
]
