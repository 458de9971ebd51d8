// What is expected, what is owed, what a choice comes to, why something is refused: sentences for the player. Pure.
import { fill, gettext, ngettext } from "../i18n.js";
import { capital, listed, shortNames } from "../names.js";
import { refusalWords as plainRefusal } from "../refusals.js";
import { outcome } from "../results.js";
import { pairWords, partsWords, shapeWords, suitWords, theCard } from "./cards.js";
import { pointsIn, TRUMPS } from "./order.js";
/** @import { Named } from "../types.js" */
/** @import { Choice, Owed, TractorView } from "./types.js" */

/**
 * The one heading of the table: what is expected now, of whom.
 * @param {Named} boot @param {TractorView} view
 * @param {Owed | null} owed what the own hand owes to the lead; null when it leads or nothing is asked of it
 */
export function heading(boot, view, owed) {
  const names = shortNames(boot.names);
  const me = boot.seat ?? undefined;
  const turn = { name: names[view.turn ?? -1] ?? "" };
  const mine = me !== undefined && view.turn === me;
  if (view.frozen) return gettext("The clocks are stopped");
  switch (view.phase) {
    case "seating": {
      const ready = (view.ready ?? []).filter(Boolean).length;
      if (me !== undefined && !view.ready?.[me]) return gettext("Are you ready?");
      return fill(ngettext("%(count)s of %(seats)s seats is ready", "%(count)s of %(seats)s seats are ready", ready), {
        count: ready,
        seats: boot.seats,
      });
    }
    case "over":
      return outcome(boot, view);
    case "deck":
      return view.last && view.previous
        ? fill(gettext("Round %(round)s is over"), view.previous)
        : gettext("A new deck is shuffled");
    case "draw":
      return gettext("The cards are drawn");
    case "show": {
      const waiting = names.filter((_, seat) => !view.passed?.includes(seat));
      if (me !== undefined && !view.passed?.includes(me)) return gettext("Show trumps, or pass");
      return fill(gettext("Trumps are chosen: waiting for %(names)s"), { names: listed(waiting) });
    }
    case "bury":
      return mine
        ? gettext("Bury eight cards")
        : fill(gettext("%(name)s takes the talon and buries eight cards"), turn);
    default:
  }
  const leading = !view.trick?.length;
  if (!mine) return leading ? fill(gettext("%(name)s leads"), turn) : fill(gettext("%(name)s’s turn"), turn);
  return leading || !owed ? gettext("Your lead") : followHeading(owed);
}

/** The heading while a lead is to be followed. @param {Owed} owed */
export function followHeading(owed) {
  const values = { suit: suitWords(owed.suit), count: owed.size };
  if (!owed.held) {
    if (owed.suit === TRUMPS)
      return fill(
        ngettext("No trumps left: play any card", "No trumps left: play any %(count)s cards", owed.size),
        values,
      );
    return fill(
      ngettext("No %(suit)s left: play any card", "No %(suit)s left: play any %(count)s cards", owed.size),
      values,
    );
  }
  const what = owedShort(owed);
  if (owed.suit === TRUMPS) return what ? fill(gettext("Follow trumps: %(what)s"), { what }) : gettext("Follow trumps");
  return what
    ? fill(gettext("Follow %(suit)s: %(what)s"), { ...values, what })
    : fill(gettext("Follow %(suit)s"), values);
}

/** @param {Owed} state */
function owedShort({ size, count, held, pairs, run }) {
  if (size === 1) return "";
  if (held < size)
    return fill(ngettext("your only one, and others", "all %(count)s you hold, and others", count), { count });
  if (size === 2 && pairs) return gettext("a pair");
  const cards = fill(ngettext("%(count)s card", "%(count)s cards", size), { count: size });
  if (run) return fill(gettext("%(cards)s, with a tractor of %(run)s pairs"), { cards, run });
  return pairs
    ? fill(ngettext("%(cards)s, with %(count)s pair", "%(cards)s, with %(count)s pairs", pairs), {
        cards,
        count: pairs,
      })
    : cards;
}

/** What must be followed, in full sentences. @param {Owed} owed @returns {string[]} */
export function owedWords(owed) {
  const values = { suit: suitWords(owed.suit), size: owed.size, count: owed.count, held: owed.held };
  const said = [];
  if (!owed.held) {
    said.push(fill(gettext("You hold no %(suit)s."), values));
    said.push(
      fill(ngettext("Any card may be played.", "Any %(count)s cards may be played.", owed.size), { count: owed.size }),
    );
    if (owed.suit !== TRUMPS) said.push(gettext("Trumps of the same shape win over it; nobody has to play them."));
    return said;
  }
  if (owed.held < owed.size) {
    said.push(
      fill(
        ngettext(
          "You hold only %(count)s card of %(suit)s: it must be played.",
          "You hold only %(count)s cards of %(suit)s: all of them must be played.",
          owed.count,
        ),
        values,
      ),
    );
    said.push(
      fill(ngettext("The other card is of your choice.", "The other %(count)s cards are of your choice.", owed.free), {
        count: owed.free,
      }),
    );
    return said;
  }
  said.push(
    fill(
      ngettext("%(count)s card of %(suit)s must be played.", "%(count)s cards of %(suit)s must be played.", owed.count),
      values,
    ),
  );
  if (owed.pairs)
    said.push(
      fill(ngettext("%(count)s pair must be among them.", "%(count)s pairs must be among them.", owed.pairs), {
        count: owed.pairs,
      }),
    );
  if (owed.run) said.push(fill(gettext("A tractor of %(count)s pairs must be among them."), { count: owed.run }));
  said.push(gettext("Nothing obliges you to play higher."));
  return said;
}

