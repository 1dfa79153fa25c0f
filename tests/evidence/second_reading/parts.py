"""Reading a payload part by part, with white space of JSON before each."""

from tests.evidence.second_reading.characters import skip_json_white_space
from tests.evidence.second_reading.payload import Failed, Truncated


class Parts:
    """Reads the parts of a payload, each behind any white space of JSON."""

    def __init__(self, text: str, at: int) -> None:
        self.text = text
        self.at = at

    def next(self) -> str:
        """Return the character with which the next part begins."""
        self.at = skip_json_white_space(self.text, self.at)
        if self.at == len(self.text):
            raise Truncated
        return self.text[self.at]

    def sign(self, sign: str) -> str:
        """Read a sign that has to stand here."""
        if self.next() != sign:
            raise Failed(self.at)
        self.at += 1
        return sign
