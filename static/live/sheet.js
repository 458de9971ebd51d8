// What the page knows of the rule set, in whatever game: the server sends it as data (games/templatetags/_sheet.py).

/** @import { Sheet } from "./tock_types.js" */
/** @import { GameKind } from "./types.js" */

/** @type {Sheet} */
const REST = {
  jumps: false,
  shelters: false,
  centre: false,
  back: ["4"],
  sweeps: [],
  split: {},
  burns: [],
  effects: {},
};

/** @type {{[kind: string]: Sheet} | undefined} */
let known;

/**
 * The sheet of a game: `jumps`, `shelters`, `centre`: its special spaces; `back`: ranks that go back; `sweeps`: ranks
 * that eat on their way; `split`: by rank, among how many marbles it is shared; `burns`: ranks whose move makes the
 * next seat burn a card; `effects`: by rank, the words at the foot of the card. The caller says which family's sheet it
 * is; Tock's where nothing else is expected.
 * @template [S=Sheet]
 * @param {GameKind} game @returns {S}
 */
export function sheetOf(game) {
  known ??= /** @type {{[kind: string]: Sheet}} */ (JSON.parse(document.getElementById("sheets")?.textContent ?? "{}"));
  return /** @type {S} */ (known[`${game.rules}:${game.seats}`] ?? REST);
}
