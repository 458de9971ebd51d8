// The replay's analysis: what the club's bot would have played, and what each choice did to the chances.
import { cardWords, theCard } from "./cards.js";
import { asGood, bySeat, costOf, courseOf, dearest, isFree } from "./choices.js";
import { el, svg, swapChildren } from "./dom.js";
import { fill, gettext, ngettext } from "./i18n.js";
import { capital, shortNames, teamWords } from "./names.js";
import { ownerAt, parsePlay, sideOf } from "./notation.js";
import { cardlet, marbleIcon } from "./pieces.js";
import { placeWords } from "./places.js";
/** @import { Judged } from "./choices.js" */
/** @import { TockView } from "./tock_types.js" */
/** @import { Boot, Company } from "./types.js" */

const PATIENCE = [500, 1000, 1500, 2000, 3000, 4000, 6000, 8000, 10000]; // ms between looks while it is worked out
const WIDE = 300;
const HIGH = 72;

/** @param {number} thousandths */
const percent = (thousandths) => fill(gettext("%(number)s %"), { number: Math.round(thousandths / 10) });
/** @param {number} thousandths */
const points = (thousandths) =>
  (thousandths / 10).toLocaleString(document.documentElement.lang || undefined, { maximumFractionDigits: 1 });

/**
 * A line of notation in words. @param {TockView} view the table before it
 * @param {Company} company @param {number} seat @param {string} line
 */
export function lineWords(company, view, seat, line) {
  const play = parsePlay(line);
  if (play.kind === "throw") return gettext("throw the hand in");
  if (play.kind === "burn") return fill(gettext("burn %(card)s"), { card: theCard(play.card) });
  if (play.kind === "give") return fill(gettext("give %(card)s"), { card: theCard(play.card) });
  if (play.kind === "skip") return gettext("sacrifice the 10");
  if (play.kind === "out") return gettext("bring a marble out");
  /** @param {string} place */
  const mover = (place) => ownerAt(view.marbles, place) ?? sideOf(view, seat);
  if (play.kind === "swap") {
    const [{ from, to }] = play.legs;
    return fill(gettext("swap %(from)s and %(to)s"), {
      from: placeWords(company, from, mover(from)),
      to: placeWords(company, to, mover(to)),
    });
  }
  return play.legs
    .map(({ from, to }) => {
      const owner = from[0] === "t" ? mover(from) : sideOf(view, seat);
      return fill(gettext("%(from)s to %(to)s"), {
        from: placeWords(company, from, owner),
        to: placeWords(company, to, owner),
      });
    })
    .join(", ");
}

export class Analysis {
  /**
   * @param {HTMLElement} box @param {Pick<Boot, "analysis" | "csrf">} boot of the page
   * @param {Company} company as in types.js @param {(seq: number) => void} go shows a play
   * @param {() => void} ready called when the choices are judged
   */
  constructor(box, boot, company, go, ready) {
    this.ready = ready;
    this.box = box;
    this.boot = boot;
    this.company = company;
    this.go = go;
    /** @type {Judged[]} */
    this.choices = [];
    /** @type {Map<number, Judged>} */
    this.bySeq = new Map();
    this.shown = 0; // the seq of the play that is shown
    /** @type {TockView | undefined} the table before it */
    this.before = undefined;
    /** @type {SVGPathElement | undefined} where the game is, on the curve */
    this.knob = undefined;
    /** @type {(seq: number) => string} */
    this.place = () => "0";
    this.now = el("div", { class: "analysis-now", role: "status" });
    if (boot.analysis) this.load();
  }

  async load() {
    this.box.hidden = false;
    this.tell(gettext("The analysis is being worked out …"));
    for (const [tries, wait] of [0, ...PATIENCE].entries()) {
      if (wait) await new Promise((done) => setTimeout(done, wait));
      try {
        const found = await this.ask(tries ? "GET" : "POST");
        if (found.state === "done") {
          this.show(found.choices);
          return;
        }
      } catch {
        break;
      }
    }
    this.tell(gettext("The analysis is not there yet. Reload the page in a moment."));
  }

  /** @param {string} method */
  async ask(method) {
    /** @type {{[name: string]: string}} */
    const headers = method === "POST" ? { "X-CSRFToken": this.boot.csrf ?? "" } : {};
    const reply = await fetch(this.boot.analysis ?? "", { method, headers, credentials: "same-origin" });
    if (!reply.ok) throw new Error(String(reply.status));
    return reply.json();
  }

  /** @param {string} text */
  tell(text) {
    swapChildren(this.box, this.head(), el("p", { class: "small muted", role: "status" }, text));
  }

  head() {
    return el("h2", {}, gettext("Analysis"));
  }

  /** @param {Judged[]} choices */
  show(choices) {
    // Nobody came, or somebody left before the first choice.
    if (!choices.length) {
      this.box.hidden = true;
      return;
    }
    this.choices = choices;
    this.bySeq = new Map(choices.map((choice) => [choice.seq, choice]));
    swapChildren(
      this.box,
      this.head(),
      this.now,
      this.curve(),
      this.turns(),
      this.table(),
      el(
        "p",
        { class: "small muted" },
        gettext(
          "The chances are the club bot’s estimate from what the seat knew at that moment: its own hand and what lay open.",
        ),
      ),
    );
    this.at(this.shown, this.before);
    this.ready();
  }

  /** What the bot thinks better than the play shown, "" where it thinks nothing better. */
  get better() {
    const choice = this.before ? this.bySeq.get(this.shown) : undefined;
    return !choice || !isFree(choice) || asGood(choice) ? "" : choice.best;
  }

