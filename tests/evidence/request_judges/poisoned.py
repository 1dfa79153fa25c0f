"""Requests to which harm was done, and JSON where none is meant, for Hypothesis."""

import copy
from typing import Any

from hypothesis import strategies as st

from tests import examples
from tests.evidence.request_judges.clean import SECRET, Draw, Request, clean_requests
from tests.evidence.request_judges.harms import HARMS

any_texts = st.text(st.characters(exclude_categories=()), max_size=4).map(
    lambda text: SECRET + text
)
json_values = examples.shared(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | any_texts,
        lambda inner: st.lists(inner, max_size=2) | st.dictionaries(any_texts, inner, max_size=2),
        max_leaves=5,
    )
)


@st.composite
def poisoned_requests(draw: Draw[Any], without: frozenset[str] = frozenset()) -> Request:
    """Draw a clean request of either form and do it one to five harms, but for some of them."""
    strictest = draw(st.booleans())
    request: Request = copy.deepcopy(draw(clean_requests(strictest=strictest)))
    harms = sorted(HARMS.keys() - without)
    names = draw(st.lists(st.sampled_from(harms), min_size=1, max_size=5))
    for name in names:
        HARMS[name].apply(request, lambda options: draw(st.sampled_from(options)))
    return copy.deepcopy(request)


@st.composite
def displaced_requests(draw: Draw[Any]) -> Request:
    """Draw a clean request and put any JSON in one to three places of it."""
    request: Request = copy.deepcopy(draw(clean_requests(strictest=draw(st.booleans()))))
    for _ in range(draw(st.integers(1, 3))):
        holder, key = draw(st.sampled_from(_places(request)))
        holder[key] = draw(json_values)
    return request


def _places(value: Any) -> list[tuple[Any, Any]]:
    """Return each member and each element below a value, as its holder and its key."""
    keys = list(value) if isinstance(value, dict) else []
    keys = list(range(len(value))) if isinstance(value, list) else keys
    return [
        *((value, key) for key in keys),
        *(place for key in keys for place in _places(value[key])),
    ]
