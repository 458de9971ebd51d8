"""Two families of errors: `Refused`, which the person can correct, and `Broken`, which means a bug."""

from typing import Any

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

Text = str | Promise


class Refused(Exception):
    """A valid request that is not granted; nothing has been written.

    `code`: a stable word for programs, such as `stale_turn` or `I07`. `sentence`: translated text with the given value,
    the allowed values, and what to do. `field`: the form field or JSON key at fault, or None. `status`: the HTTP status
    of the answer.
    """

    def __init__(
        self, code: str, sentence: Text | None = None, *, field: str | None = None, status: int = 422, **details: Any
    ) -> None:
        super().__init__(code)
        self.code = code
        self.sentence: Text = sentence if sentence is not None else _("This is not possible.")
        self.field = field
        self.status = status
        self.details = details

    def body(self) -> dict[str, Any]:
        """Return the JSON body of the refusal, the same for pages, API and sockets."""
        error: dict[str, Any] = {"code": self.code, "message": str(self.sentence)}
        if self.field is not None:
            error["field"] = self.field
        if self.details:
            error["details"] = self.details
        return {"error": error}


class NotAllowed(Refused):
    """The person lacks the right; `needed` names the role that has it."""

    def __init__(self, sentence: Text | None = None, *, needed: str = "") -> None:
        text = sentence if sentence is not None else _("You do not have the right to do this.")
        super().__init__("not_allowed", text, status=403, **({"needed": needed} if needed else {}))


class NotThere(Refused):
    """The thing does not exist, or this person may not know that it exists."""

    def __init__(self, sentence: Text | None = None) -> None:
        super().__init__("not_found", sentence if sentence is not None else _("This page does not exist."), status=404)


class Conflict(Refused):
    """The thing has changed in the meantime; `details` hold its present state."""

    def __init__(self, code: str, sentence: Text | None = None, **details: Any) -> None:
        super().__init__(code, sentence, status=409, **details)


class Broken(Exception):
    """A violated invariant: a bug of ours. It is logged; people see only "our mistake"."""
