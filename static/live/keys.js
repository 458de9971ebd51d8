// The keyboard at the table: arrows walk among hand, choices and marbles; Esc clears what is only marked. Never Tab.

/** @typedef {HTMLElement | SVGElement} Focusable */

/**
 * What the keyboard asks of the table.
 * @typedef {object} KeysTable
 * @property {() => Focusable[][]} groups   from the bottom of the page to its top: hand, choices, marbles on the board
 * @property {() => Focusable[]} [home]     where to begin, if not at the bottom
 * @property {() => boolean} cancel
 * @property {(node: EventTarget | null) => void} point
 */

/** @param {HTMLElement} root @param {KeysTable} table */
export function listenKeys(root, table) {
  /** @param {EventTarget | null} node */
  const inText = (node) =>
    node instanceof Element && node.closest("input, textarea, select, dialog, [contenteditable]");

  document.addEventListener("keydown", (event) => {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || inText(event.target)) return;
    if (event.key === "Escape") {
      if (table.cancel()) event.preventDefault();
      return;
    }
    /** @type {{[key: string]: number[] | undefined}} */
    const steps = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [1, 0], ArrowDown: [-1, 0] };
    const step = steps[event.key];
    if (!step) return;
    const groups = table.groups().filter((group) => group.length);
    if (!groups.length) return;
    const here = /** @type {Focusable | null} */ (document.activeElement);
    const at = groups.findIndex((group) => here && group.includes(here));
    if (at < 0 && here !== document.body && !root.contains(here)) return;
    if (at < 0 && here?.closest(".table-side, .table-bar")) return; // arrows scroll the list of plays there
    event.preventDefault();
    let next;
    if (at < 0) [next] = table.home?.() ?? groups[0];
    else if (step[0]) {
      const other = groups[at + step[0]];
      next = other?.find((node) => node.getAttribute("tabindex") === "0") ?? other?.[0];
    } else {
      const group = groups[at];
      next = group[(group.indexOf(/** @type {Focusable} */ (here)) + step[1] + group.length) % group.length];
    }
    next?.focus();
  });

  root.addEventListener("focusin", (event) => {
    const group = table.groups().find((nodes) => nodes.some((node) => node === event.target));
    // One stop of the Tab key per group: the place last visited.
    for (const node of group ?? []) node.setAttribute("tabindex", node === event.target ? "0" : "-1");
    table.point(event.target);
  });
  root.addEventListener("focusout", () => table.point(null));
}
