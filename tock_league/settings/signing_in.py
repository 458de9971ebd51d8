"""Signing in: passwords, second factors, limits of tries, sessions."""

import os

AUTH_USER_MODEL = "accounts.User"
AUTHENTICATION_BACKENDS = [
    "axes.backends.AxesStandaloneBackend",
    "allauth.account.auth_backends.AuthenticationBackend",
]
PASSWORD_HASHERS = [
    "django.contrib.auth.hashers.ScryptPasswordHasher",
    "django.contrib.auth.hashers.PBKDF2PasswordHasher",
]
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": "django.contrib.auth.password_validation.UserAttributeSimilarityValidator"},
    {"NAME": "django.contrib.auth.password_validation.MinimumLengthValidator", "OPTIONS": {"min_length": 12}},
    {"NAME": "django.contrib.auth.password_validation.CommonPasswordValidator"},
    {"NAME": "tock_league.common.passwords.NamesValidator"},
    {"NAME": "tock_league.common.passwords.GuessesValidator"},
]
LOGIN_URL = "account_login"
LOGIN_REDIRECT_URL = "/"
LOGOUT_REDIRECT_URL = "/"
ACCOUNT_ADAPTER = "tock_league.accounts.adapters.AccountAdapter"
ACCOUNT_LOGIN_METHODS = {"email"}
ACCOUNT_SIGNUP_FIELDS = ["email*", "password1*"]
ACCOUNT_FORMS = {
    "signup": "tock_league.accounts.forms.SignupForm",
    "reset_password": "tock_league.accounts.forms.ResetPasswordForm",
}
ACCOUNT_EMAIL_SUBJECT_PREFIX = "[Tock League] "
ACCOUNT_EMAIL_VERIFICATION = "none"
ACCOUNT_PREVENT_ENUMERATION = True
ACCOUNT_USER_MODEL_USERNAME_FIELD = "username"
ACCOUNT_USER_DISPLAY = "tock_league.accounts.selectors.shown_name"
ACCOUNT_LOGOUT_ON_GET = False
ACCOUNT_LOGOUT_ON_PASSWORD_CHANGE = True
ACCOUNT_SESSION_REMEMBER = True
ACCOUNT_REAUTHENTICATION_REQUIRED = True  # before an e-mail address is added or removed: it can set a new password
ACCOUNT_REAUTHENTICATION_TIMEOUT = 300  # seconds for which a sign-in counts as fresh
ACCOUNT_RATE_LIMITS = {
    # Passwords, see decision 0023. Strange: from a device on which the login has never signed in. Each has a limit for all
    # tries, for the work that they make, and one for wrong passwords. axes locks a login at an address after five.
    "login": None,
    "login_strange": "60/m/ip",
    "login_wrong": "20/m/ip,100/h/key",
    "login_known": "30/m/key",
    "login_known_wrong": "10/15m/key",
    # Codes of the second factor, which are asked for after the right password.
    "login_failed": "5/15m/key",
    "signup": None,  # accounts.views.signup counts: five an hour for an address, more in an open hall
    "reset_password": "20/h/ip,3/h/key",
}
MFA_RATE_LIMITS = {"webauthn_login": "60/m/ip"}  # nothing can be guessed there
MFA_SUPPORTED_TYPES = ["totp", "webauthn", "recovery_codes"]
MFA_PASSKEY_LOGIN_ENABLED = True
MFA_TOTP_ISSUER = "Tock League"
MFA_RECOVERY_CODES_SHOW_ONCE = True
# Where mail is not sent, addresses cannot be confirmed; where it is, nobody signs in before the address is.
MFA_ALLOW_UNVERIFIED_EMAIL = True
MFA_FORMS = {
    "authenticate": "tock_league.accounts.codes.AuthenticateForm",
    "reauthenticate": "tock_league.accounts.codes.ReauthenticateForm",
    "add_webauthn": "tock_league.accounts.forms.AddWebAuthnForm",
    "authenticate_webauthn": "tock_league.accounts.forms.AuthenticateWebAuthnForm",
    "login_webauthn": "tock_league.accounts.forms.LoginWebAuthnForm",
    "reauthenticate_webauthn": "tock_league.accounts.forms.ReauthenticateWebAuthnForm",
}
USERSESSIONS_ADAPTER = "tock_league.accounts.adapters.SessionsAdapter"
MFA_ADAPTER = "tock_league.accounts.adapters.FactorAdapter"
# Roles that give no right before their holder has a second factor; accounts.permissions.ROLES lists the names.
MFA_REQUIRED_ROLES: list[str] = []
AXES_FAILURE_LIMIT = 5
AXES_COOLOFF_TIME = 0.25  # hours
AXES_LOCKOUT_PARAMETERS = [["username", "ip_address"]]
AXES_USERNAME_CALLABLE = "tock_league.accounts.devices.tried_name"
AXES_CLIENT_IP_CALLABLE = "tock_league.accounts.devices.address_of"
AXES_RESET_ON_SUCCESS = True
AXES_VERBOSE = False
AXES_ENABLE_ADMIN = False
AXES_LOCKOUT_TEMPLATE = "account/locked.html"

SESSION_COOKIE_HTTPONLY = True
SESSION_COOKIE_SAMESITE = "Lax"
# The row of a session says when it ends (accounts.sessions); the cookie lasts for the absolute limit.
SESSION_ENGINE = "tock_league.accounts.sessions"
SESSION_IDLE_S = int(os.environ.get("SESSION_IDLE_S", 14 * 24 * 3600))
SESSION_IDLE_STAFF_S = int(os.environ.get("SESSION_IDLE_STAFF_S", 30 * 60))
SESSION_ABSOLUTE_S = int(os.environ.get("SESSION_ABSOLUTE_S", 30 * 24 * 3600))
# A guest's session, by which a practice game is found again, from the last table that the guest opened.
GUEST_SESSION_S = min(30 * 24 * 3600, SESSION_ABSOLUTE_S)
SESSION_COOKIE_AGE = SESSION_ABSOLUTE_S
SESSION_SAVE_EVERY_REQUEST = False
