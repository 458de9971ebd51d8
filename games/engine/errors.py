"""The engine's errors. Each has a stable `code` for programs and a sentence for people who read logs."""


def shown(value: object) -> str:
    """Return a value of a request for use in an error message: texts and numbers shortened, of any other value only the
    type.
    """
    if isinstance(value, str):
        return repr(value if len(value) <= 60 else f"{value[:60]}...")
    if value is None or isinstance(value, bool | float) or (isinstance(value, int) and abs(value) < 10**9):
        return repr(value)
    return f"a {type(value).__name__}"


class EngineError(ValueError):
    """A request that the engine refuses; nothing has changed. `code`: a stable word, such as `must_play`."""

    def __init__(self, code: str, sentence: str = "") -> None:
        super().__init__(f"{code}: {sentence}" if sentence else code)
        self.code = code
        self.sentence = sentence


class IllegalPlay(EngineError):
    """The line is valid notation, but the rules do not allow the play here."""


class BadNotation(EngineError):
    """The text is not valid notation."""


class BadPosition(EngineError):
    """The position is impossible; the message names the key and the rule that it breaks."""


class UnknownRules(EngineError):
    """No rule set has this id, or it does not support this number of seats and teams."""


class BadRequest(EngineError):
    """The request lacks a key or has an unknown one; the message names the key."""
