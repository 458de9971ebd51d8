// A replay, whatever was played: the record as steps, the line, the list, forward and back, seen by whom. A game's own replay
// extends it with what it shows.
import { el, say, swapChildren } from "./dom.js";
import { fill, gettext } from "./i18n.js";
import { shortNames } from "./names.js";
import { icon } from "./pieces.js";
import { Plays } from "./plays.js";
import { hold, reduce } from "./reducer.js";
import { outcome } from "./results.js";
import { isRuling } from "./rulings.js";
import { Timeline } from "./timeline.js";

const PACE = 1300; // ms from one play to the next while it runs by itself

export const byId = (id) => document.getElementById(id);

/**
 * The record as steps: one per event, with the view before and after it.
 * @param {object[]} frames a `snap`, then `ev` frames
 * @param {(last: object | null, view: object, event?: object) => object} carry what else a step holds, from the one before it
 */
export function stepsOf(frames, carry = () => ({})) {
  const held = hold(frames[0]);
  const steps = [{ seq: held.seq, view: held.view, clocks: held.clocks, ...carry(null, held.view) }];
  for (const frame of frames.slice(1)) {
    for (const [i, event] of frame.list.entries()) {
      const last = steps[steps.length - 1];
      const view = reduce(last.view, event);
      const clocks = i === frame.list.length - 1 ? frame.clocks ?? {} : last.clocks;
      steps.push({ ...event, before: last.view, after: view, view, clocks, ...carry(last, view, event) });
    }
  }
  return steps;
}

/** What somebody played: decks and draws are the table's. */
const isPlay = (step) => step.k === "play" && !/^(deck|draw)\b/.test(step.d.play ?? "");

/** Calls for the referee and rulings, as far as they change something or tell why the game stood still. */
export const isAct = (step) => step.k !== "play" && step.k !== "resume" && step.k !== "hold" && isRuling(step) && !(step.k === "freeze" && step.d?.by === "call");

/** The steps a reader stops at: the start, every play of a seat, every call and ruling, the end. @returns {number[]} indices */
export const stops = (steps) => steps.map((_, i) => i).filter((i) => i === 0 || i === steps.length - 1 || isPlay(steps[i]) || isAct(steps[i]));

/** The number of the play shown at each stop: acts have none of their own. @returns {number[]} */
export function numbersOf(steps, at) {
  let count = 0;
  return at.map((i, index) => (index && !isAct(steps[i]) ? (count += 1) : count));
}

export class Playback {
  /**
   * A game's replay adds `carry`, `marks(steps, at)`, `show(step, forward)`, `begins(step)`, `quiet(view)`.
   * @param {object} boot @param {(event) => object | null} tell an event in words
   */
  constructor(boot, tell) {
    this.boot = boot;
    this.company = { seats: boot.seats, teams: boot.teams, rules: boot.rules, names: boot.names, team_names: boot.team_names, me: undefined };
    this.as = new URLSearchParams(location.search).get("as") ?? boot.as ?? "spectator";
    this.calm = matchMedia("(prefers-reduced-motion: reduce)");
    this.plays = new Plays(byId("plays"), { tell, keep: 5000, href: (seq) => `#${seq}` });
    this.line = new Timeline(byId("timeline"), (index) => this.go(index));
    this.index = 0;
  }

  /** Once the game's own parts are there. */
  start() {
    this.points();
    this.listen();
    this.load().then(() => this.fromAddress(true));
    this.askDispute();
  }

  points() {
    const names = shortNames(this.boot.names);
    const seats = names.map((name, seat) => [`seat:${seat}`, fill(gettext("%(name)s (%(letter)s)"), { name, letter: "ABCDEFGH"[seat] })]);
    const all = [["spectator", gettext("A spectator")], ["all", gettext("All hands open")], ...seats];
    // Hands open with the end of the game; before it there is the spectators' view alone.
    const over = this.boot.snap.view.phase === "over";
    const allowed = this.boot.views ?? (over ? all.map(([value]) => value) : ["spectator"]);
    if (!allowed.includes(this.as)) this.as = this.boot.as ?? "spectator";
    swapChildren(byId("as"), all.filter(([value]) => allowed.includes(value)).map(([value, text]) => el("option", { value, selected: value === this.as }, text)));
  }

  async load() {
    const seq = this.steps?.[this.at[this.index]]?.seq;
    try {
      const reply = await fetch(`${this.boot.record}?as=${encodeURIComponent(this.as)}`, { credentials: "same-origin" });
      if (!reply.ok) throw new Error(String(reply.status));
      this.steps = stepsOf((await reply.json()).frames, (...step) => this.carry(...step));
    } catch {
      this.tell(gettext("The record could not be read. Reload the page to try again."));
      return;
    }
    this.tell("");
    this.at = stops(this.steps);
    this.plays.clear();
    this.numbers = numbersOf(this.steps, this.at);
    this.at.forEach((i, index) => index && this.plays.add(this.steps[i], this.numbers[index]));
    for (const step of this.steps) if (step.k === "rewind") this.plays.undone(step.d.to, step.seq);
    this.plays.tellEmpty(byId("no-plays"));
    this.line.draw(this.at.length - 1, this.marks(this.steps, this.at));
    if (seq !== undefined) this.go(this.indexOf(seq), { still: true });
  }

