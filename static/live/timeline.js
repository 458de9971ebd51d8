// The line of a replay: where we are, deals, what happened; a slider for finger, mouse and keyboard.
import { svg, swapChildren } from "./dom.js";

const MARKS = 90; // more would be noise: then only deals, marbles eaten and rulings are marked

/** What is marked on the line. @typedef {{kind: "s" | "x" | "b" | "r" | "deal", index: number}} Mark */

export class Timeline {
  /** @param {SVGSVGElement} root @param {(index: number) => void} go */
  constructor(root, go) {
    this.root = root;
    this.go = go;
    this.count = 0;
    this.index = 0;
    this.done = svg("rect", {});
    this.knob = svg("circle", {});
    /** @param {PointerEvent} event */
    const seek = (event) => {
      const box = root.getBoundingClientRect();
      const share = Math.min(1, Math.max(0, (event.clientX - box.left) / box.width));
      this.go(Math.round(share * this.count));
    };
    root.addEventListener("pointerdown", (event) => {
      root.setPointerCapture(event.pointerId);
      seek(event);
    });
    root.addEventListener("pointermove", (event) => root.hasPointerCapture(event.pointerId) && seek(event));
    root.addEventListener("keydown", (event) => {
      /** @type {{[key: string]: number | undefined}} */
      const steps = { ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1, PageDown: 10, PageUp: -10 };
      const step = steps[event.key];
      let to;
      if (step) to = this.index + step;
      else if (event.key === "Home") to = 0;
      else if (event.key === "End") to = this.count;
      else return;
      event.preventDefault();
      this.go(Math.min(this.count, Math.max(0, to)));
    });
  }

  /** @param {number} index */
  x(index) {
    return `${this.count ? ((index / this.count) * 100).toFixed(2) : 0}%`;
  }

  /**
   * Draw the line; answers which kinds of marks are on it, for its key.
   * @param {number} count @param {Mark[]} marks @returns {Set<string>}
   */
  draw(count, marks) {
    this.count = count;
    const shown = marks.length > MARKS ? marks.filter((mark) => ["x", "r", "deal"].includes(mark.kind)) : marks;
    this.done = svg("rect", { class: "done", x: 0, y: 18, width: 0, height: 8, rx: 4 });
    this.knob = svg("circle", { class: "knob", cx: 0, cy: 22, r: 10 });
    const nodes = shown.map(({ kind, index }) => svg("svg", { x: this.x(index), overflow: "visible" }, shapeOf(kind)));
    swapChildren(this.root, [
      svg("rect", { class: "rail", x: 0, y: 18, width: "100%", height: 8, rx: 4 }),
      this.done,
      ...nodes,
      this.knob,
    ]);
    this.root.setAttribute("aria-valuemin", "0");
    this.root.setAttribute("aria-valuemax", String(count));
    return new Set(shown.map(({ kind }) => kind));
  }

  /** @param {number} index @param {string} words */
  at(index, words) {
    this.index = index;
    this.done.setAttribute("width", this.x(index));
    this.knob.setAttribute("cx", this.x(index));
    this.root.setAttribute("aria-valuenow", String(index));
    this.root.setAttribute("aria-valuetext", words);
  }
}

/** @param {Mark["kind"]} kind */
function shapeOf(kind) {
  if (kind === "deal") return svg("path", { class: "deal", d: "M0 12V32" });
  if (kind === "s") return svg("circle", { class: "mark-dot", cy: 6, r: 5 });
  if (kind === "x") return svg("path", { class: "mark-cross", d: "M-5 1l10 10M5 1l-10 10" });
  if (kind === "r") return svg("path", { class: "mark-flag", d: "M0 12V0M0 0h9l-2.5 3L9 6H0" });
  return svg("rect", { class: "mark-square", x: -5, y: 1, width: 10, height: 10 });
}
