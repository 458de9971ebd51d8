// "Check this deal" on the replay page: the record is read, checked in this browser, and the finding is said in words.
import { byId, el, swapChildren } from "../dom.js";
import { fill, gettext, ngettext } from "../i18n.js";
import { shortNames } from "../names.js";
import { shelfKey } from "../share.js";
import { check, Wrong } from "./check.js";
/** @import { Boot, Texts } from "../types.js" */

/** @typedef {ReturnType<typeof check>} Found */
/**
 * What this browser gave at the table, as share.js keeps it.
 * @typedef {{root: string, share: string, acked?: boolean, opened?: number, round?: number, settled?: number,
 *   withheld?: number[]}} Given
 */

/** @param {string} code */
function wrongWords(code) {
  /** @type {Texts} */
  const words = {
    chain: gettext("The row is not the one that the chain of hashes seals."),
    seed: gettext("The server had not committed to this seed."),
    later_seed: gettext("The seed does not follow from the first ones."),
    share: gettext("The seat had committed to another share."),
    withheld: gettext("Other seats have not opened their shares."),
    time: gettext("The seats did not have twenty seconds to open their shares."),
    round: gettext("Another round of the public beacon follows from the time."),
    beacon: gettext("This is not the round of the public beacon that was to come."),
    stock: gettext("The seed gives the cards that were not dealt yet another order."),
    dealer: gettext("Seeds and shares give another first dealer."),
    deck: gettext("Seeds and shares give another deck."),
    blind: gettext("Seeds and shares burn another card."),
    card: gettext("A seat lays a card that it does not hold."),
    not_opened: gettext("A seed that was used is not opened."),
    no_commitment: gettext("Cards were dealt without a commitment."),
  };
  return words[code] ?? gettext("An honest table does not write this row.");
}

/** Who contributed what, one sentence a seat. @param {Found} found @param {string[]} names @returns {string[]} */
export function seatWords(found, names) {
  if (!found.shares.some(Boolean) && !found.withheld.length)
    return [
      found.beacon?.randomness
        ? gettext("No seat contributed: these deals rest on the server and the public beacon.")
        : gettext("No seat contributed: these deals rest on the server alone."),
    ];
  return shortNames(names).map((name, seat) => {
    const share = found.shares[seat];
    if (share) return fill(gettext("%(name)s contributed %(share)s…"), { name, share: share.slice(0, 8) });
    if (found.withheld.includes(seat)) return fill(gettext("%(name)s did not open a share: zeros count."), { name });
    return fill(gettext("%(name)s contributed nothing."), { name });
  });
}

/**
 * Does the record hold what this browser gave? `null`: it gave nothing.
 * @param {Found} found @param {(Given | null)[]} given per seat @returns {boolean | null}
 */
export function holdsOwn(found, given) {
  const mine = given.map((one, seat) => ({ one, seat })).filter(({ one }) => one?.acked);
  if (!mine.length) return null;
  return mine.every(({ one, seat }) => one?.root === found.root && one?.share === found.shares[seat]);
}

/**
 * What does not hold of the public beacon, in sentences. Pure.
 * @param {Found} found @param {(Given | null)[]} given per seat @returns {string[]}
 */
export function beaconFaults({ beacon, withheld }, given) {
  if (!beacon) return [];
  const said = [];
  if (!beacon.randomness)
    said.push(gettext("The public beacon was absent: the server says that nobody gave it the round in time."));
  if (beacon.early)
    said.push(gettext("After an outage, the round was public before the last share was opened or withheld."));
  const mine = given.filter((one) => one?.acked && one.opened && one.round);
  if (mine.some((one) => one?.round !== beacon.round))
    said.push(gettext("This browser saw another round of the public beacon at the table. Tell the organiser."));
  if (mine.some((one) => (one?.opened ?? 0) >= beacon.published))
    said.push(
      gettext(
        "By this device’s clock, the round was public when your share was opened. If the clock is right, tell the organiser.",
      ),
    );
  if (mine.some((one) => !((one?.settled ?? Number.POSITIVE_INFINITY) < beacon.published)))
    said.push(
      gettext(
        "This browser did not see the shares settled before the round was public. Unless it was away, tell the organiser.",
      ),
    );
  if (mine.some((one) => one?.withheld && String(one.withheld) !== String(withheld)))
    said.push(gettext("This browser saw other withheld shares than the record names. Tell the organiser."));
  return said;
}

