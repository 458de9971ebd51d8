// The live board: the server drew the wood and the holes; this fills the layers above them.
import { svg, swapChildren } from "./dom.js";
import { isTrack, startOf, stepsOf, wayOf } from "./notation.js";
import { cardOnBoard, letterOf, marble, targetMark } from "./pieces.js";

const REACH = 24; // px: a press counts for the nearest marble or target within it
const STEP = 45; // ms a space, as in tokens.css; one move never lasts longer than MOVE
const MOVE = 400;
const DRAG = 6; // px before a press becomes a drag

const xy = ([x, y]) => `${x.toFixed(2)} ${y.toFixed(2)}`;
const lineOf = (points) => `M${points.map(xy).join("L")}`;

export class Board {
  /**
   * @param {SVGSVGElement} root drawn by the server, with its layers
   * @param {{places: Object<string, number[]>, half: number}} geometry
   * @param {{still?: () => boolean}} options `still`: true when nothing may move (reduced motion, hidden page)
   */
  constructor(root, geometry, { still = () => false } = {}) {
    this.root = root;
    this.geometry = geometry;
    this.still = still;
    this.layer = Object.fromEntries([...root.querySelectorAll("[data-layer]")].map((g) => [g.dataset.layer, g]));
    this.nodes = []; // {seat, place, node}
    this.items = []; // what may be pressed now: {x, y, act, drag, node, key}
    this.frame = 0;
    this.listen();
  }

  /** Where a marble of `owner` stands; `slot` numbers those in the reserve. */
  at(owner, place, slot = 0) {
    if (place === "r") return this.geometry.places[`${owner}r${slot}`];
    return this.geometry.places[isTrack(place) ? place : `${owner}${place}`] ?? [0, 0];
  }

