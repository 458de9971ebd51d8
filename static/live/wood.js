// The board as its wood lies, seat A at the bottom, or turned so that the own seat is.
import { chosen } from "./chosen.js";
import { all, svg, swapChildren } from "./dom.js";
/** @import { Board } from "./board.js" */

export class Wood {
  /** @param {Board} board drawn by the server with the own seat at the bottom */
  constructor(board) {
    this.board = board;
    this.geometry = board.geometry;
    this.lying = false;
    /** @type {SVGElement | undefined} what turns with the wood */
    this.ground = undefined;
  }

  /** Lie as it is chosen; answers whether that changed. */
  lie() {
    const { board, geometry } = this;
    const { own = 0, seats = 4, places } = geometry;
    const lying = Boolean(own) && chosen("turned") === "off";
    if (lying === this.lying) return false;
    this.lying = lying;
    const degrees = lying ? (360 * own) / seats : 0;
    const [cos, sin] = [Math.cos((degrees * Math.PI) / 180), Math.sin((degrees * Math.PI) / 180)];
    const turned = Object.entries(places).map(([place, [x, y]]) => [place, [x * cos - y * sin, x * sin + y * cos]]);
    board.geometry = { ...geometry, places: Object.fromEntries(turned) };
    this.draw(degrees);
    swapChildren(board.layer.last);
    if (board.view) board.show(board.view);
    board.root.classList.toggle("lies", lying);
    return true;
  }

  /** Turn what the server drew; texts stay upright, the bowl below the middle. @param {number} degrees */
  draw(degrees) {
    const { root } = this.board;
    if (!this.ground) {
      const names = root.querySelector(".board-name")?.closest(".board-rim");
      const parts = [...root.children].filter(
        (node) => node !== names && !node.matches("defs, [data-layer], .board-bowl"),
      );
      this.ground = svg("g", {}, ...parts);
      root.querySelector("defs")?.after(this.ground);
    }
    this.ground.setAttribute("transform", `rotate(${degrees})`);
    for (const text of all(this.ground, ".board-number")) {
      const middle = Number(text.getAttribute("y")) - 0.24; // as _drawing.py sets it on its line
      text.setAttribute("transform", `rotate(${-degrees} ${text.getAttribute("x")} ${middle})`);
    }
    for (const path of all(root, "path[data-lying]")) {
      const { lying } = path.dataset;
      path.dataset.lying = path.getAttribute("d") ?? "";
      path.setAttribute("d", lying ?? "");
    }
  }
}