/**
 * What is chosen for burying: how many, and the points that go with them.
 * @param {string[]} cards @param {number} talon
 */
export function buryWords(cards, talon) {
  const count = fill(gettext("%(count)s of %(talon)s chosen"), { count: cards.length, talon });
  const points = pointsIn(cards);
  return fill(ngettext("%(chosen)s, %(count)s point in them", "%(chosen)s, %(count)s points in them", points), {
    chosen: count,
    count: points,
  });
}

/** The live line under the hand: what the choice comes to. @param {Omit<Choice, "order">} choice */
export function choiceWords({ leading, owed, cards, shape }) {
  if (!cards.length) return leading ? gettext("Choose the cards you lead: all of one suit.") : "";
  if (leading)
    return shape
      ? capital(shapeWords(shape))
      : gettext("Not one suit: trumps, jokers and the cards of the rank count as one.");
  const count = fill(gettext("%(count)s of %(size)s chosen"), { count: cards.length, size: owed?.size ?? 0 });
  return shape && cards.length === owed?.size
    ? fill(gettext("%(count)s: %(shape)s"), {
        count,
        shape: shape.parts.length > 1 ? partsWords(shape) : shapeWords(shape),
      })
    : count;
}

/** The button that plays the choice. @param {Omit<Choice, "order">} choice */
export function playWords({ leading, cards, shape, owed }) {
  if (!cards.length)
    return leading
      ? gettext("Choose cards to lead")
      : fill(ngettext("Choose %(count)s card", "Choose %(count)s cards", owed?.size ?? 1), { count: owed?.size ?? 1 });
  const [first] = shape?.parts ?? [];
  if (shape && shape.parts.length === 1) {
    if (first.pairs > 1)
      return fill(ngettext("Play the tractor of %(count)s pair", "Play the tractor of %(count)s pairs", first.pairs), {
        count: first.pairs,
      });
    // Translators: on the button that plays two equal cards; %(pair)s is for instance "pair of queens of spades".
    if (first.pairs) return fill(gettext("Play the %(pair)s"), { pair: pairWords(first.cards[0]) });
    return fill(gettext("Play %(card)s"), { card: theCard(first.cards[0]) });
  }
  if (leading && shape)
    return fill(ngettext("Throw %(count)s card", "Throw %(count)s cards", cards.length), { count: cards.length });
  return fill(ngettext("Play %(count)s card", "Play %(count)s cards", cards.length), { count: cards.length });
}

/**
 * Why a choice was refused, by the page or by the server, as the rule that it breaks.
 * @param {{code: string, why?: string, until?: number}} nak
 * @param {{phase?: string, owed?: Owed | null, talon?: number, rank?: string}} at
 */
export function refusalWords(nak, { phase, owed, talon = 8, rank = "" } = {}) {
  if (nak.code !== "illegal") return plainRefusal(nak);
  const suit = owed ? suitWords(owed.suit) : "";
  const count = owed?.size ?? 0;
  switch (nak.why) {
    case "WRONG_COUNT":
      if (phase === "bury")
        return fill(ngettext("Exactly %(count)s card is buried.", "Exactly %(count)s cards are buried.", talon), {
          count: talon,
        });
      if (owed)
        return fill(
          ngettext(
            "As many cards as were led must be played: %(count)s card.",
            "As many cards as were led must be played: %(count)s cards.",
            count,
          ),
          { count },
        );
      return gettext("A lead is at least one card.");
    case "NOT_IN_HAND":
      return gettext("You do not hold those cards.");
    case "MIXED_SUITS":
      return gettext("A lead is of one suit. Trumps, jokers and the cards of the rank count as one suit.");
    case "MUST_FOLLOW_SUIT":
      if (!owed) return gettext("The suit that was led must be followed.");
      return fill(
        ngettext(
          "The suit led must be followed: %(count)s card of %(suit)s.",
          "The suit led must be followed: %(count)s cards of %(suit)s.",
          owed.count,
        ),
        { count: owed.count, suit },
      );
    case "MUST_PLAY_PAIRS":
      if (!owed) return gettext("Pairs were led: pairs of that suit must be played as far as you hold them.");
      return fill(
        ngettext(
          "Pairs were led: %(count)s pair of %(suit)s must be played.",
          "Pairs were led: %(count)s pairs of %(suit)s must be played.",
          owed.pairs,
        ),
        { count: owed.pairs, suit },
      );
    case "MUST_PLAY_TRACTOR":
      return gettext("A tractor was led: a tractor of that suit must be played where you hold one.");
    case "NOT_A_SHOW":
      return fill(gettext("Trumps are shown with one card of rank %(rank)s, two equal ones, or two equal jokers."), {
        rank,
      });
    case "SHOW_TOO_WEAK":
      return gettext(
        "A show must be stronger than the one that stands: a pair beats a single card, a pair of jokers beats all.",
      );
    case "OWN_SHOW":
      return gettext("Your own show can only be strengthened to a pair of the same card.");
    case "not_now":
    case "deck_due":
      return phase === "draw"
        ? gettext("Cards are still being drawn: only shows and passes count now.")
        : gettext("That cannot be done now.");
    case "already_passed":
      return gettext("You have passed already; a show is still possible.");
    case "not_your_turn":
      return plainRefusal({ code: "not_your_turn" });
    case "over":
      return gettext("The game is over.");
    case "bad_notation":
      return gettext("That is not a play in notation: cards such as AS AS, or show 2H, pass, bury and eight cards.");
    default:
      return plainRefusal(nak);
  }
}
