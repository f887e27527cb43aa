"""CPU seconds of an epoch of training, beside the same losses written with plain autograd.

A net of 10 hidden units at OHSUMED's size (106 topics, 152 documents, 45 features) and at 2,000
topics of 100 documents with 382 features. An epoch of ours holds the steps and the valuation of the
net on the training topics; autograd's holds the steps only. Losses of both are compared, too.

    python benchmarks/nets.py             everything, some minutes
    python benchmarks/nets.py --quick     few topics, to see that it runs
"""

import argparse
import math
import time

import numpy as np
import torch

import gradewise as gw
from gradewise.learn.features import FeatureSet, from_arrays
from gradewise.learn.nets.recipe import Recipe
from gradewise.learn.nets.training import Training, TrainingData, prepare
from gradewise.measures.grammar import parse_measure
from gradewise.tables import Table

CASES = (("lambdarank", "GAP(g=[0.5,0.5])"), ("softrank", "GAP(g=[0.5,0.5])"), ("softrank", "nDCG"))
BATCH = 8
MOST_AUTOGRAD = 100  # topics; the time of more is estimated from these


def make(topics: int, documents: int, features: int) -> FeatureSet:
    """Return topics with grades 0 to 2, as OHSUMED has them."""
    data = gw.simulate.features(topics, documents, features)
    return from_arrays(data.features, np.minimum(data.grades, 2), group=data.sizes)


def our_epoch(data: TrainingData, algorithm: str, objective: str) -> tuple[float, float]:
    """Return CPU seconds of an epoch, the best of three, and of the steps alone."""
    measure = parse_measure(objective)
    recipe = Recipe(algorithm, measure, batch_size=BATCH, epochs=4)
    training = Training(recipe, 1e-6, 0, data, [measure])
    training.run_epoch()  # fills caches
    whole, steps = [], []
    for number in range(3):
        begin = time.process_time()
        training._steps(np.random.default_rng(number))
        steps.append(time.process_time() - begin)
        begin = time.process_time()
        training.run_epoch()
        whole.append(time.process_time() - begin)
    return min(whole), min(steps)


def lambda_by_autograd(data: TrainingData, objective: str):
    """Return a function that gives the LambdaRank loss of a topic; deltas come from NumPy."""
    measure = parse_measure(objective)
    lists = data.train.lists(data.scale)

    def loss(scores: torch.Tensor, topic: int) -> torch.Tensor:
        levels = data.tables.levels[data.train.rows_of(topic)]
        order = torch.argsort(scores.detach(), descending=True)
        ranked = levels[order.numpy()]
        one = type(lists)(
            lists.scale, lists.counts[[topic]], np.zeros(1, int), lists.retrieved[[topic]]
        )
        deltas = torch.from_numpy(np.abs(measure.swap_deltas(one, ranked)))
        grades, s = torch.from_numpy(ranked), scores[order].double()
        above = grades[:, None] > grades[None, :]
        return (deltas * torch.nn.functional.softplus(s[None, :] - s[:, None]))[above].sum()

    return loss


def soft_pivot_by_autograd(data: TrainingData, objective: str):
    """Return a function that gives the negative soft measure of a topic."""

    def loss(scores: torch.Tensor, topic: int) -> torch.Tensor:
        levels = torch.from_numpy(data.tables.levels[data.train.rows_of(topic)])
        table = torch.from_numpy(data.tables.kernel[topic])
        pairs = table[levels][:, levels]
        s = scores.double()
        beats = torch.special.ndtr((s[None, :] - s[:, None]) / math.sqrt(2))
        beats = beats - torch.diag(torch.diag(beats))
        above = torch.diag(pairs) + (beats * pairs).sum(dim=1)
        return -(above / (1 + beats.sum(dim=1))).sum()

    return loss


