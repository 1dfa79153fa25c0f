"""What every step of one sanitizing knows: what the endpoint takes, and where findings go."""

from dataclasses import dataclass, field

from commoncall.envelope import Finding
from commoncall.payload.profile import Profile
from commoncall.payload.refusals import refused_in
from commoncall.places import Findings, Place


@dataclass(frozen=True, slots=True)
class Run:
    """One run of a sanitizer; ``flattens``: what it leaves becomes text (TRN-077)."""

    profile: Profile
    findings: Findings = field(default_factory=Findings)
    flattens: bool = False

    def report(self, place: Place, code: str) -> None:
        """Add a finding."""
        self.findings.add(place, code)

    def rendered(self, request: object) -> list[Finding]:
        """Return what was found in a request; a history is one of messages alone."""
        return self.findings.rendered(refused_in(request, self.profile))
