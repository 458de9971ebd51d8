// The live board: the server drew the wood and the holes; this fills the layers above them.
import { all, inside, svg, swapChildren } from "./dom.js";
import { Motion } from "./motion.js";
import { isCentre, isTrack, startOf, wayOf } from "./notation.js";
import { showOffer } from "./offer.js";
import { letterOf, lineOf, marble, xy } from "./pieces.js";
import { pileCards } from "./pile.js";
import { Presses } from "./presses.js";
/** @import { Item, Offer } from "./offer.js" */
/** @import { Geometry, Leg, Pile, TockEffect, TockView } from "./tock_types.js" */
/** @import { GameKind } from "./types.js" */

/**
 * A marble on the board.
 * @typedef {{seat: number, place: string, slot: number, node: SVGGElement, fresh?: boolean}} Piece
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
   * Show the pile; `laid` lies on top while its play is not released.
   * @param {Pile} cards @param {string} [laid]
   */
  centre(cards, laid) {
    swapChildren(this.layer.centre, pileCards(cards, laid, this.geometry.pile));
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
  offer(offer) {
    this.items = showOffer(this, offer);
    this.root.classList.toggle("busy", this.items.length > 0 && !offer.quiet);
    this.root.classList.toggle("quiet", Boolean(offer.quiet));
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
