// The way from a replay to a dispute of the play shown, while arbitration says that it is open to this reader.
import { byId, el } from "./dom.js";
import { gettext } from "./i18n.js";
import { icon } from "./pieces.js";
/** @import { Boot } from "./types.js" */

export class Dispute {
  /** @param {Boot} boot */
  constructor(boot) {
    this.address = boot.dispute;
    /** @type {number | undefined} of the step shown, once there is one */
    this.seq = undefined;
  }

  /** Ask whether the game may be disputed, and add the link then. */
  async ask() {
    if (!this.address) return;
    try {
      const reply = await fetch(`${this.address}window/`, { credentials: "same-origin" });
      const { possible } = await reply.json();
      if (!possible) return;
    } catch {
      return; // not reached: the case pages say the same
    }
    const words = gettext("Dispute from this play");
    const link = el("a", { class: "button on-felt", id: "dispute" }, icon("whistle"), words);
    byId("copied").before(el("p", { class: "center dispute-line" }, link));
    if (this.seq !== undefined) this.show(this.seq);
  }

  /** Lead to the dispute of a step. @param {number} seq */
  show(seq) {
    this.seq = seq;
    const link = document.getElementById("dispute");
    if (link instanceof HTMLAnchorElement) link.href = `${this.address}?seq=${seq}`;
  }
}
