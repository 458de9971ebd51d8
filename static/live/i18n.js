// The page's language: Django's JavaScript catalogue when it is loaded, the English message ids otherwise.
const catalogue = globalThis;

/** @param {string} text @returns {string} */
export const gettext = (text) => (catalogue.gettext ? catalogue.gettext(text) : text);

/** @param {string} one @param {string} many @param {number} count @returns {string} */
export const ngettext = (one, many, count) => {
  if (catalogue.ngettext) return catalogue.ngettext(one, many, count);
  return count === 1 ? one : many;
};

/** @param {string} context @param {string} text @returns {string} */
export const pgettext = (context, text) => (catalogue.pgettext ? catalogue.pgettext(context, text) : text);

/** Put named values into a message: `fill("%(name)s plays", {name: "Yvon"})`. */
export const fill = (text, values) =>
  text.replace(/%\((\w+)\)[sd]/g, (whole, key) => (key in values ? String(values[key]) : whole));