def soft_gain_by_autograd(data: TrainingData, objective: str):
    """Return a function that gives the negative soft measure by the recursion over documents."""

    def loss(scores: torch.Tensor, topic: int) -> torch.Tensor:
        rows = data.train.rows_of(topic)
        gains = torch.from_numpy(data.tables.gain[data.tables.levels[rows]])
        weight = torch.from_numpy(data.tables.weight[rows])
        s, size = scores.double(), len(scores)
        beats = torch.special.ndtr((s[:, None] - s[None, :]) / math.sqrt(2))
        beats = beats - torch.diag(torch.diag(beats))
        chances = torch.zeros(size, size, dtype=torch.float64)
        chances[:, 0] = 1
        for i in range(size):
            p = beats[i][:, None]
            shifted = torch.nn.functional.pad(chances[:, :-1], (1, 0))
            chances = shifted * p + chances * (1 - p)
        return -(gains * (chances @ weight)).sum()

    return loss


AUTOGRAD = {
    ("lambdarank", "GAP(g=[0.5,0.5])"): lambda_by_autograd,
    ("softrank", "GAP(g=[0.5,0.5])"): soft_pivot_by_autograd,
    ("softrank", "nDCG"): soft_gain_by_autograd,
}


def autograd_epoch(data: TrainingData, loss, topics: int) -> float:
    """Return CPU seconds of an epoch of steps; of many topics, estimated from some."""
    width = data.train.width
    net = torch.nn.Sequential(torch.nn.Linear(width, 10), torch.nn.Tanh(), torch.nn.Linear(10, 1))
    optimizer = torch.optim.SGD(net.parameters(), lr=1e-6)
    chosen = data.useful[:topics]
    begin = time.process_time()
    for low in range(0, len(chosen), BATCH):
        optimizer.zero_grad()
        total = torch.zeros((), dtype=torch.float64)
        for topic in chosen[low : low + BATCH]:
            x = torch.from_numpy(data.train.features[data.train.rows_of(topic)])
            total = total + loss(net(x).squeeze(-1), topic)
        total.backward()
        optimizer.step()
    return (time.process_time() - begin) * len(data.useful) / len(chosen)


def check(data: TrainingData, algorithm: str, objective: str, loss) -> float:
    """Return the largest difference of losses and gradients between ours and autograd's."""
    recipe = Recipe(algorithm, parse_measure(objective))
    rng, worst = np.random.default_rng(0), 0.0
    for topic in data.useful[:3]:
        rows = data.train.rows_of(topic)
        scores = torch.tensor(rng.normal(size=rows.stop - rows.start), requires_grad=True)
        theirs = loss(scores, topic)
        theirs.backward()
        found = recipe.losses(data.batch(np.array([topic]))[0], scores.detach().numpy(), rng)
        gap = np.abs(found.gradient - scores.grad.numpy()).max()
        worst = max(worst, gap, abs(found.loss[0] - theirs.item()))
    return worst


def compare(name: str, data: FeatureSet) -> None:
    rows = []
    for algorithm, objective in CASES:
        prepared = prepare(parse_measure(objective), data, None)
        loss = AUTOGRAD[algorithm, objective](prepared, objective)
        apart = check(prepared, algorithm, objective, loss)
        whole, steps = our_epoch(prepared, algorithm, objective)
        theirs = autograd_epoch(prepared, loss, MOST_AUTOGRAD)
        numbers = [f"{whole:.3f}", f"{steps:.3f}", f"{theirs:.3f}", f"{theirs / steps:.1f}"]
        rows.append([f"{algorithm} {objective}", *numbers, f"{apart:.0e}"])
    header = [name, "epoch", "steps", "autograd, steps", "ratio", "losses apart"]
    print(Table(header, rows).to_text())


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--quick", action="store_true", help="few topics")
    quick = parser.parse_args().quick
    torch.set_num_threads(1)
    sizes = [(106, 152, 45), (2000, 100, 382)]
    if quick:
        sizes = [(6, 30, 45), (8, 20, 60)]
    print("CPU seconds, the best of three for ours\n")
    for topics, documents, features in sizes:
        name = f"{topics} topics x {documents} documents x {features} features"
        compare(name, make(topics, documents, features))


if __name__ == "__main__":
    main()
