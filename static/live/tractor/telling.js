// The table's story: every event of a Tractor game as it is said and listed.
import { fill, gettext, ngettext } from "../i18n.js";
import { capital, shortNames, teamWords } from "../names.js";
import { isRuling, tableWords } from "../rulings.js";
import { cardlet, cardsWords, shapeWords, showWords, trumpWords } from "./cards.js";
import { orderOf, sorted } from "./order.js";
import { shapeOf } from "./shapes.js";
/** @import { Company, Told } from "../types.js" */
/** @import { TractorEffect, TractorEvent, TractorView, Trump } from "./types.js" */

/**
 * The effect of a kind of which there is one at most.
 * @template {TractorEffect[0]} K
 * @param {TractorEffect[] | undefined} fx @param {K} kind
 * @returns {Extract<TractorEffect, [K, ...unknown[]]> | undefined}
 */
export const effectOf = (fx, kind) =>
  /** @type {Extract<TractorEffect, [K, ...unknown[]]> | undefined} */ (fx?.find((effect) => effect[0] === kind));

/** The cards a line names, none for one that may not be read. @param {string} line */
export const cardsOf = (line) => line.match(/\b(?:(?:10|[2-9AJQK])[CDHS]|[BR]J)\b/g) ?? [];

/** What the count of tricks needs of an event. @typedef {Pick<TractorEvent, "d" | "fx"> & {k?: string}} Heard */

/**
 * Follows the plays of a game from anywhere, so that each can be said with its shape: the trumps, and who leads.
 * A step with the view before it says so itself; without one, earlier events do, as far as they are known.
 */
export class Story {
  /** @param {Company} company @param {{keeps_rank?: boolean}} sheet */
  constructor(company, sheet = {}) {
    this.company = company;
    this.sheet = sheet;
    this.clear();
  }

  clear() {
    /** @type {Trump | undefined} */
    this.trump = undefined;
    /** @type {boolean | undefined} */
    this.leading = undefined; // whether the next play is a lead
    /** @type {{[seq: number]: Heard}} */
    this.heard = {}; // plays by seq, in whatever order they come
  }

  /** Tricks of each team in this round, where they are known. */
  get tricks() {
    return Object.values(this.heard).reduce(tricksAfter, /** @type {number[] | undefined} */ (undefined));
  }

  /** Take in a view: what follows is told from there. @param {TractorView} view */
  from(view) {
    this.trump = view.trump;
    this.leading = view.phase === "play" && !view.trick?.length;
  }

  /** @param {TractorEvent & {before?: TractorView}} event @returns {Told | null} null: nothing to say */
  tell(event) {
    if (event.before) this.from(event.before);
    const words = this.words(event);
    this.follow(event);
    return words;
  }

  /** @param {TractorEvent} event */
  words(event) {
    const name = shortNames(this.company.names);
    const seat = event.d?.seat;
    const who = { name: name[seat ?? -1] ?? "" };
    const fx = this.effects(event.fx, name);
    if (event.k !== "play") {
      const act =
        event.k === "draw" && event.d?.dealer !== undefined
          ? fill(gettext("%(name)s draws first."), { name: name[event.d.dealer] })
          : tableWords(this.company, event, who);
      const text = [act, ...fx].filter(Boolean).join(" ");
      if (!text) return null;
      const words = { seq: event.seq, seat, card: "", text, notation: "" };
      return isRuling(event) ? { ...words, ruling: true } : words;
    }
    const line = event.d?.play ?? "";
    const [word] = line.split(" ");
    const cards = cardsOf(line);
    const text = [this.main(word, cards, event, who, name), ...fx].filter(Boolean).join(" ");
    if (!text) return null;
    const byTable = word === "deck" || word === "draw";
    const shown = !byTable && word !== "bury" && cards.length ? this.high(cards)[0] : "";
    return {
      seq: event.seq,
      seat: byTable ? undefined : seat,
      card: shown,
      mark: shown ? cardlet(shown) : undefined,
      text,
      notation: byTable ? "" : line,
    };
  }

  /** @param {string[]} cards */
  high(cards) {
    return this.trump ? sorted(orderOf(this.trump, this.sheet.keeps_rank), cards) : cards;
  }

  /**
   * @param {string} word
   * @param {string[]} cards
   * @param {TractorEvent} event
   * @param {{name: string}} who
   * @param {string[]} name
   */
  main(word, cards, event, who, name) {
    switch (word) {
      case "deck": {
        const first = effectOf(event.fx, "deck")?.[1] ?? -1;
        return fill(gettext("The cards are shuffled; %(name)s draws first."), { name: name[first] ?? "" });
      }
      case "draw":
        return "";
      case "show":
        return fill(gettext("%(name)s shows %(cards)s."), { ...who, cards: showWords(cards) });
      case "pass":
        return fill(gettext("%(name)s passes."), who);
      case "bury":
        return this.bury(cards, who);
      default:
        return this.laid(cards, event, who);
    }
  }

  /** @param {string[]} cards @param {{name: string}} who */
  bury(cards, who) {
    if (!cards.length) return fill(gettext("%(name)s buries eight cards."), who);
    return fill(gettext("%(name)s buries %(cards)s."), { ...who, cards: cardsWords(this.high(cards)) });
  }

