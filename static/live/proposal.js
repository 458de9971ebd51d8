// A play that could have been made instead, drawn over the position: dotted, with a ring where each marble would stand.
import { svg } from "./dom.js";
import { afterLeg, goesBack, ownerAt, parsePlay, sideOf, startOf } from "./notation.js";
import { letterOf, lineOf } from "./pieces.js";
/** @import { Board } from "./board.js" */
/** @import { TockView } from "./tock_types.js" */

/**
 * Where the marbles of a play would go: whose, along which points, and whether in one leap. Nothing for a card that is
 * burned, sacrificed or given.
 * @param {Board} board @param {TockView} view the table before it @param {number} seat @param {string} line
 * @returns {{owner: number, points: number[][], leap: boolean}[]}
 */
export function waysOf(board, view, seat, line) {
  const play = parsePlay(line);
  const side = sideOf(view, seat);
  let { marbles } = view;
  /** @param {string} place */
  const ownerOf = (place) => (place[0] === "h" ? side : (ownerAt(marbles, place) ?? side));
  if (play.kind === "out") {
    const points = [board.at(side, "r", 0), board.at(side, startOf(view, side))];
    return [{ owner: side, points, leap: true }];
  }
  if (play.kind === "swap") {
    const [{ from, to }] = play.legs;
    const [first, second] = [ownerOf(from), ownerOf(to)];
    const ends = [board.at(first, from), board.at(second, to)];
    return [
      { owner: first, points: ends, leap: true },
      { owner: second, points: [...ends].reverse(), leap: true },
    ];
  }
  if (play.kind !== "move" && play.kind !== "split") return [];
  const back = goesBack(view, play.card);
  return play.legs.flatMap((leg) => {
    const owner = ownerOf(leg.from);
    const { points, jump } = board.wayPoints(view, owner, leg, back);
    marbles = afterLeg(view, marbles, owner, play.card, leg);
    const way = { owner, points, leap: false };
    return jump ? [way, { owner, points: [points[points.length - 1], jump], leap: true }] : [way];
  });
}

/**
 * Draw it above the last play; answers whether there was anything to draw.
 * @param {Board} board @param {TockView} view the table before it @param {number} seat @param {string} line
 */
export function draw(board, view, seat, line) {
  clear(board);
  const ways = waysOf(board, view, seat, line);
  for (const [i, { owner, points, leap }] of ways.entries()) {
    const d = lineOf(points);
    const ends = !ways[i + 1]?.leap || leap; // a jump goes on from where the marble landed
    const [x, y] = points[points.length - 1];
    board.layer.last.append(
      svg(
        "g",
        { class: `board-other seat-colour-${letterOf(owner)}` },
        svg("path", { class: "board-other-under", d }),
        svg("path", { d }),
        ends && svg("circle", { class: "board-other-under", cx: x, cy: y, r: 0.52 }),
        ends && svg("circle", { cx: x, cy: y, r: 0.52 }),
      ),
    );
  }
  return ways.length > 0;
}

/** @param {Board} board */
export function clear(board) {
  for (const node of board.layer.last.querySelectorAll(".board-other")) node.remove();
}
