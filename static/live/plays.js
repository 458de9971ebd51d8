// The list of plays in words and notation, the newest first.
import { el, swapChildren } from "./dom.js";
import { gettext } from "./i18n.js";
import { cardlet, icon, marbleIcon } from "./pieces.js";
/** @import { GameEvent, Told } from "./types.js" */

/** What lies touched and is not released. @typedef {{item: HTMLElement, text: string, card: string}} Touched */

/** @template {GameEvent} [E=GameEvent] the events of the family */
export class Plays {
  /**
   * @param {HTMLElement} list
   * @param {{tell: (event: E) => Told | null, keep?: number, href?: (seq: number) => string,
   *   last?: HTMLElement | null}} options   `last`: a line that repeats the newest item where the list is out of sight
   */
  constructor(list, { tell, keep = 60, href, last }) {
    this.list = list;
    this.tell = tell;
    this.keep = keep;
    this.href = href;
    this.last = last;
    /** @type {Map<number, HTMLElement>} by seq */
    this.items = new Map();
    /** @type {Touched | undefined} */
    this.touch = undefined;
    /** @type {[number, number][]} what rulings took back: after the one seq, before the other */
    this.rewinds = [];
  }

  clear() {
    this.items.clear();
    this.rewinds = [];
    this.touch = undefined;
    swapChildren(this.list);
    this.repeat();
  }

  /** The newest item once more, in one line. */
  repeat() {
    if (!this.last) return;
    const [item] = this.list.children;
    const nodes = item ? [...item.children].map((node) => node.cloneNode(true)) : [];
    this.last.className = `last-play ${item?.className ?? ""}`.trim();
    this.last.replaceChildren(...nodes);
  }

  /**
   * Add an event; answers its words, or null when there is nothing to say.
   * @param {E} event @param {number} [number]
   */
  add(event, number = event.seq) {
    const words = this.tell(event);
    if (!words || this.items.has(event.seq)) return words;
    if (event.k === "touch" && !words.ruling) {
      this.touching(event, words);
      this.repeat();
      return words;
    }
    if (event.k === "play") this.touching(null);
    const text = [
      words.text,
      words.notation && el("code", {}, this.href ? `${number} · ${words.notation}` : words.notation),
    ];
    const body = this.href ? el("a", { href: this.href(words.seq), class: "play-link" }, text) : el("span", {}, text);
    /** @type {Element} */
    let who = words.seat === undefined ? el("span", {}) : marbleIcon(words.seat, 24);
    if (words.ruling && event.k !== "dispute") who = icon("whistle");
    const item = el(
      "li",
      { "data-seq": words.seq, class: words.ruling ? "ruling" : event.k === "phrase" ? "phrase" : words.loud },
      who,
      words.mark ?? cardlet(words.card),
      body,
    );
    // Older events may come later: keep the order of the record.
    const later = [...this.items.entries()].filter(([seq]) => seq > event.seq).map(([, li]) => li);
    if (later.length) later[0].after(item);
    else this.list.prepend(item);
    this.items = new Map(
      [...this.items.entries(), /** @type {[number, HTMLElement]} */ ([event.seq, item])].sort(([a], [b]) => a - b),
    );
    if (event.k === "rewind") this.rewinds.push([event.d?.to ?? 0, event.seq]);
    // Those before it may come later.
    for (const [after, before] of this.rewinds) this.undone(after, before);
    if (this.items.size > this.keep) {
      const [[oldest, li]] = this.items;
      this.items.delete(oldest);
      li.remove();
    }
    this.repeat();
    return words;
  }

  /** Plays taken back by a ruling stay in the list, struck through. @param {number} after @param {number} before */
  undone(after, before) {
    for (const [seq, item] of this.items) {
      const kept = item.classList.contains("ruling") || item.classList.contains("undone");
      if (seq <= after || seq >= before || kept) continue;
      item.classList.add("undone");
      item.lastElementChild?.append(el("span", { class: "visually-hidden" }, ` ${gettext("Taken back.")}`));
    }
  }

  /** Show the "no play yet" note while the list is empty. @param {HTMLElement} note */
  tellEmpty(note) {
    note.hidden = this.list.children.length > 0;
  }

  /**
   * What is laid and touched before a release shares one row, which the play itself then replaces.
   * @param {GameEvent | null} event @param {Told} [words]
   */
  touching(event, words) {
    const said = event && words && this.touch ? `${this.touch.text} ${words.text}` : (words?.text ?? "");
    const card = event?.d?.card ?? this.touch?.card ?? "";
    this.touch?.item.remove();
    this.touch = undefined;
    if (!event || [...this.items.keys()].some((seq) => seq > event.seq)) return;
    const item = el(
      "li",
      { class: "open" },
      marbleIcon(event.d?.seat ?? 0, 24),
      cardlet(card),
      el("span", {}, said, card ? el("code", {}, `${card} …`) : ""),
    );
    this.list.prepend(item);
    this.touch = { item, text: said, card };
  }

  /** Mark the current event of a replay; those after it are paler. @param {number} seq */
  current(seq) {
    /** @type {HTMLElement | null} */
    let shown = null;
    for (const [at, item] of this.items) {
      item.classList.toggle("future", at > seq);
      item.classList.remove("current");
      item.removeAttribute("aria-current");
      if (at <= seq) shown = item;
    }
    if (shown) {
      shown.classList.add("current");
      shown.setAttribute("aria-current", "step");
      // Only the list scrolls to it, never the page.
      const [list, box] = [this.list.getBoundingClientRect(), shown.getBoundingClientRect()];
      if (box.top < list.top) this.list.scrollTop -= list.top - box.top;
      else if (box.bottom > list.bottom) this.list.scrollTop += box.bottom - list.bottom;
    }
    return shown;
  }
}
