// Fingers, mice and keys on the board: the nearest thing that may be pressed takes a press, a marble can be dragged.
import { targetOf } from "./dom.js";
/** @import { Piece } from "./board.js" */
/** @import { Item } from "./offer.js" */

const REACH = 24; // px: a press counts for the nearest marble or target within it
const DRAG = 6; // px before a press becomes a drag

export class Presses {
  /** @param {import("./board.js").Board} board what may be pressed is its `items` */
  constructor(board) {
    this.board = board;
    this.root = board.root;
    this.listen();
  }

  /** @param {MouseEvent} event */
  toBoard(event) {
    const matrix = this.root.getScreenCTM() ?? new DOMMatrix();
    const point = new DOMPoint(event.clientX, event.clientY).matrixTransform(matrix.inverse());
    return { x: point.x, y: point.y, reach: REACH / matrix.a };
  }

  /**
   * The nearest thing that may be pressed at an event. Targets of a marble that is picked up win over marbles where
   * both are near; the others lose: who means a marble must not play.
   * @param {MouseEvent} event @param {(item: Item) => boolean} [accept]
   */
  nearest(event, accept = () => true) {
    const { x, y, reach } = this.toBoard(event);
    let best = null;
    for (const item of this.board.items.filter(accept)) {
      const away = Math.hypot(item.x - x, item.y - y) + (item.lean ?? 0);
      if (away <= Math.max(reach, item.reach ?? 0) && (!best || away < best.away)) best = { item, away };
    }
    return best?.item ?? null;
  }

  /** Is the event over the wood? @param {MouseEvent} event */
  over(event) {
    const { x, y } = this.toBoard(event);
    return Math.hypot(x, y) <= this.board.geometry.half;
  }

  listen() {
    /** @type {{item: Item, id: number, x: number, y: number, dragging: boolean, seat?: Piece} | null} */
    let press = null;
    this.root.addEventListener("pointerdown", (event) => {
      if (event.button) return;
      const item = this.nearest(event);
      if (!item) return;
      press = { item, id: event.pointerId, x: event.clientX, y: event.clientY, dragging: false };
      if (item.drag) event.preventDefault();
    });
    /** @param {PointerEvent} event */
    const move = (event) => {
      if (!press || event.pointerId !== press.id || !press.item.drag) return;
      if (!press.dragging && Math.hypot(event.clientX - press.x, event.clientY - press.y) > DRAG) {
        press.dragging = true;
        press.seat = press.item.drag;
        // picking it up is the touch; its targets follow
        if (!press.seat?.node.classList.contains("lifted")) press.item.act();
        this.root.classList.add("dragging");
      }
      if (press.dragging && press.seat) {
        const { seat } = press;
        const { x, y } = this.toBoard(event);
        this.board.place(seat, [x, y]);
        this.board.layer.marbles.append(seat.node);
        this.board.point(this.nearest(event, (item) => item.target?.from === seat.place)?.key);
      }
    };
    /** @param {PointerEvent} event */
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
      if (!seat) return;
      const target = event.type === "pointerup" && this.nearest(event, (other) => other.target?.from === seat.place);
      this.board.place(seat, this.board.at(seat.seat, seat.place, seat.slot));
      if (target) target.act();
      else if (event.type === "pointerup") this.board.dropped?.(seat, event);
    };
    addEventListener("pointermove", move);
    addEventListener("pointerup", up);
    addEventListener("pointercancel", up);
    this.root.addEventListener("keydown", (event) => {
      if (event.key !== "Enter" && event.key !== " ") return;
      const item = this.board.items.find((one) => one.node === event.target);
      if (!item) return;
      event.preventDefault();
      item.act();
    });
    // A screen reader's "click" comes without a pointer.
    this.root.addEventListener("click", (event) => {
      if (event.detail) return;
      const item = this.board.items.find((one) => one.node.contains(targetOf(event)));
      item?.act();
    });
  }
}
