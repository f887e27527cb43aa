"""Real collections that papers are reproduced on, read from a folder of the user's."""

import io
import os
import tarfile
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from gradewise.arrays import Ints
from gradewise.collection.qrels import Qrels
from gradewise.collection.reading import read_qrels, read_run
from gradewise.collection.run import Run
from gradewise.errors import InputError
from gradewise.learn.features import FeatureSet
from gradewise.learn.letor import read_letor

VARIABLE = "GRADEWISE_DATA"
QUICK_RUNS = 5  # of each collection, where lists take long
FILES = """\
  qrels/qrels.adhoc.451-550.txt.gz, qrels.robust03.txt.gz, qrels.robust05.txt.gz,
        qrels.web.151-200.txt.gz, qrels.web.201-250.ndeval.txt.gz,
        qrels.web.201-250.txt.gz, qrels.web.251-300.txt.gz,
        qrels.covid-round1.txt.gz               judgments of TREC
  robust03-runs/*                               runs of TREC 2003 Robust
  trec-covid-round1/round1-runs.tar.xz          runs of TREC-COVID, round 1
  ohsumed/S1.txt.xz ... S5.txt.xz               LETOR 3.0, OHSUMED, the parts of its five folds
  mslr-sample/mslr_fold1_*_sample.txt.gz        topics of MSLR-WEB"""


@dataclass(frozen=True)
class Collection:
    """Judgments and runs, and the name of the collection."""

    name: str
    qrels: Qrels
    runs: dict[str, Run]


def is_named(given: str | None) -> bool:
    """Return whether a folder of real collections is given."""
    return bool(given or os.environ.get(VARIABLE))


def data_folder(given: str | None) -> Path:
    """Return the folder of real collections: the one given, or that of the environment."""
    place = given or os.environ.get(VARIABLE)
    if not place:
        raise InputError(
            f"this needs real collections; give --data FOLDER or set {VARIABLE} to a folder with\n"
            f"{FILES}"
        )
    folder = Path(place)
    if not folder.is_dir():
        raise InputError(f"{folder}: no such folder; expected one with\n{FILES}")
    return folder


def read_judgments(folder: Path, name: str, topics: range | None = None) -> Qrels:
    """Return the qrels of a track, of some topics only if asked for."""
    path = folder / "qrels" / f"qrels.{name}.txt.gz"
    qrels = read_qrels(path)
    if topics is None:
        return qrels
    judged = qrels.to_dict()
    return read_qrels({topic: judged[topic] for topic in map(str, topics) if topic in judged})


def read_grades(folder: Path, name: str) -> list[Ints]:
    """Return the grades on the lines of a qrels file, topic by topic.

    A file with intents in its second column has a line for each document and intent.
    """
    path = folder / "qrels" / f"qrels.{name}.txt.gz"
    try:
        topic, grade = np.loadtxt(path, np.int64, usecols=(0, 3), unpack=True)
    except (OSError, ValueError) as error:
        raise InputError(f"{path}: {error}") from None
    order = np.argsort(topic, kind="stable")
    begins = np.flatnonzero(np.diff(topic[order])) + 1
    return np.split(grade[order], begins)


def trec_covid(folder: Path, *, most: int | None = None) -> Collection:
    """Return TREC-COVID round 1: 143 runs, 30 topics, grades 1 and 2."""
    path = folder / "trec-covid-round1" / "round1-runs.tar.xz"
    runs = {}
    try:
        with tarfile.open(path) as archive:
            for member in archive:
                content = archive.extractfile(member) if member.isfile() else None
                if content is not None:
                    name = Path(member.name).name
                    runs[name] = read_run(io.BytesIO(content.read()), name=name)
                if len(runs) == most:
                    break
    except (OSError, tarfile.TarError) as error:
        raise InputError(f"{path}: {error}") from None
    return Collection("TREC-COVID round 1", read_judgments(folder, "covid-round1"), runs)


def robust_2003(folder: Path, *, most: int | None = None) -> Collection:
    """Return TREC 2003 Robust: 17 runs; only topics 601-650 have more than one positive grade."""
    place = folder / "robust03-runs"
    if not place.is_dir():
        raise InputError(f"{place}: no such folder")
    paths = sorted(place.iterdir())[:most]
    runs = {}
    for path in paths:
        name = path.name.removeprefix("input.").removesuffix(".gz")
        runs[name] = read_run(path, name=name)
    qrels = read_judgments(folder, "robust03", range(601, 651))
    return Collection("TREC 2003 Robust, topics 601-650", qrels, runs)


def both(folder: Path, *, most: int | None = None) -> list[Collection]:
    """Return both collections that have runs, or the first runs of each."""
    return [trec_covid(folder, most=most), robust_2003(folder, most=most)]


def ohsumed(folder: Path) -> list[FeatureSet]:
    """Return the five parts of OHSUMED: 106 topics, grades 0 to 2, 45 features."""
    return [read_letor(folder / "ohsumed" / f"S{part}.txt.xz", width=45) for part in range(1, 6)]


def mslr_sample(folder: Path) -> FeatureSet:
    """Return 36 topics of MSLR-WEB: grades 0 to 4, 136 features."""
    place = folder / "mslr-sample"
    paths = sorted(place.glob("mslr_fold1_*_sample.txt.gz"))
    if not paths:
        raise InputError(f"{place}: no file mslr_fold1_*_sample.txt.gz")
    return read_letor(paths, width=136)
