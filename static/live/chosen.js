// What the reader has chosen for the tables' pages (games/selectors/preferences.py): attributes of the page's root, set
// before the first paint by the server for the account and by theme.js for the device. Absent: the default.
const { dataset } = document.documentElement;
const calm = matchMedia("(prefers-reduced-motion: reduce)");

/** The value of a setting, "" for its default. @param {string} name */
export const chosen = (name) => dataset[name] ?? "";

/** May nothing move by itself? */
export const isStill = () => chosen("still") === "on" || calm.matches;

/** How fast things move: 1 is usual. */
export const pace = () => ({ slow: 0.5, fast: 2 })[chosen("speed")] ?? 1;
