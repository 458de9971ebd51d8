"""The ruling book's first three cases, all of the tournament's day, each at its own hour and through the services.

1. Talking at the table: the referee is called, one card is burned blind, play goes on.
2. Talking again, seen in the replay of a later game: the second time that day the game is lost, and the standings follow.
3. A claim that the record does not bear out: dismissed, appealed, upheld by the panel.
"""

import uuid
from collections.abc import Callable
from dataclasses import replace
from datetime import datetime, timedelta

from games.fold import by_seat
from games.models import Game
from games.permissions import BOT
from games.services import bots, play
from tock_league.accounts.models import Player
from tock_league.accounts.permissions import SITE
from tock_league.arbitration.core.decisions import Decision
from tock_league.arbitration.models import Case
from tock_league.arbitration.services.appeals import hearing
from tock_league.arbitration.services.cases import disputes as cases
from tock_league.arbitration.services.referees import leases
from tock_league.arbitration.services.rulings import signing
from tock_league.common import clock
from tock_league.common.errors import Broken
from tock_league.common.transactions import writing
from tock_league.competitions.models import Match
from tock_league.competitions.services.rounds import publishing
from tock_league.competitions.services.shared.locking import lock_match

from .league import competition_of
from .names import BY_SLUG, HEAD_REFEREE, REFEREES
from .programme import CUP

TALKER = "y-bellemare"
MINUTE = timedelta(minutes=1)
TURNS_BEFORE, TURNS_AFTER = 14, 10  # of the table to which the referee comes; getting ready and exchanging is one each
CALLED = Decision(
    "upheld",
    row="talk",
    remedies=("blind_burn",),
    rules=("La tenue à la table",),
    facts="Avant le tour de sa partenaire, Yvon Bellemare a dit à voix haute\u00a0: «\u00a0Garde ton valet\u00a0». Les deux "
    "camps l’ont entendu\u00a0; il ne le conteste pas.",
    reasons="Annoncer une carte ou suggérer un coup est interdit. La règle officielle s’applique\u00a0: une carte est brûlée à "
    "l’aveugle et le tour passe. Premier manquement de la journée\u00a0: avertissement inscrit.",
)
AGAIN = Decision(
    "upheld",
    row="talk_play",
    rules=("La tenue à la table",),
    facts="Au coup contesté, Yvon Bellemare a dit «\u00a0pas celle-là\u00a0» pendant que sa partenaire tenait déjà sa "
    "bille\u00a0; elle a aussitôt joué l’autre. Marc Villemure et la table voisine l’ont entendu.",
    reasons="L’information a choisi le coup de la partenaire. C’est le deuxième manquement de la même famille dans la "
    "journée\u00a0: le tableau des sanctions prévoit la perte de la partie. Les Castors la gagnent.",
)
UNFOUNDED = Decision(
    "dismissed",
    rules=("La tenue à la table",),
    facts="Le registre de la table montre une seule carte posée, puis jouée. Aucune autre carte ni aucune autre bille n’a "
    "été touchée à ce coup.",
    reasons="Le registre décide\u00a0: une carte posée et jouée ne constitue pas un coup repris. Montrer une case du doigt n’est "
    "pas toucher une bille.",
)
CONFIRMED = (
    "Les trois membres ont relu le registre coup par coup. Rien n’y indique qu’une deuxième carte ait été posée\u00a0; la "
    "décision de l’arbitre est conforme à la règle et à la sanction prévue\u00a0: aucune."
)


def is_without_table(match: Match) -> bool:
    """Return whether the match still waits for a table; nobody else opens one until the transaction ends."""
    return lock_match(match.pk).table is None


def play_with_a_call(match: Match) -> bool:
    """Play the match of the first case in one transaction: deal, call, ruling, blind burn, and the callers give up.

    Return False when a worker has opened its table meanwhile: then it is played there.
    """
    assert match.starts_at is not None
    with writing(), clock.frozen(match.starts_at - MINUTE) as hand:
        if not is_without_table(match):
            return False
        publishing.open_table(match_id=match.pk, early=True)
        match.refresh_from_db()
        game = Game.objects.get(table=match.table_id)
        hand.advance(minutes=1)
        _bots_play(game, TURNS_BEFORE, hand)
        seats = _seats(match)
        caller = (seats[TALKER] + 1) % 4
        text = "Il vient de lui dire quelle carte garder."
        _command(game, caller, "dispute", kind="talk", text=text)
        case = Case.objects.get(game=game)
        referee = _player(REFEREES[0][0])
        hand.advance(seconds=50)
        leases.take(by=referee, case=case)
        hand.advance(seconds=100)
        _sign(case, CALLED, by=referee)
        hand.advance(seconds=15)
        _bots_play(game, TURNS_AFTER, hand)
        _command(game, caller, "resign")
    return True


def _bots_play(game: Game, turns: int, hand: clock.Frozen) -> None:
    for _ in range(turns):
        hand.advance(seconds=4)
        bots.act(game.pk)


def _command(game: Game, seat: int, word: str, /, **args: str) -> None:
    """Send a command in the name of a seat that a program plays. Raises Broken when the table refuses it."""
    answer = play.submit(
        game_id=game.pk, seat=seat, command_id=str(uuid.uuid4()), turn="0.0", kind=word, args=args, by=BOT
    )
    if answer.code:
        raise Broken(f"demo: {word} at {game}: {answer.code} {answer.why}")


