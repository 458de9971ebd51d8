"""Version 2026/1 for Tractor: no card is burned; the steps are caution, warning and points. See docs/arbitration.md."""

from datetime import date
from types import MappingProxyType

from ..penalties import Infraction, PenaltyTable, Step, Words
from .v2026_1 import TABLE as TOCK

TABLE = PenaltyTable(
    version="2026/1-tractor",
    game="tractor",
    effective_from=date(2026, 1, 1),
    suspension_days=90,
    penalties=MappingProxyType({code: words for code, words in TOCK.penalties.items() if code != "blind_burn"}),
    rows=(
        Infraction(
            "talk",
            "talk",
            TOCK.row("talk").infraction,
            Words(
                "La partie continue\u00a0; ce qui a été appris ne sert à rien de plus",
                "Play goes on; what was learned is used no further",
                "La partida sigue; lo que se supo ya no se usa",
            ),
            (Step("warning"), Step("warning_point", up_to="game_forfeit"), Step("game_forfeit")),
            (),
        ),
        Infraction(
            "talk_play",
            "talk",
            Words(
                "Information qui a clairement choisi les cartes du partenaire",
                "Information that plainly chose the partner’s cards",
                "Información que eligió claramente las cartas del compañero",
            ),
            Words(
                "Les cartes jouées sont reprises si rien n’a été joué depuis",
                "The cards played are taken back if nothing has been played since",
                "Las cartas jugadas se retiran si no se ha jugado nada después",
            ),
            (Step("warning_point"), Step("game_forfeit"), Step("match_forfeit")),
            ("rewind",),
        ),
        Infraction(
            "take_back",
            "take_back",
            Words(
                "Carte jouée qu’on veut reprendre",
                "A card played that somebody wants back",
                "Carta jugada que alguien quiere retirar",
            ),
            Words("La carte jouée reste jouée", "The card played stays played", "La carta jugada queda jugada"),
            (Step("caution"), Step("warning"), Step("warning_point")),
            (),
        ),
        Infraction(
            "illegal",
            "illegal",
            Words(
                "Coup interdit accepté par la table\u00a0: couleur ou paire non fournie, mauvais nombre de cartes",
                "Illegal play accepted by the table: a suit or a pair not followed, a wrong number of cards",
                "Jugada prohibida aceptada por la mesa: palo o par no seguido, número de cartas equivocado",
            ),
            Words(
                "Les cartes sont reprises si rien n’a été joué depuis, sinon la partie continue",
                "The cards are taken back if nothing has been played since, else play goes on",
                "Las cartas se retiran si no se ha jugado nada después; si no, la partida sigue",
            ),
            (Step("caution"), Step("warning"), Step("warning_point")),
            ("rewind", "clock"),
        ),
        Infraction(
            "exposed",
            "exposed",
            TOCK.row("exposed").infraction,
            TOCK.row("exposed").remedy,
            (Step("warning"), Step("warning_point"), Step("game_forfeit")),
            (),
        ),
        TOCK.row("clock"),
        TOCK.row("late"),
        TOCK.row("abuse"),
    ),
)
