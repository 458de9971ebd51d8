// Beside a replay: what the players of the game wrote about the play shown, and what else could have been played there.
// Loaded with the replay of a finished game.
import { el, swapChildren } from "./dom.js";
import { fill, gettext, ngettext } from "./i18n.js";
import { marbleIcon } from "./pieces.js";
/** @import { Plays } from "./plays.js" */
/** @import { Boot } from "./types.js" */

/**
 * @typedef {{id: number, seq: number, name: string, seat: number | null, text: string, line: string, at: string,
 *   removable: boolean}} Remark
 */
/** What the page shows. @typedef {{seq: number, seat?: number, line: string}} Shown   `line`: what was played */
/**
 * What the replay does for it.
 * @typedef {{words: (line: string) => string, propose: (line: string) => void}} Host
 *   `words`: a play at the position shown; `propose`: draw it instead of the bot's, "" for none
 */

export class Remarks {
  /** @param {HTMLElement} box @param {Boot} boot @param {Host} host */
  constructor(box, boot, host) {
    this.box = box;
    this.boot = boot;
    this.host = host;
    /** @type {Remark[]} */
    this.all = [];
    this.mayWrite = false;
    /** @type {Shown} */
    this.shown = { seq: 0, line: "" };
    this.list = el("ul", { class: "remarks" });
    this.none = el("p", { class: "small muted" });
    this.fault = el("p", { class: "small error", role: "alert" });
    this.select = el("select", { id: "other-play" });
    this.select.addEventListener("change", () => this.host.propose(this.select.value));
    this.more = el(
      "details",
      { class: "other-play" },
      el("summary", {}, gettext("What else could be played")),
      el("label", { for: "other-play", class: "visually-hidden" }, gettext("Another play, drawn on the board")),
      this.select,
    );
    this.more.addEventListener("toggle", () => this.offer());
    this.text = el("textarea", { id: "remark", maxlength: "500", rows: "2" });
    this.form = el(
      "form",
      { class: "remark-form", hidden: true },
      el("label", { for: "remark" }, gettext("Your comment on this play")),
      this.text,
      el(
        "p",
        { class: "small muted" },
        gettext("Everybody who sees this replay reads it. The other play chosen above goes with it."),
      ),
      el("button", { class: "button" }, gettext("Add the comment")),
    );
    this.form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.write();
    });
    swapChildren(box, el("h2", {}, gettext("Comments")), this.none, this.list, this.more, this.form, this.fault);
    box.hidden = false;
  }

  /** Read what was written. @param {Plays<any>} plays the list, in which it is marked */
  async load(plays) {
    this.plays = plays;
    await this.send(this.boot.comments ?? "");
  }

  /** @param {string} address @param {object} [body] */
  async send(address, body) {
    this.fault.textContent = "";
    try {
      const reply = await fetch(address, {
        method: body ? "POST" : "GET",
        credentials: "same-origin",
        headers: body ? { "Content-Type": "application/json", "X-CSRFToken": this.boot.csrf } : {},
        body: body ? JSON.stringify(body) : undefined,
      });
      const found = await reply.json();
      if (!reply.ok) {
        this.fault.textContent = found.error?.message ?? "";
        return false;
      }
      this.all = found.comments;
      this.mayWrite = found.may_write;
    } catch {
      this.fault.textContent = gettext("The comments could not be reached. Try again.");
      return false;
    }
    this.mark();
    this.show();
    return true;
  }

  async write() {
    const body = { seq: this.shown.seq, text: this.text.value, line: this.more.open ? this.select.value : "" };
    if (await this.send(this.boot.comments ?? "", body)) this.text.value = "";
    this.text.focus();
  }

  /** Say in the list of plays which have comments. */
  mark() {
    for (const [seq, item] of this.plays?.items ?? []) {
      item.querySelector(".remark-count")?.remove();
      const count = this.all.filter((one) => one.seq === seq).length;
      if (!count) continue;
      const words = fill(ngettext("%(count)s comment", "%(count)s comments", count), { count });
      item.lastElementChild?.append(el("span", { class: "remark-count" }, words));
    }
  }

  /** Another step is shown. @param {Shown} shown */
  at(shown) {
    if (shown.seq === this.shown.seq) return;
    this.shown = shown;
    swapChildren(this.select);
    this.offer();
    this.show();
  }

  show() {
    const { seq, line } = this.shown;
    const here = this.all.filter((one) => one.seq === seq);
    this.none.hidden = here.length > 0;
    this.none.textContent = line
      ? gettext("Nobody has commented on this play.")
      : gettext("Step to a play to read its comments.");
    this.more.hidden = !line || !this.boot.other_plays;
    this.form.hidden = !(this.mayWrite && line);
    swapChildren(
      this.list,
      here.map((one) => this.remark(one)),
    );
  }

  /** @param {Remark} one */
  remark({ id, name, seat, text, line, at, removable }) {
    const when = new Date(at).toLocaleDateString(document.documentElement.lang || undefined, { dateStyle: "medium" });
    return el(
      "li",
      {},
      el("p", { class: "remark-by" }, seat === null ? "" : marbleIcon(seat, 20), el("b", {}, name), ` · ${when}`),
      el("p", {}, text),
      line
        ? el(
            "button",
            { type: "button", class: "button quiet", onclick: () => this.host.propose(line) },
            fill(gettext("Show on the board: %(play)s"), { play: this.host.words(line) }),
          )
        : null,
      removable
        ? el(
            "button",
            {
              type: "button",
              class: "button quiet",
              "aria-label": fill(gettext("Delete the comment by %(name)s"), { name }),
              onclick: () => this.send(`${this.boot.comments}/${id}/remove`, {}),
            },
            gettext("Delete"),
          )
        : null,
    );
  }

  /** Fill the list of other plays, once it is open. */
  async offer() {
    const { seq, line } = this.shown;
    if (!this.more.open || !line || this.select.options.length) return;
    /** @type {string[]} */
    let plays = [];
    try {
      const reply = await fetch(`${this.boot.alternatives}?seq=${seq}`, { credentials: "same-origin" });
      const found = await reply.json();
      if (reply.ok) ({ plays } = found);
      else this.fault.textContent = found.error?.message ?? "";
    } catch {
      this.fault.textContent = gettext("The plays could not be reached. Try again.");
    }
    if (seq !== this.shown.seq) return; // another step was shown meanwhile
    const others = plays.filter((one) => one !== line);
    const none = others.length ? gettext("Choose a play") : gettext("There was nothing else to play.");
    swapChildren(this.select, [
      el("option", { value: "" }, none),
      ...others.map((one) => el("option", { value: one }, this.host.words(one))),
    ]);
  }
}
