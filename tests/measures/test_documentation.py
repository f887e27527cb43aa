"""Every measure is documented in full."""

import doctest
import re

import pytest

import gradewise as gw
from gradewise.measures.catalogue import QUESTIONS, explain, list_measures
from gradewise.measures.measure import Measure
from gradewise.measures.parameters import PARAMETERS
from gradewise.measures.registry import all_measures

MEASURES = list(all_measures())


@pytest.mark.parametrize("measure", MEASURES, ids=lambda m: m.name)
def test_docstring_has_all_parts(measure: type[Measure]) -> None:
    doc = measure.__doc__ or ""
    first = doc.partition("\n")[0]
    assert first.endswith(".")
    assert len(first) <= 100
    titles = ["Definition", "Parameters", "Conventions", "References", "Examples"]
    places = [doc.index(f"{title}\n{'-' * len(title)}\n") for title in titles]
    assert places == sorted(places)
    for words in (
        "Equal scores",
        "Unjudged documents",
        "No relevant document",
        "missing from the run",
    ):
        assert words in doc
    if measure.cutoff_rule in ("optional", "required"):
        assert "Cutoff deeper than the list" in doc
    for name in measure.parameters():
        assert measure.meanings.get(name, PARAMETERS[name].meaning) in doc
    assert measure.references
    for reference in measure.references:
        assert reference in doc
    assert doctest.DocTestParser().get_examples(doc)


@pytest.mark.parametrize("measure", [m for m in MEASURES if m.differs], ids=lambda m: m.name)
def test_differences_from_other_tools_are_told_in_our_syntax(measure: type[Measure]) -> None:
    text = explain(measure.name)
    sentences = measure.__dict__.get("differs", ())
    assert ("Differences\n-----------" in text) == bool(sentences)
    for sentence in sentences:
        assert f"- {sentence}\n" in text
        for written in re.findall("`([^`]+)`", sentence):
            if not written.startswith("ties="):
                gw.parse_measure(re.sub("@k$", "@10", written))


@pytest.mark.parametrize("measure", MEASURES, ids=lambda m: m.name)
def test_explanation_names_the_measure(measure: type[Measure]) -> None:
    text = explain(measure.name)
    assert text.startswith(measure.name)
    assert all(alias in text for alias in measure.aliases)
    assert measure.name in list_measures()


@pytest.mark.parametrize("measure", MEASURES, ids=lambda m: m.name)
def test_examples_run(measure: type[Measure]) -> None:
    examples = doctest.DocTestFinder().find(measure, measure.name)
    runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS)
    for example in examples:
        if example.name == measure.name:
            assert runner.run(example).failed == 0


def test_every_measure_answers_one_question() -> None:
    named = [name for names in QUESTIONS.values() for name in names.split()]
    assert sorted(named) == sorted(measure.name for measure in all_measures())
