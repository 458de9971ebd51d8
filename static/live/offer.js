// What the player may press on the board now: marbles that may move, targets, ways, the marble touched.
import { inside, svg, swapChildren } from "./dom.js";
import { isCentre } from "./notation.js";
import { lineOf, targetMark, xy } from "./pieces.js";
/** @import { Board, Piece } from "./board.js" */
/** @import { Leg, Target } from "./tock_types.js" */

/**
 * What may be pressed.
 * @typedef {object} Item
 * @property {number} x
 * @property {number} y
 * @property {number} [reach]   counts as pressed within, in spaces
 * @property {() => void} act
 * @property {Piece} [drag]     what is dragged from it
 * @property {Target} [target]
 * @property {number} [lean]    how much farther it counts than it is, in spaces
 * @property {string} key
 * @property {SVGElement} node
 */

/**
 * A marble that may be taken up.
 * @typedef {{owner: number, place: string, label: string, pick: () => void}} MarbleChoice
 */

/** A place where it may be released. @typedef {Target & {label: string, take: () => void}} TargetChoice */

/**
 * What the player may press now.
 * @typedef {object} Offer
 * @property {MarbleChoice[]} [marbles]
 * @property {TargetChoice[]} [targets]
 * @property {{owner: number, place: string}} [touched]
 * @property {boolean} [back]
 * @property {boolean} [quiet]    a marble may be pressed, but a card is what is asked for
 * @property {(Leg & {owner: number})[]} [legs]   laid out already
 */

/** Show it, and return what may be pressed then. @param {Board} board @param {Offer} offer @returns {Item[]} */
export function showOffer(board, { marbles = [], targets = [], touched, back = false, legs = [] }) {
  for (const { node } of board.nodes) putDown(node);
  const items = marbles.flatMap((choice) => offerMarble(board, choice) ?? []);
  const marks = [];
  const hints = legs.flatMap((leg) => hint(board, leg.owner, leg, false));
  const scale = targets.length > 4 ? 0.78 : 1; // neighbouring targets must not run into each other
  for (const target of targets) {
    const item = offerTarget(board, target, scale);
    item.lean = touched ? -0.05 : 0.25;
    items.push(item);
    marks.push(item.node);
    const { owner, kind, from, place } = target;
    if (touched && kind !== "swap" && from !== "r" && !isCentre(from) && !isCentre(place))
      hints.push(...hint(board, owner, { from, to: place }, back));
  }
  for (const leg of legs) {
    const transform = `translate(${xy(board.at(leg.owner, leg.to))})`;
    marks.push(svg("g", { class: "target target-done", transform }, ...targetMark("move").filter(Boolean)));
  }
  const item = touched && board.nodeAt(touched.owner, touched.place);
  swapChildren(board.layer.hints, [item && lift(board, item), ...hints]);
  swapChildren(board.layer.targets, marks);
  return items;
}

/** A marble that may not be pressed. @param {SVGGElement} node */
function putDown(node) {
  node.classList.remove("can", "lifted");
  for (const name of ["role", "tabindex", "data-key", "aria-label"]) node.removeAttribute(name);
  node.setAttribute("aria-hidden", "true");
  inside(node).setAttribute("transform", "scale(.47)");
}

/**
 * A marble that may be taken up; undefined when it does not stand there.
 * @param {Board} board @param {MarbleChoice} choice @returns {Item | undefined}
 */
function offerMarble(board, { owner, place, label, pick }) {
  const item = board.nodeAt(owner, place);
  if (!item) return undefined;
  const { node } = item;
  const key = `m:${place}`;
  node.classList.add("can");
  node.removeAttribute("aria-hidden");
  const said = { role: "button", tabindex: "-1", "aria-label": label, "data-key": key };
  for (const [name, value] of Object.entries(said)) node.setAttribute(name, value);
  const [x, y] = board.at(item.seat, item.place, item.slot);
  return { x, y, act: pick, drag: item, key, node };
}

/**
 * A place where a marble may be released.
 * @param {Board} board @param {TargetChoice} target @param {number} scale @returns {Item}
 */
function offerTarget(board, target, scale) {
  const { kind, place } = target;
  const owner = (kind === "swap" ? target.other : undefined) ?? target.owner;
  const [x, y] = board.at(owner, place, isCentre(place) ? -1 : 0);
  const key = `t:${target.from}-${place}`;
  const node = svg(
    "g",
    {
      class: `target target-${kind}`,
      transform: `translate(${xy([x, y])}) scale(${scale})`,
      role: "button",
      tabindex: "-1",
      "aria-label": target.label,
      "data-key": key,
    },
    ...targetMark(kind).filter(Boolean),
  );
  const reach = isCentre(place) ? board.geometry.bowl?.[2] : 0;
  return { x, y, reach, act: target.take, target, key, node };
}

/** Lift the touched marble and return the ring around it. @param {Board} board @param {Piece} item */
function lift(board, { seat, place, slot, node }) {
  node.classList.add("lifted");
  inside(node).setAttribute("transform", "translate(0 -.08) scale(.58)");
  board.layer.marbles.append(node);
  return svg(
    "g",
    { class: "board-touched", transform: `translate(${xy(board.at(seat, place, slot))})` },
    svg("circle", { r: 0.82, class: "touched-ring" }),
    svg("circle", { r: 0.82, class: "touched-dashes" }),
  );
}

/** The dotted way of a leg. @param {Board} board @param {number} owner @param {Leg} leg @param {boolean} back */
function hint(board, owner, leg, back) {
  if (!board.view) return [];
  const { points, jump } = board.wayPoints(board.view, owner, leg, back);
  const d = lineOf(jump ? [...points, jump] : points);
  return [svg("path", { class: "board-hint-outer", d }), svg("path", { class: "board-hint", d })];
}
