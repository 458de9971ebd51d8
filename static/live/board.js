// The live board: the server drew the wood and the holes; this fills the layers above them.
import { all, inside, svg, swapChildren } from "./dom.js";
import { Motion } from "./motion.js";
import { isCentre, isTrack, startOf, wayOf } from "./notation.js";
import { cardOnBoard, letterOf, marble, targetMark } from "./pieces.js";
import { Presses } from "./presses.js";
/** @import { Geometry, Leg, Pile, Target, TockEffect, TockView } from "./tock_types.js" */
/** @import { GameKind } from "./types.js" */

const SHOWN = 5; // cards of a hand laid down, at most

/** @param {number[]} point */
const xy = ([x, y]) => `${x.toFixed(2)} ${y.toFixed(2)}`;
/** @param {number[][]} points */
const lineOf = (points) => `M${points.map(xy).join("L")}`;

/**
 * A marble on the board.
 * @typedef {{seat: number, place: string, slot: number, node: SVGGElement, fresh?: boolean}} Piece
 */

/**
 * What may be pressed.
 * @typedef {object} Item
 * @property {number} x
 * @property {number} y
 * @property {number} [reach]   counts as pressed within, in spaces
 * @property {() => void} act
 * @property {Piece} [drag]     what is dragged from it
 * @property {Target} [target]
 * @property {string} key
 * @property {SVGElement} node
 */

/**
 * What the player may press now.
 * @typedef {object} Offer
 * @property {{owner: number, place: string, label: string, pick: () => void}[]} [marbles]
 * @property {(Target & {label: string, take: () => void})[]} [targets]
 * @property {{owner: number, place: string}} [touched]
 * @property {boolean} [back]
 * @property {(Leg & {owner: number})[]} [legs]   laid out already
 */

export class Board {
  /**
   * @param {SVGSVGElement} root drawn by the server, with its layers
   * @param {Geometry} geometry
   * @param {{still?: () => boolean}} options `still`: true when nothing may move (reduced motion, hidden page)
   */
  constructor(root, geometry, { still = () => false } = {}) {
    this.root = root;
    this.geometry = geometry;
    this.layer = Object.fromEntries(
      /** @type {SVGGElement[]} */ (all(root, "[data-layer]")).map((g) => [g.dataset.layer, g]),
    );
    /** @type {Piece[]} */
    this.nodes = [];
    /** @type {Item[]} what may be pressed now */
    this.items = [];
    /** @type {number[][]} where the marbles in the centre lie */
    this.bowl = [];
    /** @type {TockView | undefined} */
    this.view = undefined;
    /** @type {((seat: Piece, event: PointerEvent) => void) | undefined} a marble was let go where it cannot stand */
    this.dropped = undefined;
    this.motion = new Motion(this, still);
    this.presses = new Presses(this);
  }

  /**
   * Where a marble of `owner` stands; `slot` numbers those in the reserve and in the centre.
   * @param {number} owner @param {string} place @param {number} [slot]
   */
  at(owner, place, slot = 0) {
    if (place === "r") return this.geometry.places[`${owner}r${slot}`];
    if (isCentre(place)) return this.bowl[slot] ?? this.geometry.bowl ?? [0, 0];
    return this.geometry.places[isTrack(place) ? place : `${owner}${place}`] ?? [0, 0];
  }

  /** Put every marble where the view has it, at once. @param {TockView} view */
  show(view) {
    this.motion.stop();
    this.view = view;
    const wanted = [];
    let inCentre = 0;
    for (const [text, places] of Object.entries(view.marbles)) {
      const seat = Number(text);
      let slot = 3;
      for (const place of [...places].sort()) {
        const at = isCentre(place) ? inCentre++ : 0;
        wanted.push({ seat, place, slot: place === "r" ? slot-- : at });
      }
    }
    this.bowl = spotsIn(this.geometry.bowl, inCentre);
    const free = [...this.nodes];
    const next = [];
    const missing = [];
    for (const want of wanted) {
      const i = free.findIndex(
        (have) => have.seat === want.seat && have.place === want.place && have.slot === want.slot,
      );
      if (i < 0) missing.push(want);
      else next.push(free.splice(i, 1)[0]);
    }
    for (const want of missing) {
      const i = free.findIndex((have) => have.seat === want.seat);
      next.push(Object.assign(i < 0 ? { node: marble(want.seat) } : free.splice(i, 1)[0], want));
    }
    for (const { node } of free) node.remove();
    if (!this.nodes.length) swapChildren(this.layer.marbles);
    this.nodes = next;
    for (const item of next) {
      this.place(item, this.at(item.seat, item.place, item.slot));
      this.dress(item, (view.fresh ?? []).includes(item.seat) && item.place === startOf(view, item.seat));
      if (!item.node.isConnected) this.layer.marbles.append(item.node);
    }
  }

