// What happened at the table as motion of marbles: along their real ways, one after another, soon over.
import { pace } from "./chosen.js";
import { goesBack, isCentre } from "./notation.js";
/** @import { Piece } from "./board.js" */
/** @import { TockStep } from "./tock_types.js" */

const STEP = 45; // ms a space, as in tokens.css; one move never lasts longer than MOVE
const MOVE = 400;
const HOME = 4 * STEP; // back to the reserve

/**
 * What is moved, from the view before to the view after.
 * @typedef {Pick<TockStep, "fx" | "d" | "before" | "after">} Moved
 */

/**
 * A marble on its way, in ms from the beginning.
 * @typedef {{item: Piece, points: number[][], from: number, until: number}} OnItsWay
 */

export class Motion {
  /** @param {import("./board.js").Board} board @param {() => boolean} still true when nothing may move */
  constructor(board, still) {
    this.board = board;
    this.still = still;
    this.frame = 0;
    /** @type {(() => void) | undefined} */
    this.finish = undefined;
  }

  stop() {
    this.frame += 1;
    this.finish?.();
    this.finish = undefined;
  }

  /**
   * Move the marbles of one event, from the view before it to the view after it.
   * @param {Moved} step @returns {Promise<void>} at most 400 ms a leg later at the usual speed
   */
  run(step) {
    const { board } = this;
    const motions = this.still() ? [] : this.motions(step);
    if (!motions.length) {
      board.show(step.after);
      return Promise.resolve();
    }
    this.stop();
    const whole = Math.max(...motions.map((motion) => motion.until));
    const longest = MOVE * Math.max(1, (step.fx ?? []).filter(([kind]) => kind === "move").length);
    const rate = (whole > longest ? whole / longest : 1) * pace();
    const frame = this.frame;
    const began = performance.now();
    return new Promise((done) => {
      this.finish = done;
      /** @param {number} now */
      const draw = (now) => {
        if (frame !== this.frame) return;
        const t = (now - began) * rate;
        for (const motion of motions) {
          if (t >= motion.from)
            board.place(
              motion.item,
              along(motion.points, Math.min(1, (t - motion.from) / (motion.until - motion.from))),
            );
        }
        if (t < whole) requestAnimationFrame(draw);
        else board.show(step.after); // ends the promise
      };
      requestAnimationFrame(draw);
    });
  }

  /**
   * The facts of an event as motions: one marble after another, those eaten on the way as they are passed.
   * @param {Moved} state
   */
  motions({ fx, before, d }) {
    const { board } = this;
    const back = typeof d?.play === "string" && goesBack(before, d.play.split(" ")[0]);
    /** @type {OnItsWay[]} */
    const out = [];
    let at = 0;
    /** @type {{from: number, path: string[]}} */
    let last = { from: 0, path: [] }; // the move that goes on, place by place
    /** @type {Piece | undefined} */
    let mover;
    /** @param {Piece | undefined} item @param {number[][]} points @param {number} ms @param {number} [from] */
    const add = (item, points, ms, from = at) => {
      if (!item || points.some((point) => !point)) return;
      out.push({ item, points, from, until: from + ms });
      board.layer.marbles.append(item.node);
    };
    for (const [kind, seat, a, b, c] of fx ?? []) {
      if (kind === "move") {
        const item = board.nodeAt(seat, a);
        mover = item;
        const { points, path } = board.wayPoints(before, seat, { from: a, to: b }, back);
        if (item && isCentre(a)) points[0] = board.at(seat, a, item.slot);
        last = { from: at, path };
        add(item, points, STEP * Math.max(isCentre(a) || isCentre(b) ? 8 : 1, points.length - 1));
        if (item) item.place = b;
      } else if (kind === "jump") {
        const item = board.nodeAt(seat, a);
        mover = item;
        add(item, [board.at(seat, a), board.at(seat, b)], 3 * STEP);
        if (item) item.place = b;
      } else if (kind === "out") {
        const item = board.nodeAt(seat, "r");
        mover = item;
        add(item, [board.at(seat, "r", item?.slot), board.at(seat, a)], HOME);
        if (item) item.place = a;
      } else if (kind === "eaten") {
        const item = board.nodes.find((one) => one.seat === seat && one.place === a && one !== mover);
        if (item) {
          const slot = 3 - board.nodes.filter((one) => one.seat === seat && one.place === "r").length;
          const passed = last.path.indexOf(a);
          add(
            item,
            [board.at(seat, a), board.at(seat, "r", Math.max(0, slot))],
            HOME,
            passed > 0 ? last.from + STEP * passed : at,
          );
          Object.assign(item, { place: "r", slot });
        }
      } else if (kind === "swap") {
        const first = board.nodeAt(seat, a);
        const second = board.nodeAt(b, c);
        add(first, [board.at(seat, a), board.at(b, c)], 6 * STEP);
        add(second, [board.at(b, c), board.at(seat, a)], 6 * STEP);
        if (first) first.place = c;
        if (second) second.place = a;
      }
      at = Math.max(at, ...out.map((motion) => motion.until));
    }
    return out;
  }
}

/** The point at share `t` (0 to 1) of a line through `points`. @param {number[][]} points @param {number} t */
function along(points, t) {
  const spot = t * (points.length - 1);
  const i = Math.min(points.length - 2, Math.floor(spot));
  const rest = spot - i;
  const [a, b] = [points[i], points[i + 1]];
  return [a[0] + (b[0] - a[0]) * rest, a[1] + (b[1] - a[1]) * rest];
}
