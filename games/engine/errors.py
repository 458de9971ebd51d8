"""What the engine refuses. Every error carries a stable `code` for programs and a sentence for people who read logs."""


def shown(value: object) -> str:
    """Return a value of a request for a sentence: texts and numbers, cut short; of anything else only its type."""
    if isinstance(value, str):
        return repr(value if len(value) <= 60 else f"{value[:60]}...")
    if value is None or isinstance(value, bool | float) or (isinstance(value, int) and abs(value) < 10**9):
        return repr(value)
    return f"a {type(value).__name__}"


class EngineError(ValueError):
    """A request the engine cannot grant; nothing has changed. `code`: a stable word, such as `must_play`."""

    def __init__(self, code: str, sentence: str = "") -> None:
        super().__init__(f"{code}: {sentence}" if sentence else code)
        self.code = code
        self.sentence = sentence


class IllegalPlay(EngineError):
    """The line is well written, but the rules do not allow it here."""


class BadNotation(EngineError):
    """The text is no line of the notation."""


class BadPosition(EngineError):
    """The position cannot be; the sentence names the key and the rule it breaks."""


class UnknownRules(EngineError):
    """No rule set has this id, or it is not played at such a table."""


class BadRequest(EngineError):
    """The request lacks something or has something it should not; the sentence names the key."""
