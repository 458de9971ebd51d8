"""Version 2026/1, the first one. The row on talking follows the official rule. See docs/arbitration.md."""

from datetime import date
from types import MappingProxyType

from ..penalties import Infraction, PenaltyTable, Step, Words

TABLE = PenaltyTable(
    version="2026/1",
    effective_from=date(2026, 1, 1),
    suspension_days=90,
    penalties=MappingProxyType(
        {
            "none": Words("aucune sanction", "no penalty", "sin sanción"),
            "caution": Words("rappel", "caution", "llamado de atención"),
            "warning": Words("avertissement inscrit", "recorded warning", "advertencia registrada"),
            "warning_point": Words(
                "avertissement et un point de match",
                "warning and one match point",
                "advertencia y un punto de encuentro",
            ),
            "blind_burn": Words(
                "une carte brûlée à l’aveugle, tour passé",
                "one card burned blind, turn passed",
                "una carta quemada a ciegas, turno perdido",
            ),
            "game_forfeit": Words("partie perdue", "game forfeited", "partida perdida"),
            "match_forfeit": Words("match perdu", "match forfeited", "encuentro perdido"),
            "exclusion": Words("exclusion de la compétition", "out of the event", "exclusión de la competencia"),
            "suspension": Words("suspension de 90 jours", "suspension of 90 days", "suspensión de 90 días"),
            "ban": Words("radiation", "ban", "expulsión"),
        }
    ),
    rows=(
        Infraction(
            "talk",
            "talk",
            Words(
                "Donne une information à son partenaire\u00a0: mot, signe, clavardage, pause parlante",
                "Gives information to the partner: a word, a sign, a chat, a telling pause",
                "Da información a su compañero: una palabra, una seña, un mensaje, una pausa que habla",
            ),
            Words(
                "Brûle une carte à l’aveugle et passe son tour",
                "Burns one card blind and passes the turn",
                "Quema una carta a ciegas y pierde el turno",
            ),
            (Step("warning"), Step("warning", up_to="game_forfeit"), Step("game_forfeit")),
            ("blind_burn",),
        ),
        Infraction(
            "talk_play",
            "talk",
            Words(
                "Information qui a clairement choisi le coup du partenaire",
                "Information that plainly chose the partner’s play",
                "Información que eligió claramente la jugada del compañero",
            ),
            Words(
                "Carte brûlée à l’aveugle, et le coup est annulé s’il n’a pas plus d’un tour",
                "One card burned blind, and the play is undone if it is at most one turn old",
                "Una carta quemada a ciegas, y la jugada se anula si no tiene más de un turno",
            ),
            (Step("warning_point"), Step("game_forfeit"), Step("match_forfeit")),
            ("blind_burn", "rewind"),
        ),
        Infraction(
            "touch",
            "touch",
            Words(
                "Carte posée ou bille touchée refusée, ou coup repris",
                "Laid card or touched marble refused, or a play taken back",
                "Carta puesta o canica tocada que se rechaza, o jugada que se retira",
            ),
            Words(
                "La carte posée ou la bille touchée est jouée si elle peut l’être",
                "The laid card or touched marble is played if it can be",
                "La carta puesta o la canica tocada se juega si se puede",
            ),
            (Step("caution"), Step("warning"), Step("blind_burn")),
            ("touch", "rewind"),
        ),
        Infraction(
            "illegal",
            "illegal",
            Words(
                "Coup interdit accepté par la table",
                "Illegal move accepted by the table",
                "Jugada prohibida aceptada por la mesa",
            ),
            Words(
                "La position est rétablie si le coup n’a pas plus d’un tour, sinon la partie continue",
                "The position is restored if the play is at most one turn old, else play goes on",
                "La posición se restablece si la jugada no tiene más de un turno; si no, la partida sigue",
            ),
            (Step("caution"), Step("warning"), Step("warning_point")),
            ("rewind", "clock"),
        ),
        Infraction(
            "exposed",
            "exposed",
            Words("Carte montrée, main découverte", "Card shown, hand exposed", "Carta mostrada, mano descubierta"),
            Words(
                "La carte reste découverte jusqu’à ce qu’elle soit jouée",
                "The card stays exposed until it is played",
                "La carta queda descubierta hasta que se juegue",
            ),
            (Step("warning"), Step("blind_burn"), Step("game_forfeit")),
            (),
        ),
        Infraction(
            "clock",
            "clock",
            Words(
                "Retarde la partie ou use de la pendule à tort",
                "Delays the game or misuses the clock",
                "Retrasa la partida o usa mal el reloj",
            ),
            Words(
                "Le temps perdu est rendu à l’autre camp",
                "The time lost is given back to the other side",
                "El tiempo perdido se devuelve al otro bando",
            ),
            (Step("caution"), Step("warning"), Step("warning_point")),
            ("clock",),
        ),
        Infraction(
            "late",
            "late",
            Words("Retard, absence", "Late, no-show", "Retraso, ausencia"),
            Words(
                "Horloge d’absence\u00a0: partie perdue à 10 minutes, match à 20",
                "No-show clock: the game at 10 minutes, the match at 20",
                "Reloj de ausencia: la partida a los 10 minutos, el encuentro a los 20",
            ),
            (Step("game_forfeit"), Step("match_forfeit"), Step("exclusion")),
            (),
        ),
        Infraction(
            "abuse",
            "abuse",
            Words(
                "Injures, entente, deuxième compte",
                "Abuse, collusion, second account",
                "Insultos, arreglo entre rivales, segunda cuenta",
            ),
            Words(
                "Exclusion immédiate s’il le faut", "Immediate exclusion if needed", "Exclusión inmediata si hace falta"
            ),
            (Step("match_forfeit"), Step("suspension"), Step("ban")),
            (),
        ),
    ),
)
