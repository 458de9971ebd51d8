"""Texts of django-allauth that our catalogues translate differently, such as "courriel" for the French "e-mail".

They are listed here so that makemessages finds them; our catalogues take precedence over those of installed packages.
Nothing imports this module. A text that allauth changes falls back to allauth's translation, which is harmless.
"""

from django.utils.translation import gettext_noop as _

FORMS = (
    _("Email address"),
    _("The email address and/or password you specified are not correct."),
    _("A user is already registered with this email address."),
    _("This email address is already associated with this account."),
    _("You cannot remove your primary email address."),
    _("You cannot add more than %d email addresses."),
    _("Your primary email address must be verified."),
    _("The email address is not assigned to any user account."),
    _("You must type the same email each time."),
    _("Be patient, you are sending too many requests."),
    _("Please type your current password."),
    _("Too many failed login attempts. Try again later."),
)

PAGES = (
    _("Email Addresses"),
    _("The following email addresses are associated with your account:"),
    _("Add Email Address"),
    _("Add Email"),
    _("Do you really want to remove the selected email address?"),
    _("Confirm Email Address"),
    _('Please confirm that <a href="mailto:%(email)s">%(email)s</a> is an email address for user %(user_display)s.'),
    _(
        'This email confirmation link expired or is invalid. Please <a href="%(email_url)s">issue a new email '
        "confirmation request</a>."
    ),
    _("Unable to confirm %(email)s because it is already confirmed by a different account."),
    _("Verify Your Email Address"),
    _(
        "We have sent an email to you for verification. Follow the link provided to finalize the signup process. If you do "
        "not see the verification email in your main inbox, check your spam folder. Please contact us if you do not receive "
        "the verification email within a few minutes."
    ),
    _("Confirm Access"),
    _("Please reauthenticate to safeguard your account."),
    _("Enter your password:"),
)

MESSAGES = (
    _("Successfully signed in as %(name)s."),
    _("You have signed out."),
    _("You cannot remove your primary email address (%(email)s)."),
    _("Confirmation email sent to %(email)s."),
    _("You have confirmed %(email)s."),
    _("Removed email address %(email)s."),
    _("Password successfully changed."),
    _("Primary email address set."),
)

MAIL = (
    _("Hello from %(site_name)s!"),
    _("Thank you for using %(site_name)s!\n%(site_domain)s"),
    _("Please Confirm Your Email Address"),
    _(
        "You're receiving this email because user %(user_display)s has given your email address to register an account on "
        "%(site_domain)s."
    ),
    _("To confirm this is correct, go to %(activate_url)s"),
    _("Password Reset Email"),
    _(
        "You're receiving this email because you or someone else has requested a password reset for your user account.\n"
        "It can be safely ignored if you did not request a password reset. Click the link below to reset your password."
    ),
    _("Account Already Exists"),
    _(
        "You are receiving this email because you or someone else tried to signup for an\naccount using email address:\n\n"
        "%(email)s\n\nHowever, an account using that email address already exists.  In case you have\nforgotten about this, "
        "please use the password forgotten procedure to recover\nyour account:\n\n%(password_reset_url)s"
    ),
    _("Unknown Account"),
    _(
        "You are receiving this email because you, or someone else, tried to access an account with email %(email)s. However, "
        "we do not have any record of such an account in our database."
    ),
    _("This mail can be safely ignored if you did not initiate this action."),
    _("If it was you, you can sign up for an account using the link below."),
)