  /** @param {Piece} item @param {number[]} point */
  place(item, point) {
    item.node.setAttribute("transform", `translate(${xy(point)})`);
  }

  /** @param {Piece} item @param {boolean} fresh */
  dress(item, fresh) {
    if (item.fresh === fresh) return;
    item.fresh = fresh;
    const inner = inside(item.node);
    inner.querySelector(".marble-fresh")?.remove();
    if (fresh) inner.prepend(svg("use", { href: "#shield", class: "marble-fresh" }));
  }

  /** @param {number} owner @param {string} place */
  nodeAt(owner, place) {
    return this.nodes.find((item) => item.seat === owner && item.place === place);
  }

  /**
   * The last cards of the pile, a whole hand where one was laid down; `laid` lies on top while its play is not
   * released.
   * @param {Pile} cards @param {string} [laid]
   */
  centre(cards, laid) {
    const last = cards[cards.length - 1];
    const shown = (laid ? [...cards.flat(), laid] : Array.isArray(last) ? last : cards.flat()).slice(
      Array.isArray(last) && !laid ? -SHOWN : -2,
    );
    const [x, y] = this.geometry.pile ?? [0, 0];
    const spots =
      shown.length > 2
        ? shown.map((_, i) => [
            0.8 * (i - (shown.length - 1) / 2),
            0.07 * (i - (shown.length - 1) / 2) ** 2,
            7 * (i - (shown.length - 1) / 2),
          ])
        : shown.length > 1
          ? [
              [-0.35, 0.1, -14],
              [0.3, 0, 5],
            ]
          : [[0, 0, 5]];
    swapChildren(
      this.layer.centre,
      shown.map((card, i) => cardOnBoard(card, x + spots[i][0], y + spots[i][1], 2.35, spots[i][2])),
    );
  }

  /**
   * The points of a leg along the real spaces, and the point after a jump.
   * @param {GameKind} view @param {number} owner @param {Leg} leg @param {boolean} back
   */
  wayPoints(view, owner, leg, back) {
    const { path, jump } = wayOf(view, owner, leg.from, leg.to, back);
    const points = path.map((place) => this.at(owner, place, isCentre(place) ? -1 : 0));
    return { path, points, jump: jump ? this.at(owner, jump) : null };
  }

  /**
   * Draw the last move in its mover's colour: the path, and a dashed ring where it began.
   * @param {TockView} view @param {TockEffect[] | undefined} fx @param {boolean} [back]
   */
  last(view, fx, back = false) {
    const out = [];
    for (const [kind, seat, a, b, c] of fx ?? []) {
      const cls = typeof seat === "number" ? `seat-colour-${letterOf(seat)}` : "";
      if (kind === "move") {
        const { points } = this.wayPoints(view, seat, { from: a, to: b }, back);
        out.push(svg("path", { class: `board-last ${cls}`, d: lineOf(points) }));
        out.push(svg("circle", { class: `board-from ${cls}`, cx: points[0][0], cy: points[0][1], r: 0.42 }));
      } else if (kind === "jump") {
        out.push(
          svg("path", { class: `board-last board-leap ${cls}`, d: lineOf([this.at(seat, a), this.at(seat, b)]) }),
        );
      } else if (kind === "swap") {
        out.push(svg("path", { class: `board-last board-leap ${cls}`, d: lineOf([this.at(seat, a), this.at(b, c)]) }));
      }
    }
    swapChildren(this.layer.last, out);
  }

