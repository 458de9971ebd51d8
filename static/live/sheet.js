// What the page knows of the rule set, in whatever game: the server sends it as data (games/templatetags/_sheet.py).
const REST = { jumps: false, shelters: false, centre: false, back: ["4"], sweeps: [], split: {}, burns: [], effects: {} };

let known;

/**
 * The sheet of a game: `jumps`, `shelters`, `centre`: its special spaces; `back`: ranks that go back; `sweeps`: ranks that
 * eat on their way; `split`: by rank, among how many marbles it is shared; `burns`: ranks whose move makes the next seat
 * burn a card; `effects`: by rank, the words at the foot of the card.
 */
export function sheetOf(game) {
  known ??= JSON.parse(document.getElementById("sheets")?.textContent ?? "{}");
  return known[`${game.rules}:${game.seats}`] ?? REST;
}
