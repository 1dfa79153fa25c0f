"""A model that no registry knows has no tools, and Python says so."""

import warnings

import pytest

from commoncall import turn
from commoncall.capability import load_registry

REGISTRY = load_registry(
    {
        "registry_version": "1.0",
        "revision": "1",
        "providers": {"ollama": {"models": {"qwen3-coder": {"tool_calls_supported": True}}}},
    }
)
REQUEST = {"model": "m", "messages": [{"role": "user", "content": "Hi"}]}


def prepared(*models: str) -> turn.Sent:
    """Return what is prepared for models of one provider."""
    return turn.prepare(
        REQUEST,
        registries=[REGISTRY],
        targets=[{"provider": "ollama", "model": model} for model in models],
    )


def test_that_an_unknown_model_is_named_with_what_comes_near() -> None:
    """The tag of Ollama is no name of the registry, and the name without it is."""
    with pytest.warns(turn.UnknownModelWarning, match="'qwen3-coder:30b'.*near it: qwen3-coder"):
        sent = prepared("qwen3-coder:30b")
    assert sent["reason"] == "unknown_model"


def test_that_each_unknown_target_is_named() -> None:
    """Of three targets one is known."""
    with pytest.warns(turn.UnknownModelWarning) as said:
        prepared("a", "qwen3-coder", "b")
    assert len(said) == 2


def test_that_the_warning_is_at_the_line_of_the_caller() -> None:
    """Filters by module, and once for each text, work as anywhere."""
    with pytest.warns(turn.UnknownModelWarning) as said:
        prepared("a")
    assert said[0].filename == __file__


def test_that_a_registry_that_does_not_load_is_said() -> None:
    """`load_registry` gives None of it, and nothing else would be seen."""
    targets = [{"provider": "ollama", "model": "qwen3-coder"}]
    with pytest.warns(turn.UnknownModelWarning, match="does not load") as said:
        sent = turn.prepare(REQUEST, registries=[load_registry({})], targets=targets)
    assert (sent["reason"], said[0].filename) == ("registry_invalid", __file__)


def test_that_nothing_is_said_of_a_model_that_is_known() -> None:
    """Also where it takes no tools."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        prepared("qwen3-coder")
        turn.prepare(REQUEST, capability=False)
