// The page's language: Django's JavaScript catalogue when it is loaded, the English message ids otherwise.
const catalogue = globalThis;

export const gettext = (text) => (catalogue.gettext ? catalogue.gettext(text) : text);

export const ngettext = (one, many, count) => {
  if (catalogue.ngettext) return catalogue.ngettext(one, many, count);
  return count === 1 ? one : many;
};

export const pgettext = (context, text) => (catalogue.pgettext ? catalogue.pgettext(context, text) : text);

const VOWEL = /^(?:[aeiouàâäéèêëîïôöùûü]|y[^aeiou])/i;

/** French drops the e of "de" and "que" before a name that begins with a vowel: "d’Océane", "qu’Yvon". */
const elides = () => (globalThis.document?.documentElement.lang ?? "").startsWith("fr");

/** Put named values into a message: `fill("%(name)s plays", {name: "Yvon"})`. */
export function fill(text, values) {
  const french = elides();
  return text.replace(/(\b(?:d|qu)e )?%\((\w+)\)[sd]/gi, (whole, before = "", key) => {
    if (!(key in values)) return whole;
    const value = String(values[key]);
    return (french && before && VOWEL.test(value) ? `${before.slice(0, -2)}’` : before) + value;
  });
}
