"""Favor: found where a judge made the runs, and by the line through the other families."""

import numpy as np
import pytest

import gradewise as gw
from gradewise.errors import OptionError

Labels = dict[str, dict[str, int]]


@pytest.fixture(scope="module")
def sample() -> gw.simulate.Simulated:
    return gw.simulate.collection(topics=25, runs=2, depth=60, relevant=15, seed=6)


@pytest.fixture(scope="module")
def panel(sample: gw.simulate.Simulated) -> gw.meta.Panel:
    """People, a judge with other opinions, and one who is only generous."""
    rng = np.random.default_rng(0)
    people = sample.qrels.to_dict()
    judge = {
        t: {d: g if rng.random() < 0.7 else int(rng.integers(0, 3)) for d, g in held.items()}
        for t, held in people.items()
    }
    generous = {
        t: {d: 1 if g == 0 and rng.random() < 0.1 else g for d, g in held.items()}
        for t, held in people.items()
    }
    return gw.meta.judges({"people": people, "judge": judge, "generous": generous})


@pytest.fixture(scope="module")
def runs(panel: gw.meta.Panel) -> tuple[dict[str, gw.Run], dict[str, str]]:
    """Three families: two made with people's labels, one with the judge's."""
    found, families = {}, {}
    for family, labels, seed in (("one", "people", 1), ("two", "people", 2), ("own", "judge", 3)):
        for name, run in gw.simulate.runs(panel.qrels(labels), 5, 60, seed=seed).items():
            found[f"{family}-{name}"] = run
            families[f"{family}-{name}"] = family
    return found, families


@pytest.fixture(scope="module")
def found(
    panel: gw.meta.Panel, runs: tuple[dict[str, gw.Run], dict[str, str]]
) -> gw.meta.Circularity:
    made, families = runs
    return gw.meta.circularity(
        panel, panel.join(made), ["nDCG@10", "AP"], families=families, replicates=400
    )


def test_favor_is_the_distance_from_the_line_of_the_others(
    found: gw.meta.Circularity, panel: gw.meta.Panel, runs: tuple[dict[str, gw.Run], dict[str, str]]
) -> None:
    made, families = runs
    means = {
        judge: np.array(list(gw.evaluate(panel.qrels(judge), made, "AP")["AP"].values()))
        for judge in panel.judges
    }
    labels = np.array([families[run] for run in made])
    for row in found.frame.filter(measure="AP").iter_rows(named=True):
        mine = labels == row["family"]
        x, y = means["people"], means[row["judge"]]
        slope, start = np.polyfit(x[~mine], y[~mine], 1)
        expected = (y[mine] - start - slope * x[mine]).mean()
        assert row["favor"] == pytest.approx(expected, abs=1e-12)
        assert row["runs"] == 5


def test_the_judge_favors_its_own_runs_and_others_do_not(found: gw.meta.Circularity) -> None:
    rows = {(r["measure"], r["judge"], r["family"]): r for r in found.frame.iter_rows(named=True)}
    for measure in ("nDCG@10", "AP"):
        own = rows[measure, "judge", "own"]
        assert own["low"] > 0.02
        assert own["p"] < 0.02
        fair = rows[measure, "generous", "own"]
        assert fair["low"] < 0 < fair["high"] or abs(fair["favor"]) < own["favor"] / 5


def test_families_of_nothing_are_seldom_favored() -> None:
    """Runs of one kind in random families: p is below .1 about one time in ten."""
    rng = np.random.default_rng(4)
    small = 0
    for seed in range(40):
        sample = gw.simulate.collection(topics=12, runs=8, depth=30, relevant=10, seed=seed)
        people = sample.qrels.to_dict()
        judge = {
            t: {d: g if rng.random() < 0.8 else int(rng.integers(0, 3)) for d, g in held.items()}
            for t, held in people.items()
        }
        panel = gw.meta.judges({"people": people, "judge": judge})
        families = {run: "a" if k < 4 else "b" for k, run in enumerate(sample.runs)}
        tested = gw.meta.circularity(
            panel, panel.join(sample.runs), "nDCG", families=families, replicates=200
        )
        small += tested.frame.row(0, named=True)["p"] < 0.1
    assert small <= 10  # 4 are expected; more than 10 happen once in a thousand times


def test_runs_without_a_family_stand_alone(
    panel: gw.meta.Panel, runs: tuple[dict[str, gw.Run], dict[str, str]]
) -> None:
    made, families = runs
    some = {run: family for run, family in families.items() if family == "own"}
    result = gw.meta.circularity(panel, panel.join(made), "AP", families=some, replicates=50)
    assert len(result.families) == 11
    assert dict(zip(result.families, result.sizes.tolist(), strict=True))["own"] == 5


def test_wrong_families_are_explained(
    panel: gw.meta.Panel, runs: tuple[dict[str, gw.Run], dict[str, str]]
) -> None:
    joined = panel.join(runs[0])
    with pytest.raises(OptionError, match="there is no run 'one-rum1'; did you mean one-run1"):
        gw.meta.circularity(panel, joined, "AP", families={"one-rum1": "x"})
    with pytest.raises(OptionError, match="all runs belong to one family"):
        gw.meta.circularity(panel, joined, "AP", families=dict.fromkeys(runs[0], "x"))
    most = dict.fromkeys(list(runs[0])[:-2], "x")
    with pytest.raises(OptionError, match="without family x there are 2 runs"):
        gw.meta.circularity(panel, joined, "AP", families=most)
