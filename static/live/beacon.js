// The wait for the public beacon (docs/deal.md, step 3), in words.
import { fill, gettext } from "./i18n.js";
/** @import { View } from "./types.js" */

/** What the cards wait for when all are ready; "" for no beacon. @param {View} view @returns {string} */
export function waitWords({ beacon }) {
  if (!beacon?.at) return "";
  const time = new Date(beacon.at).toLocaleTimeString(document.documentElement.lang || undefined, {
    timeStyle: "medium",
  });
  return fill(
    gettext("The cards are dealt after round %(round)s of the public beacon, at %(time)s or soon afterwards."),
    { round: beacon.round, time },
  );
}
