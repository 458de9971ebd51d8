// The list of plays in words and notation, the newest first.
import { el, swapChildren } from "./dom.js";
import { gettext } from "./i18n.js";
import { cardlet, icon, marbleIcon } from "./pieces.js";

export class Plays {
  constructor(list, { tell, keep = 60, href }) {
    this.list = list;
    this.tell = tell;
    this.keep = keep;
    this.href = href;
    this.items = new Map(); // seq -> li
  }

  clear() {
    this.items.clear();
    this.touch = undefined;
    swapChildren(this.list);
  }

  /** Add an event; answers its words, or null when there is nothing to say. */
  add(event, number = event.seq) {
    const words = this.tell(event);
    if (!words || this.items.has(event.seq)) return words;
    if (event.k === "touch" && !words.ruling) {
      this.touching(event, words);
      return words;
    }
    if (event.k === "play") this.touching(null);
    const text = [words.text, words.notation && el("code", {}, this.href ? `${number} · ${words.notation}` : words.notation)];
    const body = this.href ? el("a", { href: this.href(words.seq), class: "play-a" }, text.filter(Boolean)) : el("span", {}, text.filter(Boolean));
    let who = words.seat === undefined ? el("span", {}) : marbleIcon(words.seat, 24);
    if (words.ruling && event.k !== "dispute") who = icon("whistle");
    const item = el("li", { "data-seq": words.seq, class: words.ruling ? "ruling" : undefined }, who, words.mark ?? cardlet(words.card), body);
    // Older events may come later: keep the order of the record.
    const later = [...this.items.entries()].filter(([seq]) => seq > event.seq).map(([, li]) => li);
    if (later.length) later[0].after(item);
    else this.list.prepend(item);
    this.items = new Map([...this.items, [event.seq, item]].sort(([a], [b]) => a - b));
    if (this.items.size > this.keep) {
      const [oldest, li] = this.items.entries().next().value;
      this.items.delete(oldest);
      li.remove();
    }
    return words;
  }

  /** Plays taken back by a ruling stay in the list, struck through. */
  undone(after, before) {
    for (const [seq, item] of this.items) {
      if (seq <= after || seq >= before || item.classList.contains("ruling")) continue;
      item.classList.add("undone");
      item.lastChild.append(el("span", { class: "vh" }, ` ${gettext("Taken back.")}`));
    }
  }

  /** Show the "no play yet" note while the list is empty. */
  tellEmpty(note) {
    note.hidden = this.list.children.length > 0;
  }

  /** What is laid and touched before a release shares one row, which the play itself then replaces. */
  touching(event, words) {
    const said = event && this.touch ? `${this.touch.text} ${words.text}` : words?.text;
    const card = event?.d.card ?? this.touch?.card ?? "";
    this.touch?.item.remove();
    this.touch = undefined;
    if (!event || [...this.items.keys()].some((seq) => seq > event.seq)) return;
    const item = el("li", { class: "open" }, marbleIcon(event.d.seat, 24), cardlet(card), el("span", {}, said, card ? el("code", {}, `${card} …`) : ""));
    this.list.prepend(item);
    this.touch = { item, text: said, card };
  }

  /** Mark the current event of a replay; those after it are paler. */
  current(seq) {
    let shown = null;
    for (const [at, item] of this.items) {
      item.classList.toggle("fut", at > seq);
      item.classList.remove("cur");
      item.removeAttribute("aria-current");
      if (at <= seq) shown = item;
    }
    if (shown) {
      shown.classList.add("cur");
      shown.setAttribute("aria-current", "step");
      // Only the list scrolls to it, never the page.
      const [list, box] = [this.list.getBoundingClientRect(), shown.getBoundingClientRect()];
      if (box.top < list.top) this.list.scrollTop -= list.top - box.top;
      else if (box.bottom > list.bottom) this.list.scrollTop += box.bottom - list.bottom;
    }
    return shown;
  }
}