  /** Show what the player may press now. @param {Offer} offer */
  offer({ marbles = [], targets = [], touched, back = false, legs = [] }) {
    this.items = [];
    for (const { node } of this.nodes) {
      node.classList.remove("can", "lifted");
      node.removeAttribute("role");
      node.removeAttribute("tabindex");
      node.removeAttribute("data-key");
      node.removeAttribute("aria-label");
      node.setAttribute("aria-hidden", "true");
      inside(node).setAttribute("transform", "scale(.47)");
    }
    for (const choice of marbles) {
      const item = this.nodeAt(choice.owner, choice.place);
      if (!item) continue;
      const [x, y] = this.at(item.seat, item.place, item.slot);
      item.node.classList.add("can");
      item.node.setAttribute("role", "button");
      item.node.setAttribute("tabindex", "-1");
      item.node.removeAttribute("aria-hidden");
      item.node.setAttribute("aria-label", choice.label);
      item.node.dataset.key = `m:${choice.place}`;
      this.items.push({ x, y, act: choice.pick, drag: item, key: `m:${choice.place}`, node: item.node });
    }
    const marks = [];
    const hints = [];
    for (const leg of legs) hints.push(...this.hint(leg.owner, leg, false));
    const size = targets.length > 4 ? 0.78 : 1; // neighbouring targets must not run into each other
    for (const target of targets) {
      const [x, y] = this.at(
        (target.kind === "swap" ? target.other : undefined) ?? target.owner,
        target.place,
        isCentre(target.place) ? -1 : 0,
      );
      const node = svg(
        "g",
        {
          class: `target target-${target.kind}`,
          transform: `translate(${xy([x, y])}) scale(${size})`,
          role: "button",
          tabindex: "-1",
          "aria-label": target.label,
          "data-key": `t:${target.from}-${target.place}`,
        },
        ...targetMark(target.kind).filter(Boolean),
      );
      marks.push(node);
      const reach = isCentre(target.place) ? this.geometry.bowl?.[2] : 0;
      this.items.push({ x, y, reach, act: target.take, target, key: `t:${target.from}-${target.place}`, node });
      if (target.kind !== "swap" && target.from !== "r" && !isCentre(target.from) && !isCentre(target.place))
        hints.push(...this.hint(target.owner, { from: target.from, to: target.place }, back));
    }
    for (const leg of legs) {
      const [x, y] = this.at(leg.owner, leg.to);
      marks.push(
        svg(
          "g",
          { class: "target target-done", transform: `translate(${xy([x, y])})` },
          ...targetMark("move").filter(Boolean),
        ),
      );
    }
    const item = touched && this.nodeAt(touched.owner, touched.place);
    if (item) {
      const [x, y] = this.at(item.seat, item.place, item.slot);
      marks.unshift(
        svg(
          "g",
          { class: "board-touched", transform: `translate(${xy([x, y])})` },
          svg("circle", { r: 0.82, class: "touched-ring" }),
          svg("circle", { r: 0.82, class: "touched-dashes" }),
        ),
      );
      item.node.classList.add("lifted");
      inside(item.node).setAttribute("transform", "translate(0 -.08) scale(.58)");
      this.layer.marbles.append(item.node);
    }
    const touch = marks.filter((mark) => mark.classList.contains("board-touched"));
    swapChildren(this.layer.hints, [...touch, ...hints]);
    swapChildren(
      this.layer.targets,
      marks.filter((mark) => !touch.includes(mark)),
    );
    this.root.classList.toggle("busy", this.items.length > 0);
  }

  /** The dotted way of a leg. @param {number} owner @param {Leg} leg @param {boolean} back */
  hint(owner, leg, back) {
    if (!this.view) return [];
    const { points, jump } = this.wayPoints(this.view, owner, leg, back);
    const d = lineOf(jump ? [...points, jump] : points);
    return [svg("path", { class: "board-hint-outer", d }), svg("path", { class: "board-hint", d })];
  }

  /** Show which place a button under the board speaks of. @param {string | undefined} key */
  point(key) {
    for (const item of this.items) item.node.classList.toggle("active", item.key === key);
  }

  focusables() {
    return this.items.filter((item) => !item.target).map((item) => item.node);
  }
}

/**
 * The places of `count` marbles in the bowl: a ring, and a smaller one within it when there are many. As _geometry.py.
 * @param {number[] | undefined} bowl @param {number} count
 */
function spotsIn(bowl, count) {
  if (!bowl || !count) return [];
  const [x, y, radius] = bowl;
  const outer = count > 6 ? Math.ceil(count * 0.68) : Math.min(count, 5);
  /** @param {number} many @param {number} r */
  const ring = (many, r) =>
    Array.from({ length: many }, (_, k) => {
      const turn = (2 * Math.PI * k) / many + 0.4;
      return many > 1 ? [x - r * Math.cos(turn), y - r * Math.sin(turn)] : [x, y];
    });
  return [...ring(outer, count > 2 ? radius - 0.62 : 0.58), ...ring(count - outer, 0.4)];
}

/**
 * The pile after a step, or as a view has it.
 * @param {Pile} pile what lay there @param {TockView} view
 * @param {{set?: object, fx?: TockEffect[]}} [step] the event that led to the view
 */
export function grow(pile, view, step) {
  if (!view.pile) return [];
  const thrown = step?.fx?.find((effect) => effect[0] === "threw");
  const hand = thrown?.[0] === "threw" ? thrown[2] : undefined;
  if (hand) return [hand];
  const known = pile[pile.length - 1];
  const top = Array.isArray(known) ? known[known.length - 1] : known;
  const laid = step ? Boolean(step.set && "pile" in step.set) : top !== view.pile;
  return laid ? [...pile.flat(), view.pile].slice(-2) : pile;
}