def file_all() -> int:
    """File the disputes of the story's two games, once each; return how many cases were decided now."""
    return sum(_once(key, script) for key, script in SCRIPTS.items())


def _once(key: tuple[str, int, int], script: Callable[[Match, Game], None]) -> bool:
    pool, round_number, number = key
    match = Match.objects.filter(
        competition=competition_of(CUP),
        round__group__name=pool,
        round__number=round_number,
        number=number,
        state=Match.State.CONFIRMED,
    ).first()
    if match is None or Case.objects.filter(match=match).exists():
        return False
    with writing():
        script(match, Game.objects.select_related("table").get(table=match.table_id))
    return True


def _talked_again(match: Match, game: Game) -> None:
    """Play case 2: the losers dispute, the other side admits it and loses the game by ruling: another team goes on."""
    over = _end(game)
    caller, other = _captain(match, without=TALKER), _captain(match, of=TALKER)
    with clock.frozen(over + 6 * MINUTE):
        text = "Écoutez la table au coup marqué\u00a0: il lui a dit de ne pas jouer cette bille."
        case = cases.file(by=caller, game=game, seq=_play_of(game, "o-trudel", share=0.75), kind="talk", text=text)
    with clock.frozen(over + 11 * MINUTE):
        cases.answer(by=other, case=case, text="C’est sorti tout seul. Nous l’aurions jouée quand même.")
    head = _player(HEAD_REFEREE[0])
    with clock.frozen(over + 14 * MINUTE):
        leases.take(by=head, case=case)
    with clock.frozen(over + 17 * MINUTE):
        _sign(case, AGAIN, by=head)


def _unfounded(match: Match, game: Game) -> None:
    """Play case 3: a claim that a card was taken back is dismissed by the record; the appeal panel agrees."""
    over = _end(game)
    caller = _captain(match, of="d-tellier")
    with clock.frozen(over + 4 * MINUTE):
        text = "Il avait posé son sept, il l’a repris et il a joué autre chose."
        case = cases.file(by=caller, game=game, seq=_play_of(game, "r-lampron", share=0.5), kind="touch", text=text)
    with clock.frozen(over + 7 * MINUTE):
        text = "Je n’ai posé qu’une carte. Je montrais la case à voix basse, rien de plus."
        cases.answer(by=_captain(match, without="d-tellier"), case=case, text=text)
    judge = _player(REFEREES[1][0])
    with clock.frozen(over + 9 * MINUTE):
        leases.take(by=judge, case=case)
    with clock.frozen(over + 12 * MINUTE):
        _sign(case, UNFOUNDED, by=judge)
    with clock.frozen(over + 25 * MINUTE):
        text = "Nous l’avons tous vu. Le registre ne voit pas ce qui se passe avant qu’une carte soit lâchée."
        hearing.appeal(by=caller, case=case, grounds="fact", text=text)
    with clock.frozen(over + 35 * MINUTE):
        panel = [seat.member for seat in hearing.form_panel(by=SITE, case=case) if seat.place]
    for number, member in enumerate(panel):
        with clock.frozen(over + (45 + 4 * number) * MINUTE):
            vote = "overturn" if number == 2 else "uphold"
            note = "Le doute devrait profiter à la table." if number == 2 else "Le registre est clair."
            hearing.vote(by=member, case=case, vote=vote, note=note)
    with clock.frozen(over + 65 * MINUTE):
        hearing.rule(by=panel[0], case=case, reasons=CONFIRMED)


SCRIPTS = {("A", 2, 2): _unfounded, ("B", 3, 2): _talked_again}


def _sign(case: Case, decision: Decision, *, by: Player) -> None:
    if decision.row:
        decision = replace(decision, offender=_player(TALKER).pk)
    shown = signing.preview(by=by, case=case, decision=decision)
    signing.sign(by=by, case=case, decision=decision, preview_digest=shown.digest)


def _play_of(game: Game, slug: str, *, share: float) -> int:
    """Return the row of the last play of that player in the first `share` of a finished game."""
    seat = game.table.seatings.get(player__slug=slug).seat
    rows = game.events.filter(code="play", actor=by_seat(seat), seq__lte=int(game.last_seq * share)).order_by("-seq")
    return rows.values_list("seq", flat=True)[0]


def _end(game: Game) -> datetime:
    assert game.finished_at is not None
    return game.finished_at


def _player(slug: str) -> Player:
    return Player.objects.get(slug=slug)


def _seats(match: Match) -> dict[str, int]:
    """Return the seats at the match's table by the players' public ids."""
    assert match.table is not None
    return {slug: seat for seat, slug in match.table.seatings.values_list("seat", "player__slug")}


def _captain(match: Match, *, of: str = "", without: str = "") -> Player:
    """Return the captain of the side on which the player `of` sits, or on which `without` does not."""
    seats = _seats(match)
    position = seats[of or without] % 2 if of else 1 - seats[without] % 2
    return _player(next(slug for slug, seat in seats.items() if seat == position and slug in BY_SLUG))