/** The public beacon's round, to be compared with its source. @param {Found} found @returns {string[]} */
function beaconFacts({ beacon }) {
  if (!beacon) return [];
  const { round, chain, randomness } = beacon;
  const named = fill(gettext("Round %(round)s of the public beacon, chain %(chain)s"), { round, chain: chain.chain });
  const bytes = fill(gettext("Its bytes, to compare with the source: %(bytes)s"), { bytes: randomness });
  return randomness ? [named, bytes] : [named];
}

/** @param {Found} found @returns {(Given | null)[]} */
function kept(found) {
  return found.shares.map((_, seat) => {
    try {
      return JSON.parse(localStorage.getItem(shelfKey(found.game, seat)) ?? "null");
    } catch {
      return null;
    }
  });
}

/** @param {string} text @param {boolean} good */
const verdict = (text, good) => el("p", { class: good ? "deal-good" : "deal-bad" }, text);

/** @param {Found} found @param {string[]} names @returns {HTMLElement[]} */
function findings(found, names) {
  const begun = fill(
    ngettext(
      "Everything fits: the cards that were not dealt yet and %(count)s deck follow from what was committed to before.",
      "Everything fits: the cards that were not dealt yet and %(count)s decks follow from what was committed to before.",
      found.decks,
    ),
    { count: found.decks },
  );
  const fits = fill(
    ngettext(
      "Everything fits: the first dealer and %(count)s deck follow from what was committed to before.",
      "Everything fits: the first dealer and %(count)s decks follow from what was committed to before.",
      found.decks,
    ),
    { count: found.decks },
  );
  /** @type {HTMLElement[]} */
  const out = [verdict(found.begun ? begun : fits, true)];
  const given = kept(found);
  const own = holdsOwn(found, given);
  if (own) out.push(verdict(gettext("The record holds your share, as this browser gave it."), true));
  if (own === false)
    out.push(
      verdict(gettext("The record does not hold what this browser gave as your share. Tell the organiser."), false),
    );
  out.push(el("ul", { class: "small" }, ...seatWords(found, names).map((words) => el("li", {}, words))));
  out.push(...beaconFaults(found, given).map((words) => verdict(words, false)));
  out.push(...beaconFacts(found).map((words) => el("p", { class: "deal-hash" }, words)));
  out.push(el("p", { class: "deal-hash" }, fill(gettext("Commitment of the server: %(root)s"), { root: found.root })));
  return out;
}

/** Read the record and say what it proves. @param {Boot} boot */
export async function show(boot) {
  const box = byId("deal-found");
  swapChildren(box, el("p", {}, gettext("Checking…")));
  let text = "";
  try {
    const reply = await fetch(boot.export ?? "", { credentials: "same-origin" });
    if (!reply.ok) throw new Error(String(reply.status));
    text = await reply.text();
  } catch {
    swapChildren(box, verdict(gettext("The record could not be read. Reload the page to try again."), false));
    return;
  }
  try {
    swapChildren(box, ...findings(check(text), boot.names));
  } catch (error) {
    if (!(error instanceof Wrong)) throw error;
    const said = error.row
      ? fill(gettext("This record is wrong, at row %(row)s. %(words)s"), {
          row: error.row,
          words: wrongWords(error.code),
        })
      : fill(gettext("This record is wrong. %(words)s"), { words: wrongWords(error.code) });
    swapChildren(box, verdict(said, false));
  }
}
