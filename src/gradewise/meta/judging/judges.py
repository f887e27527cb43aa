"""judges: the labels of several judges on one scale."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from gradewise.arrays import Ints, distinct
from gradewise.collection.accepted import QrelsLike
from gradewise.collection.reading import read_qrels
from gradewise.errors import InputError, OptionError, check_choice, counted, did_you_mean
from gradewise.meta.judging.aligning import Aligned, align_qrels
from gradewise.meta.judging.panel import NONE, Panel, count_table
from gradewise.meta.judging.scales import ScaleMap, fit_map, given_map, same_scale

MapLike = Mapping[int, int] | Literal["same", "fit"]


def judges(
    qrels: Mapping[str, QrelsLike],
    *,
    reference: str | None = None,
    maps: Mapping[str, MapLike] | None = None,
) -> Panel:
    """Bring the labels of several judges together.

    Parameters
    ----------
    qrels
        {judge: qrels}; each Qrels or anything that `read_qrels` takes. Judges may have labeled
        different documents and topics.
    reference
        The judge whose scale is used and with whom others are compared; the first by default.
    maps
        {judge: {grade: grade on the reference's scale}}, or "same" or "fit" in place of a
        dictionary. By default, a judge who has the reference's highest grade and no other grades
        than the reference keeps them; the others are mapped by the monotone map with the highest
        quadratically weighted κ. A map for the reference changes the scale itself.

    Notes
    -----
    Negative grades mean judged and not relevant, and become 0.

    Examples
    --------
    >>> import gradewise as gw
    >>> people = {"t": {"a": 2, "b": 1, "c": 0, "d": 0}}
    >>> model = {"t": {"a": 1, "b": 0, "c": 0}}
    >>> panel = gw.meta.judges({"people": people, "model": model})
    >>> panel
    Panel(people, model; 1 topic, 4 documents, grades 0 1 2)
    >>> panel.notes
    ('grades of model: 0 as 0, 1 as 2, by the monotone map with the highest quadratic kappa',)
    """
    names = tuple(qrels)
    if len(names) < 2:
        raise OptionError(f"{counted(len(names), 'judge')} given; a panel needs at least 2")
    chosen, rules = names[0] if reference is None else reference, dict(maps or {})
    _check_names(names, chosen, rules)
    aligned = align_qrels([read_qrels(each) for each in qrels.values()])
    first = names.index(chosen)
    own = [_own_scale(name, aligned, place, rules.get(name)) for place, name in enumerate(names)]
    mapped = [
        _onto(own[first], chosen, each, name, rules.get(name))
        for each, name in zip(own, names, strict=True)
    ]
    scale = distinct(np.concatenate([[0], *[each.scale for each in mapped]]))
    levels = [
        np.where(each.levels == NONE, NONE, np.searchsorted(scale, each.scale)[each.levels])
        for each in mapped
    ]
    return Panel(
        names,
        chosen,
        aligned.topics,
        aligned.topic,
        aligned.docs,
        scale,
        np.array(levels),
        tuple(each.levels for each in own),
        tuple(each.scale for each in own),
        tuple(each.map for each in mapped),
    )


@dataclass(frozen=True, eq=False)
class _Labels:
    """The labels of a judge as levels of some scale; several levels may have the same grade."""

    levels: Ints
    scale: Ints
    map: ScaleMap


def _check_names(names: tuple[str, ...], reference: str, rules: Mapping[str, MapLike]) -> None:
    for option, given in (("reference", [reference]), ("maps", list(rules))):
        for name in given:
            if name not in names:
                raise OptionError(
                    f"{option}: no judge is named {name!r}{did_you_mean(name, names)}"
                )
    for name, rule in rules.items():
        if not isinstance(rule, Mapping):
            check_choice(f"the map for {name}", rule, ("same", "fit"))


def _own_scale(name: str, aligned: Aligned, place: int, rule: MapLike | None) -> _Labels:
    """Return the labels of a judge on the judge's own scale, or on the one that a map gives."""
    known = aligned.labeled[place]
    grades = aligned.grades[place, known]
    scale_map = ScaleMap("same", {grade: grade for grade in distinct(grades).tolist()})
    if isinstance(rule, Mapping):
        scale_map = given_map(name, distinct(grades), rule)
        grades = scale_map.apply(grades)
    scale = distinct(np.append(grades, 0))
    levels = np.full(len(known), NONE)
    levels[known] = np.searchsorted(scale, grades)
    return _Labels(levels, scale, scale_map)


def _onto(
    reference: _Labels, reference_name: str, own: _Labels, name: str, rule: MapLike | None
) -> _Labels:
    """Return the labels of a judge on the scale of the reference."""
    if own is reference or own.map.rule == "given" or rule == "same":
        return own
    if rule is None and same_scale(own.scale, reference.scale):
        return own
    table = count_table(own.levels, reference.levels, len(own.scale), len(reference.scale))
    if not table.sum():
        raise InputError(
            f"{name} and {reference_name} labeled no documents in common, so no map can be fitted; "
            "give one"
        )
    grades = reference.scale[fit_map(table)]
    fitted = ScaleMap("fitted", dict(zip(own.scale.tolist(), grades.tolist(), strict=True)))
    return replace(own, scale=grades, map=fitted)
