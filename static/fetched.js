// Fetches a page of the site as a document, without running it. The browser parses it, so no script handles HTML as
// text, which the pages' Trusted Types would refuse.

/**
 * Null when the answer is no page; rejected when there is no answer.
 * @param {string} address @returns {Promise<Document | null>}
 */
export function fetchedPage(address) {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open("GET", address);
    request.responseType = "document";
    request.setRequestHeader("Accept", "text/html");
    request.onload = () => resolve(request.status === 200 ? request.responseXML : null);
    request.onerror = () => reject(new TypeError("no answer"));
    request.send();
  });
}