  /** Put every marble where the view has it, at once. */
  show(view) {
    this.stop();
    this.view = view;
    const wanted = [];
    for (const [text, places] of Object.entries(view.marbles)) {
      const seat = Number(text);
      let slot = 3;
      for (const place of [...places].sort()) wanted.push({ seat, place, slot: place === "r" ? slot-- : 0 });
    }
    const free = [...this.nodes];
    const next = [];
    const missing = [];
    for (const want of wanted) {
      const i = free.findIndex((have) => have.seat === want.seat && have.place === want.place && have.slot === want.slot);
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

  place(item, point) {
    item.node.setAttribute("transform", `translate(${xy(point)})`);
  }

  dress(item, fresh) {
    if (item.fresh === fresh) return;
    item.fresh = fresh;
    const inner = item.node.firstElementChild;
    inner.querySelector(".m-fresh")?.remove();
    if (fresh) inner.prepend(svg("use", { href: "#shield", class: "m-fresh" }));
  }

  nodeAt(owner, place) {
    return this.nodes.find((item) => item.seat === owner && item.place === place);
  }

  /** The last cards of the pile; `laid` lies on top while its play is not released. */
  centre(cards, laid) {
    const shown = [...cards, ...(laid ? [laid] : [])].slice(-2);
    const spots = shown.length > 1 ? [[-0.35, 0.1, -14], [0.3, 0, 5]] : [[0, 0, 5]];
    swapChildren(this.layer.centre, shown.map((card, i) => cardOnBoard(card, ...spots[i].slice(0, 2), 2.35, spots[i][2])));
  }

  /** The points of a leg along the real spaces, and the point after a jump. */
  wayPoints(view, owner, leg, back) {
    const { path, jump } = wayOf(view, owner, leg.from, leg.to, back);
    const points = path.map((place) => this.at(owner, place, 0));
    return { points, jump: jump ? this.at(owner, jump) : null };
  }

  /** Draw the last move in its mover's colour: the path, and a dashed ring where it began. */
  last(view, fx) {
    const out = [];
    for (const [kind, seat, a, b, c] of fx ?? []) {
      const cls = `sw-${letterOf(seat)}`;
      if (kind === "move") {
        const back = this.isBack(view, seat, a, b);
        const { points } = this.wayPoints(view, seat, { from: a, to: b }, back);
        out.push(svg("path", { class: `bd-last ${cls}`, d: lineOf(points) }));
        out.push(svg("circle", { class: `bd-from ${cls}`, cx: points[0][0], cy: points[0][1], r: 0.42 }));
      } else if (kind === "jump") {
        out.push(svg("path", { class: `bd-last bd-leap ${cls}`, d: lineOf([this.at(seat, a), this.at(seat, b)]) }));
      } else if (kind === "swap") {
        out.push(svg("path", { class: `bd-last bd-leap ${cls}`, d: lineOf([this.at(seat, a), this.at(b, c)]) }));
      }
    }
    swapChildren(this.layer.last, out);
  }

  /** A four goes back; the facts only name where it began and ended. */
  isBack(view, seat, from, to) {
    if (!isTrack(from) || !isTrack(to)) return false;
    const length = 18 * view.seats;
    return (Number(from.slice(1)) - Number(to.slice(1)) + length) % length === -stepsOf("4S");
  }

  /**
   * What the player may press now.
   * @param {{marbles: object[], targets: object[], touched?: {owner: number, place: string}, back: boolean, legs: object[]}} state
   *        marbles: {owner, place, label, pick}; targets: {from, owner, place, kind, label, take}
   */
  offer({ marbles = [], targets = [], touched, back = false, legs = [] }) {
    this.items = [];
    for (const { node } of this.nodes) {
      node.classList.remove("can", "lifted");
      node.removeAttribute("role");
      node.removeAttribute("tabindex");
      node.removeAttribute("data-key");
      node.removeAttribute("aria-label");
      node.setAttribute("aria-hidden", "true");
      node.firstElementChild.setAttribute("transform", "scale(.47)");
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
    for (const target of targets) {
      const [x, y] = this.at(target.kind === "swap" ? target.other : target.owner, target.place);
      const node = svg("g", { class: `tg tg-${target.kind}`, transform: `translate(${xy([x, y])})`, role: "button", tabindex: "-1", "aria-label": target.label, "data-key": `t:${target.from}-${target.place}` },
        ...targetMark(target.kind).filter(Boolean));
      marks.push(node);
      this.items.push({ x, y, act: target.take, target, key: `t:${target.from}-${target.place}`, node });
      if (target.kind !== "swap" && target.from !== "r") hints.push(...this.hint(target.owner, { from: target.from, to: target.place }, back));
    }
    for (const leg of legs) {
      const [x, y] = this.at(leg.owner, leg.to);
      marks.push(svg("g", { class: "tg tg-done", transform: `translate(${xy([x, y])})` }, ...targetMark("move").filter(Boolean)));
    }
    const item = touched && this.nodeAt(touched.owner, touched.place);
    if (item) {
      const [x, y] = this.at(item.seat, item.place, item.slot);
      marks.unshift(svg("g", { class: "bd-touch", transform: `translate(${xy([x, y])})` },
        svg("circle", { r: 0.82, class: "bt-0" }), svg("circle", { r: 0.82, class: "bt-1" })));
      item.node.classList.add("lifted");
      item.node.firstElementChild.setAttribute("transform", "translate(0 -.08) scale(.58)");
      this.layer.marbles.append(item.node);
    }
    const touch = marks.filter((mark) => mark.classList.contains("bd-touch"));
    swapChildren(this.layer.hints, [...touch, ...hints]);
    swapChildren(this.layer.targets, marks.filter((mark) => !touch.includes(mark)));
    this.root.classList.toggle("busy", this.items.length > 0);
  }

  /** The dotted way of a leg. */
  hint(owner, leg, back) {
    const { points, jump } = this.wayPoints(this.view, owner, leg, back);
    const d = lineOf(jump ? [...points, jump] : points);
    return [svg("path", { class: "bd-hint2", d }), svg("path", { class: "bd-hint", d })];
  }

  /** Show which place a button under the board speaks of. */
  point(key) {
    for (const item of this.items) item.node.classList.toggle("on", item.key === key);
  }

  focusables() {
    return this.items.filter((item) => !item.target).map((item) => item.node);
  }

  // ---- presses and drags

  toBoard(event) {
    const matrix = this.root.getScreenCTM();
    const point = new DOMPoint(event.clientX, event.clientY).matrixTransform(matrix.inverse());
    return { x: point.x, y: point.y, reach: REACH / matrix.a };
  }

  /** The nearest thing that may be pressed at an event; targets win over marbles where both are near. */
  nearest(event, accept = () => true) {
    const { x, y, reach } = this.toBoard(event);
    let best = null;
    for (const item of this.items.filter(accept)) {
      const away = Math.hypot(item.x - x, item.y - y) - (item.target ? 0.05 : 0);
      if (away <= reach && (!best || away < best.away)) best = { item, away };
    }
    return best?.item ?? null;
  }

  /** Is the event over the wood? */
  over(event) {
    const { x, y } = this.toBoard(event);
    return Math.hypot(x, y) <= this.geometry.half;
  }

  listen() {
    let press = null;
    this.root.addEventListener("pointerdown", (event) => {
      if (event.button) return;
      const item = this.nearest(event);
      if (!item) return;
      press = { item, id: event.pointerId, x: event.clientX, y: event.clientY, dragging: false };
      if (item.drag) event.preventDefault();
    });
    const move = (event) => {
      if (!press || event.pointerId !== press.id || !press.item.drag) return;
      if (!press.dragging && Math.hypot(event.clientX - press.x, event.clientY - press.y) > DRAG) {
        press.dragging = true;
        press.seat = press.item.drag;
        press.item.act(); // picking it up is the touch; its targets follow
        this.root.classList.add("dragging");
      }
      if (press.dragging) {
        const { x, y } = this.toBoard(event);
        this.place(press.seat, [x, y]);
        this.layer.marbles.append(press.seat.node);
        this.point(this.nearest(event, (item) => item.target?.from === press.seat.place)?.key);
      }
    };
    const up = (event) => {
      if (!press || event.pointerId !== press.id) return;
      const { item, dragging, seat } = press;
      press = null;
      this.root.classList.remove("dragging");
      if (!dragging) {
        // A click that began and ended on the same thing.
        if (event.type === "pointerup" && this.nearest(event)?.key === item.key) item.act();
        return;
      }
      const target = event.type === "pointerup" && this.nearest(event, (other) => other.target?.from === seat.place);
      this.place(seat, this.at(seat.seat, seat.place, seat.slot));
      if (target) target.act();
      else if (event.type === "pointerup") this.dropped?.(seat, event);
    };
    addEventListener("pointermove", move);
    addEventListener("pointerup", up);
    addEventListener("pointercancel", up);
    this.root.addEventListener("keydown", (event) => {
      if (event.key !== "Enter" && event.key !== " ") return;
      const item = this.items.find((one) => one.node === event.target);
      if (!item) return;
      event.preventDefault();
      item.act();
    });
    // A screen reader's "click" comes without a pointer.
    this.root.addEventListener("click", (event) => {
      if (event.detail) return;
      const item = this.items.find((one) => one.node.contains(event.target));
      item?.act();
    });
  }

  // ---- motion

  stop() {
    this.frame += 1;
    this.finish?.();
    this.finish = undefined;
  }

  /**
   * Move the marbles of one event along their real ways, from the view before it to the view after it.
   * @returns {Promise<void>} at most 400 ms later
   */
  animate(step) {
    const motions = this.still() ? [] : this.motions(step);
    if (!motions.length) {
      this.show(step.after);
      return Promise.resolve();
    }
    this.stop();
    const whole = motions[motions.length - 1].until;
    const rate = whole > MOVE ? whole / MOVE : 1;
    const frame = this.frame;
    const began = performance.now();
    return new Promise((done) => {
      this.finish = done;
      const draw = (now) => {
        if (frame !== this.frame) return;
        const t = (now - began) * rate;
        for (const motion of motions) {
          if (t >= motion.from) this.place(motion.item, along(motion.points, Math.min(1, (t - motion.from) / (motion.until - motion.from))));
        }
        if (t < whole) requestAnimationFrame(draw);
        else this.show(step.after); // ends the promise
      };
      requestAnimationFrame(draw);
    });
  }

  /** The facts of an event as motions of marbles, one after another. */
  motions({ fx, before, after, d }) {
    const back = typeof d?.play === "string" && stepsOf(d.play.split(" ")[0]) < 0;
    const out = [];
    let at = 0;
    const add = (item, points, ms) => {
      if (!item || points.some((point) => !point)) return;
      out.push({ item, points, from: at, until: at + ms });
      this.layer.marbles.append(item.node);
    };
    for (const [kind, seat, a, b, c] of fx ?? []) {
      if (kind === "move") {
        const item = this.nodeAt(seat, a);
        const { points } = this.wayPoints(before, seat, { from: a, to: b }, back);
        add(item, points, STEP * (points.length - 1));
        if (item) item.place = b;
      } else if (kind === "jump") {
        const item = this.nodeAt(seat, a);
        add(item, [this.at(seat, a), this.at(seat, b)], 3 * STEP);
        if (item) item.place = b;
      } else if (kind === "out") {
        const item = this.nodeAt(seat, "r");
        if (item) {
          add(item, [this.at(seat, "r", item.slot), this.at(seat, a)], 4 * STEP);
          item.place = a;
        }
      } else if (kind === "eaten") {
        const item = this.nodes.find((one) => one.seat === seat && one.place === a && !(out[out.length - 1]?.item === one));
        if (item) {
          const slot = 3 - this.nodes.filter((one) => one.seat === seat && one.place === "r").length;
          add(item, [this.at(seat, a), this.at(seat, "r", Math.max(0, slot))], 4 * STEP);
          Object.assign(item, { place: "r", slot });
        }
      } else if (kind === "swap") {
        const first = this.nodeAt(seat, a);
        const second = this.nodeAt(b, c);
        add(first, [this.at(seat, a), this.at(b, c)], 6 * STEP);
        add(second, [this.at(b, c), this.at(seat, a)], 6 * STEP);
        if (first) first.place = c;
        if (second) second.place = a;
      }
      at = Math.max(at, ...out.map((motion) => motion.until));
    }
    return after && out;
  }
}

/** The point at share `t` (0 to 1) of a line through `points`. */
function along(points, t) {
  const spot = t * (points.length - 1);
  const i = Math.min(points.length - 2, Math.floor(spot));
  const rest = spot - i;
  const [a, b] = [points[i], points[i + 1]];
  return [a[0] + (b[0] - a[0]) * rest, a[1] + (b[1] - a[1]) * rest];
}

