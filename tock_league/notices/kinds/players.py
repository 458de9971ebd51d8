from django.utils.translation import gettext_lazy as _

from .kind import Kind

KINDS = (
    Kind(
        "players_merged",
        label=_("A player is merged with me"),
        title=_("%(former)s was merged with you"),
        sentence=_("An administrator has noted that %(former)s is you. The games of both now count for %(kept)s."),
        things={"former": "player", "kept": "player"},
        topic="merge",
        fixed=frozenset({"site"}),
    ),
    Kind(
        "players_separated",
        label=_("A player who was merged with me is separated again"),
        title=_("%(former)s was separated from you"),
        sentence=_("An administrator has noted that %(former)s is not you. The games of each count again for each."),
        things={"former": "player", "kept": "player"},
        topic="merge",
        fixed=frozenset({"site"}),
    ),
    Kind(
        "merge_asked",
        label=_("Somebody with games claims another record (for administrators)"),
        title=_("%(own)s claims the games of %(player)s"),
        sentence=_(
            "%(own)s has shown the code of %(player)s, and both have played. Look at both, and merge or decline."
        ),
        things={"own": "player", "player": "player"},
        topic="merge_asked",
        fixed=frozenset({"site"}),
    ),
)
