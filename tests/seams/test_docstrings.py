"""What docstrings say of parameters."""

from __future__ import annotations

import pytest

from seamwright.seams.docstrings import parameter_texts, summary

GOOGLE = """Find it.

    Args:
        query: What to look for,
            in words.
        limit (int, optional): How many.
        *rest: The others.

    Returns:
        hits: What was found.
    """
SPHINX = """Find it.

    :param query: What to look for,
        in words.
    :param int limit: How many.
    :param rest:
    :return: hits: what was found.
    """
NUMPY = """Find it.

    Parameters
    ----------
    query : str
        What to look for,
        in words.
    limit, most
        How many.

    Returns
    -------
    hits : list
        What was found.
    """


@pytest.mark.parametrize(
    ("docstring", "others"),
    [(GOOGLE, {"rest": "The others."}), (SPHINX, {}), (NUMPY, {"most": "How many."})],
    ids=["google", "sphinx", "numpy"],
)
def test_the_three_forms_say_the_same(docstring: str, others: dict[str, str]) -> None:
    """Descriptions over several lines are joined; nothing is taken from other sections, and empty ones say nothing."""
    assert {"query": "What to look for, in words.", "limit": "How many."} | others == parameter_texts(docstring)


@pytest.mark.parametrize("docstring", [None, "", "Find it.", "Args: none.", "Args:", "Parameters\n----------"])
def test_without_parameters_there_is_nothing(docstring: str | None) -> None:
    """A docstring without such a section says nothing of parameters."""
    assert {} == parameter_texts(docstring)


def test_attributes_of_a_class() -> None:
    """The section of attributes is read too, with blank lines between its entries."""
    assert {"a": "One.", "b": "Two."} == parameter_texts("It.\n\nAttributes:\n    a: One.\n\n    b: Two.\n")


def test_the_first_paragraph_is_the_summary() -> None:
    """The summary is the first paragraph on one line."""
    assert "Find it, wherever it is." == summary("Find it,\n    wherever it is.\n\n    Not more.")
    assert not summary(None)