  /**
   * Say what the bot thinks of the choice that the play `seq` tells.
   * @param {number} seq @param {TockView | undefined} before
   */
  at(seq, before) {
    this.shown = seq;
    this.before = before;
    if (!this.choices.length) return;
    const choice = this.bySeq.get(seq);
    this.mark(seq);
    if (!choice || !before) {
      swapChildren(
        this.now,
        el("p", { class: "small" }, gettext("Step through the plays to see what the bot would have played.")),
      );
      return;
    }
    const name = shortNames(this.company.names)[choice.seat];
    const chance = el(
      "p",
      { class: "analysis-chance" },
      marbleIcon(choice.seat, 24),
      el("span", {}, fill(gettext("%(name)s’s chances: %(chance)s"), { name, chance: percent(choice.chance) })),
    );
    swapChildren(this.now, chance, this.judgement(choice, before));
  }

  /** @param {Judged} choice @param {TockView} before */
  judgement(choice, before) {
    if (choice.by_clock) return el("p", { class: "small" }, gettext("The time was up: nobody chose this play."));
    if (choice.plays === 1) return el("p", { class: "small" }, gettext("There was nothing else to play."));
    if (asGood(choice))
      return el(
        "p",
        { class: "small good-text" },
        choice.line === choice.best
          ? gettext("The club bot would have played the same.")
          : gettext("The club bot thinks as much of another play."),
      );
    const words = lineWords(this.company, before, choice.seat, choice.best);
    const { card } = parsePlay(choice.best);
    return el(
      "div",
      { class: "analysis-best" },
      el("p", { class: "small" }, gettext("The club bot would have played:")),
      el(
        "p",
        { class: "row" },
        card ? cardlet(card) : null,
        el("span", {}, capital(words), " ", el("code", {}, choice.best)),
      ),
      el(
        "p",
        { class: "small" },
        fill(gettext("Chances then: %(chance)s, %(points)s points more."), {
          chance: percent(choice.best_chance),
          points: points(costOf(choice)),
        }),
      ),
    );
  }

  /** The course of the game between two teams; more teams have no one line. */
  curve() {
    if (this.company.teams !== 2) return null;
    const course = courseOf(this.choices);
    /** @param {number} index */
    const x = (index) => (course.length > 1 ? (index / (course.length - 1)) * WIDE : 0);
    /** @param {number} chance */
    const y = (chance) => HIGH - (chance / 1000) * HIGH;
    const line = course
      .map(({ chance }, index) => `${index ? "L" : "M"}${x(index).toFixed(1)} ${y(chance).toFixed(1)}`)
      .join("");
    this.knob = svg("path", { class: "analysis-knob", d: "" });
    this.place = (seq) => {
      let found = 0;
      course.forEach((point, index) => {
        if (point.seq <= seq) found = index;
      });
      return x(found).toFixed(1);
    };
    const words = fill(gettext("Chances of %(team)s through the game"), { team: teamWords(this.company, 0) });
    /** @type {SVGSVGElement} */
    const root = svg(
      "svg",
      {
        class: "analysis-curve",
        viewBox: `0 0 ${WIDE} ${HIGH}`,
        role: "img",
        "aria-label": words,
        preserveAspectRatio: "none",
        onclick: (event) => {
          const box = root.getBoundingClientRect();
          const index = Math.round(((event.clientX - box.left) / box.width) * (course.length - 1));
          this.go(course[Math.min(course.length - 1, Math.max(0, index))].seq);
        },
      },
      svg("path", { class: "analysis-area", d: `${line}L${WIDE} ${HIGH}L0 ${HIGH}Z` }),
      svg("path", { class: "analysis-half", d: `M0 ${HIGH / 2}H${WIDE}` }),
      svg("path", { class: "analysis-line", d: line }),
      this.knob,
    );
    return el("figure", { class: "analysis-figure" }, root, el("figcaption", { class: "small muted" }, words));
  }

  /** @param {number} seq */
  mark(seq) {
    this.knob?.setAttribute("d", `M${this.place(seq)} 0V${HIGH}`);
  }

  turns() {
    const found = dearest(this.choices);
    if (!found.length) return null;
    const names = shortNames(this.company.names);
    return el(
      "section",
      {},
      el("h3", {}, gettext("Where the chances turned")),
      el(
        "ol",
        { class: "analysis-turns" },
        found.map((choice) =>
          el(
            "li",
            {},
            el(
              "a",
              { href: `#${choice.seq}` },
              marbleIcon(choice.seat, 20),
              " ",
              fill(gettext("%(name)s, %(card)s: %(points)s points"), {
                name: names[choice.seat],
                card: cardWords(parsePlay(choice.line).card) || gettext("hand thrown in"),
                points: `−${points(costOf(choice))}`,
              }),
            ),
          ),
        ),
      ),
    );
  }

  table() {
    const names = shortNames(this.company.names);
    const rows = bySeat(this.choices, this.company.seats)
      .filter(({ count }) => count)
      .map(({ seat, count, good, cost }) =>
        el(
          "tr",
          {},
          el("th", { scope: "row" }, marbleIcon(seat, 20), " ", names[seat]),
          el("td", {}, percent((1000 * good) / count)),
          el("td", {}, points(cost)),
        ),
      );
    const free = this.choices.filter(isFree).length;
    return el(
      "details",
      { class: "analysis-table" },
      el(
        "summary",
        {},
        fill(ngettext("%(count)s choice, seat by seat", "%(count)s choices, seat by seat", free), { count: free }),
      ),
      el(
        "table",
        {},
        el(
          "thead",
          {},
          el(
            "tr",
            {},
            el("th", { scope: "col" }, gettext("Seat")),
            el("th", { scope: "col" }, gettext("As the bot")),
            el("th", { scope: "col" }, gettext("Points lost a choice")),
          ),
        ),
        el("tbody", {}, rows),
      ),
    );
  }
}
