// The page's language: Django's JavaScript catalogue when it is loaded, the English message ids otherwise.
/** @typedef {{[name: string]: unknown}} Values   of the names in a message */

/**
 * @type {{gettext?: (text: string) => string, ngettext?: (one: string, many: string, count: number) => string,
 *   pgettext?: (context: string, text: string) => string}}
 */
const catalogue = /** @type {object} */ (globalThis);

/** @param {string} text @returns {string} */
export const gettext = (text) => (catalogue.gettext ? catalogue.gettext(text) : text);

/** @param {string} one @param {string} many @param {number} count @returns {string} */
export const ngettext = (one, many, count) => {
  if (catalogue.ngettext) return catalogue.ngettext(one, many, count);
  return count === 1 ? one : many;
};

/** @param {string} context @param {string} text @returns {string} */
export const pgettext = (context, text) => (catalogue.pgettext ? catalogue.pgettext(context, text) : text);

const VOWEL = /^(?:[aeiouàâäéèêëîïôöùûü]|y[^aeiou])/i;

/** French drops the e of "de" and "que" before a name that begins with a vowel: "d’Océane", "qu’Yvon". */
const elides = () => (globalThis.document?.documentElement.lang ?? "").startsWith("fr");

/**
 * Put named values into a message: `fill("%(name)s plays", {name: "Yvon"})`.
 * @param {string} text @param {Values} values
 */
export function fill(text, values) {
  const french = elides();
  return text.replace(/(\b(?:d|qu)e )?%\((\w+)\)[sd]/gi, (whole, before = "", key) => {
    if (!(key in values)) return whole;
    const value = String(values[key]);
    return (french && before && VOWEL.test(value) ? `${before.slice(0, -2)}’` : before) + value;
  });
}