  /** @param {string[]} cards @param {TractorEvent} event @param {{name: string}} who */
  laid(cards, event, who) {
    const order = this.trump && orderOf(this.trump, this.sheet.keeps_rank);
    const shape = order ? shapeOf(order, cards) : null;
    const named =
      shape && (this.leading || shape.parts.length === 1) ? shapeWords(shape) : cardsWords(this.high(cards));
    const values = { ...who, cards: named };
    const failed = effectOf(event.fx, "failed");
    if (failed)
      return `${fill(gettext("%(name)s leads: %(cards)s."), values)} ${failedWords(failed[2], failed[3], failed[4])}`;
    // Translators: %(cards)s names what was led, for instance "pair of 9s of hearts".
    const words = this.leading ? gettext("%(name)s leads: %(cards)s.") : gettext("%(name)s plays: %(cards)s.");
    return fill(words, values);
  }

  /**
   * What else happened, one short sentence each, in the order of the facts.
   * @param {TractorEffect[] | undefined} fx @param {string[]} name
   */
  effects(fx, name) {
    const said = [];
    for (const [kind, a, b, c] of fx ?? []) {
      if (kind === "overridden") said.push(fill(gettext("%(name)s’s show counts no more."), { name: name[a] }));
      else if (kind === "redeal") said.push(gettext("Nobody showed: all cards are shuffled and dealt again."));
      else if (kind === "turned")
        said.push(fill(gettext("Nobody showed, so the talon is turned: %(cards)s."), { cards: cardsWords(a) }));
      else if (kind === "trumps") said.push(`${capital(trumpWords({ rank: a, suit: b }))}.`);
      else if (kind === "talon") said.push(fill(gettext("%(name)s takes the talon."), { name: name[a] }));
      else if (kind === "trick") {
        said.push(
          b
            ? fill(
                ngettext(
                  "%(name)s wins the trick, with %(count)s point.",
                  "%(name)s wins the trick, with %(count)s points.",
                  b,
                ),
                { name: name[a], count: b },
              )
            : fill(gettext("%(name)s wins the trick."), { name: name[a] }),
        );
      } else if (kind === "buried_were") {
        said.push(fill(gettext("Buried were: %(cards)s."), { cards: cardsWords(a) }));
        if (b)
          said.push(
            fill(
              ngettext("They bring the opponents %(count)s point.", "They bring the opponents %(count)s points.", b),
              { count: b },
            ),
          );
      } else if (kind === "round") said.push(...this.round(a, b, c));
      else if (kind === "starter") said.push(fill(gettext("%(name)s starts the next round."), { name: name[a] }));
      else if (kind === "over") said.push(gettext("The game is over."));
    }
    return said;
  }

  /** @param {number} total @param {number[]} gains @param {string[]} ranks */
  round(total, gains, ranks) {
    const points = fill(
      ngettext(
        "The round is over: the opponents have %(count)s point.",
        "The round is over: the opponents have %(count)s points.",
        total,
      ),
      { count: total },
    );
    return [points, ...climbWords(this.company, gains, ranks)];
  }

  /** What the next event finds. @param {TractorEvent} event */
  follow(event) {
    if (event.k === "rewind") this.clear();
    if (event.k !== "play") return;
    const [word] = (event.d?.play ?? "").split(" ");
    this.heard[event.seq] = { k: event.k, d: event.d, fx: event.fx };
    if (word === "play") this.leading = false;
    for (const [kind, rank, suit] of event.fx ?? []) {
      if (kind === "trumps") this.trump = suit ? { rank, suit } : { rank };
      else if (kind === "buried" || kind === "trick") this.leading = true;
    }
  }
}

/**
 * The tricks of each team in the round after an event; undefined where the round's beginning is not known.
 * @param {number[] | undefined} tricks @param {Heard} event @returns {number[] | undefined}
 */
export function tricksAfter(tricks, event) {
  if (event.k === "rewind") return undefined;
  if (event.k === "play" && event.d?.play?.startsWith("deck")) return [0, 0];
  const won = effectOf(event.fx, "trick");
  return tricks && won ? tricks.map((count, team) => count + (team === won[1] % 2 ? 1 : 0)) : tricks;
}

/**
 * Who climbs: "Martine – Thanh climb 2 ranks, to 7."
 * @param {Company} company @param {number[]} gains @param {string[]} ranks @returns {string[]}
 */
export function climbWords(company, gains, ranks) {
  const said = gains
    .map((count, team) => {
      const rank = ranks[team];
      const values = { team: teamWords(company, team), count, rank };
      if (rank === "won" && count) return fill(gettext("%(team)s climb past the ace."), values);
      return count
        ? fill(
            ngettext(
              "%(team)s climb %(count)s rank, to %(rank)s.",
              "%(team)s climb %(count)s ranks, to %(rank)s.",
              count,
            ),
            values,
          )
        : "";
    })
    .filter(Boolean);
  return said.length ? said : [gettext("Nobody climbs.")];
}

/**
 * A throw that failed: what is led instead, what goes back, what it costs.
 * @param {string[]} led @param {string[]} back @param {number} points
 */
export const failedWords = (led, back, points) =>
  [
    fill(gettext("The throw fails: somebody can beat %(cards)s, which is led instead."), { cards: cardsWords(led) }),
    fill(
      ngettext(
        "%(count)s card goes back to the hand (%(cards)s);",
        "%(count)s cards go back to the hand (%(cards)s);",
        back.length,
      ),
      { count: back.length, cards: cardsWords(back) },
    ),
    fill(ngettext("%(count)s point passes to the other side.", "%(count)s points pass to the other side.", points), {
      count: points,
    }),
  ].join(" ");
