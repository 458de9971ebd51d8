// Calls the own turn, and the time left for the decision that runs: in the window's title, by the bar, aloud.
import { capLeft, minutes } from "./clock.js";
import { byId, say } from "./dom.js";
import { gettext } from "./i18n.js";
/** @import { Clocks, View } from "./types.js" */

const LOW = 20000; // ms: the time is called

export class Caller {
  constructor() {
    this.title = document.title;
    /** @type {string[]} nobody calls their time */
    this.shortPhases = [];
    this.calledFor = "";
    this.lowCalled = false;
    this.low = () => {}; // the time has been called
  }

  /**
   * Call a turn once; `mine`: the own seat is among those that decide.
   * @param {string} title @param {View} view @param {boolean} mine
   */
  turn(title, view, mine) {
    const stopped = Boolean(view.frozen);
    const called = mine && !stopped;
    document.title = called ? `● ${title}` : this.title;
    const key = `${view.decision}:${called}`;
    if (called && this.calledFor !== key && view.phase !== "seating") {
      say(byId("called"), title);
      this.lowCalled = false;
    } else if (!called && !stopped) say(byId("called"), "");
    this.calledFor = key;
  }

  /**
   * Show the time left for the running decision; `paused`: no word comes from the server.
   * @param {Clocks} clocks @param {number} now @param {{paused: boolean, phase: string, mine: boolean}} state
   */
  time(clocks, now, { paused, phase, mine }) {
    const cap = capLeft(clocks, now);
    byId("cap").hidden = !cap;
    byId("cap-bar").toggleAttribute("hidden", !cap);
    if (!cap) return;
    if (paused) this.tellPause();
    say(byId("cap"), minutes(cap.left));
    byId("cap").classList.toggle("low", cap.left < LOW && !paused);
    byId("cap-fill").setAttribute("width", `${(cap.share * 100).toFixed(1)}%`);
    if (cap.left < LOW && !this.lowCalled && mine && !this.shortPhases.includes(phase)) {
      this.lowCalled = true;
      say(byId("called"), gettext("Less than 20 seconds left"));
      this.low();
    }
  }

  /** A clock that stands still for want of a server says so; whether it runs there nobody can know here. */
  tellPause() {
    byId("restart").hidden = false;
    say(byId("restart"), gettext("Paused: no word from the server. If it is down, no time is lost."));
  }
}
