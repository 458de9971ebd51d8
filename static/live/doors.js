// What a real page has of the outside world; tests hand the table's page others.
/** @import { Doors } from "./types.js" */

/** @returns {Doors} */
export const doors = () => ({
  WebSocket: globalThis.WebSocket,
  fetch: (input, init) => fetch(input, init),
  now: () => Date.now(),
  random: Math.random,
  storage: globalThis.sessionStorage,
  shelf: globalThis.localStorage,
  reload: () => location.reload(),
});