  tell(text) {
    const box = byId("strip");
    box.hidden = !text;
    say(box, text);
  }

  indexOf(seq) {
    let found = 0;
    this.at.forEach((i, index) => {
      if (this.steps[i].seq <= seq) found = index;
    });
    return found;
  }

  /** The play the address names; without one, the end of a running game or the start of a finished one. */
  fromAddress(first = false) {
    if (!this.steps) return;
    const seq = Number(location.hash.slice(1));
    if (seq > 0) this.go(this.indexOf(seq), { still: first });
    else if (first) this.go(0, { still: true });
  }

  /** Show a stop; one step forward is animated. */
  async go(index, { still = false } = {}) {
    if (!this.steps) return;
    const to = Math.min(this.at.length - 1, Math.max(0, index));
    const forward = to === this.index + 1 && !still;
    this.index = to;
    const turn = (this.turn = (this.turn ?? 0) + 1);
    const step = this.steps[this.at[to]];
    this.describe(step, to);
    await this.show(step, forward, () => turn !== this.turn);
    if (turn !== this.turn) return;
    this.seats.show(step.view, this.deciding(step.view));
    this.seats.tick(step.clocks, step.clocks.opened ?? 0, step.view.phase);
    this.dispute(step);
    if (step.seq && Number(location.hash.slice(1)) !== step.seq) history.replaceState(null, "", `#${step.seq}`);
  }

  deciding(view) {
    return view.phase === "over" || view.phase === "seating" ? new Set() : new Set([view.turn]);
  }

  describe(step, index) {
    const item = this.plays.current(step.seq);
    const words = index ? item?.querySelector(".play-a")?.firstChild?.textContent ?? "" : "";
    let title = index ? fill(gettext("Play %(number)s: %(text)s"), { number: this.numbers[index], text: words }) : gettext("Before the first play");
    if (index && isAct(step)) title = words;
    if (step.view.phase === "over" && index === this.at.length - 1) title = outcome({ ...this.boot, seat: undefined }, step.view);
    say(byId("heading"), title);
    say(byId("said"), words);
    this.line.at(index, title);
    say(byId("quiet"), this.quiet(step.view));
    for (const [id, off] of [["first", !index], ["prev", !index], ["next", index === this.at.length - 1], ["deal", index === this.at.length - 1]]) byId(id).disabled = off;
  }

  /** The way to dispute the game from the play shown, while arbitration says that it is open to this reader. */
  dispute(step) {
    const link = byId("dispute");
    if (link) link.href = `${this.boot.dispute}?seq=${step.seq ?? 0}`;
  }

  async askDispute() {
    if (!this.boot.dispute) return;
    try {
      const reply = await fetch(`${this.boot.dispute}window/`, { credentials: "same-origin" });
      const { possible } = await reply.json();
      if (!possible) return;
    } catch {
      return; // not reached: the case pages say the same
    }
    byId("copied").before(el("p", { class: "center dispute-p" }, el("a", { class: "btn on-felt", id: "dispute" }, icon("whistle"), gettext("Dispute from this play"))));
    if (this.steps) this.dispute(this.steps[this.at[this.index]]);
  }

  nextDeal() {
    const from = this.at[this.index];
    const next = this.at.findIndex((i, index) => index > this.index && this.steps.slice(from + 1, i + 1).some((step) => this.begins(step)));
    this.go(next < 0 ? this.at.length - 1 : next, { still: true });
  }

  run(on) {
    clearInterval(this.running);
    this.running = on ? setInterval(() => {
      if (this.index >= this.at.length - 1) this.run(false);
      else this.go(this.index + 1);
    }, PACE) : undefined;
    byId("play").setAttribute("aria-pressed", String(Boolean(on)));
    say(byId("play-words"), on ? gettext("Pause") : gettext("Play by itself"));
    byId("play").classList.toggle("runs", Boolean(on));
  }

  listen() {
    const press = (id, act) => byId(id).addEventListener("click", act);
    press("first", () => this.go(0, { still: true }));
    press("prev", () => this.go(this.index - 1, { still: true }));
    press("next", () => this.go(this.index + 1));
    press("deal", () => this.nextDeal());
    press("play", () => this.run(!this.running));
    press("copy", () => this.copy());
    byId("as").addEventListener("change", (event) => {
      this.as = event.target.value;
      const url = new URL(location.href);
      url.searchParams.set("as", this.as);
      history.replaceState(null, "", url);
      this.load();
    });
    addEventListener("hashchange", () => this.fromAddress());
    document.addEventListener("keydown", (event) => {
      if (event.target.closest?.("input, select, textarea, [role=slider]") || event.ctrlKey || event.metaKey || event.altKey) return;
      if (event.key === "ArrowRight") this.go(this.index + 1);
      else if (event.key === "ArrowLeft") this.go(this.index - 1, { still: true });
      else return;
      event.preventDefault();
    });
  }

  async copy() {
    const url = new URL(location.href);
    url.searchParams.set("as", this.as);
    url.hash = String(this.steps?.[this.at[this.index]]?.seq ?? "");
    let done = gettext("Link copied");
    try {
      await navigator.clipboard.writeText(url.href);
    } catch {
      done = url.href; // no clipboard on plain http: the link itself, to be copied by hand
    }
    say(byId("copied"), done);
  }
}
