// Starts the pages that add a passkey and that sign in with one, and says why one does not work: the address is not
// secure, or the browser or the person has refused. The work itself is done by django-allauth's script, loaded before.

/** @typedef {(options: { ids: Record<string, string> }) => void} Form */
/** @typedef {{ allauth: { webauthn: { forms: { addForm: Form, loginForm: Form } } } }} Library */
/** @type {Window & typeof globalThis & Library} */
const library = Object.assign(window);
const forms = library.allauth.webauthn.forms;

if (document.getElementById("mfa_webauthn_add") !== null) {
  forms.addForm({
    ids: { add: "mfa_webauthn_add", credential: "id_credential", passwordless: "id_passwordless", data: "js_data" },
  });
}
if (document.getElementById("passkey_login") !== null) {
  forms.loginForm({ ids: { login: "passkey_login", credential: "mfa_credential" } });
}

const ADDRESS = /^[\d.:[\]]+$/; // no name: browsers keep no passkey for it
const trouble = document.getElementById("passkey-trouble");

/** @param {string} reason */
function tell(reason) {
  if (trouble === null) {
    return;
  }
  trouble.hidden = false;
  for (const line of /** @type {NodeListOf<HTMLElement>} */ (trouble.querySelectorAll("[data-when]"))) {
    line.hidden = line.dataset.when !== reason;
  }
}

// django-allauth's script reports every failure so; prevented, it writes nothing to the console.
document.addEventListener("allauth.error", (event) => {
  event.preventDefault();
  const secure = window.isSecureContext && "PublicKeyCredential" in window && !ADDRESS.test(location.hostname);
  tell(secure ? "failed" : "insecure");
});
