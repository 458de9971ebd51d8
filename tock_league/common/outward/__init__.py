"""Requests to addresses that people of the site, or their browsers, have given.

The site's server connects to them. Without checks somebody could make it connect to machines that only the server reaches
(SSRF): its own services, its network, the metadata service of a cloud. So a name is resolved at every request, each numeric
address that it has is judged, and the connection goes to a judged one: a name that gives another address a moment later (DNS
rebinding) changes nothing. No redirect is followed, and no proxy of the environment is used.
"""

from .addresses import USUAL, NotPublic, Target, Unknown, is_public, resolved
from .posting import Answer, Limits, post

__all__ = ["USUAL", "Answer", "Limits", "NotPublic", "Target", "Unknown", "is_public", "post", "resolved"]
