"""Maximum entropy for measures that are linear in the probabilities: a convex problem.

The distribution of one list has log-odds θ_n(a) = λ_a + μ lin_n(a). Its multipliers minimize

    φ(λ, μ) = Σ_n log Σ_a exp θ_n(a) - Σ_a λ_a counts_a - μ target,

which is convex, so Newton's method with a line search finds them from anywhere, and what it finds
is the maximum. It is for lists on which the kernel's Newton method, without a line search, fails.
"""

from dataclasses import dataclass

import numpy as np

from gradewise.arrays import Floats

_MOST_STEPS = 200
_MOST_HALVINGS = 30
_REDUNDANT = 1e-13  # of a scaled eigenvalue: a constraint that follows from the others
_FLAT = 100  # times the rounding of φ: a descent that is no larger cannot be seen
_SLOPE = 1e-4  # share of the promised descent that a step must deliver


@dataclass(frozen=True)
class Dual:
    """The problem of one list: lin[n, a], counts[a] > 0 and the target."""

    linear: Floats
    counts: Floats
    target: float

    def look(self, x: Floats) -> tuple[Floats, float]:
        """Return p[n, a] and φ at the multipliers x = (λ, μ)."""
        theta = x[:-1] + x[-1] * self.linear
        top = theta.max(axis=1, keepdims=True)
        weight = np.exp(theta - top)
        total = weight.sum(axis=1, keepdims=True)
        phi = (top + np.log(total)).sum() - x[:-1] @ self.counts - x[-1] * self.target
        return weight / total, float(phi)

    def find_gaps(self, p: Floats) -> Floats:
        """Return by how much each constraint is violated, the gradient of φ."""
        return np.append(p.sum(axis=0) - self.counts, (self.linear * p).sum() - self.target)

    def find_error(self, p: Floats) -> float:
        """Return the largest violation of a constraint, relative to counts above 1."""
        limits = np.maximum(np.append(self.counts, 1), 1)
        return float(np.abs(self.find_gaps(p) / limits).max())

    def find_step(self, p: Floats, gaps: Floats) -> Floats:
        """Return Newton's step; directions that no constraint feels stay."""
        hessian = self._find_hessian(p)
        scale = np.sqrt(np.maximum(np.diagonal(hessian), 1e-300))
        values, vectors = np.linalg.eigh(hessian / scale / scale[:, None])
        inverse = np.where(values > _REDUNDANT, 1 / np.maximum(values, _REDUNDANT), 0)
        return np.asarray(vectors @ (inverse * (vectors.T @ (-gaps / scale))) / scale)

    def _find_hessian(self, p: Floats) -> Floats:
        """Return Σ_n of the covariance, under p_n, of having level a and of lin_n."""
        felt = self.linear - (p * self.linear).sum(axis=1, keepdims=True)
        cross = (p * felt).sum(axis=0)
        levels = np.diag(p.sum(axis=0)) - p.T @ p
        return np.block([[levels, cross[:, None]], [cross, (p * felt**2).sum()]])


def solve_dual(problem: Dual, tolerance: float) -> tuple[Floats, int, float]:
    """Return p[n, a], how many steps were taken, and the largest violation of a constraint."""
    x = np.append(np.log(problem.counts), 0.0)
    p, phi = problem.look(x)
    steps = 0
    while True:
        error = problem.find_error(p)
        if error <= tolerance or steps == _MOST_STEPS:
            return p, steps, error
        gaps = problem.find_gaps(p)
        step = problem.find_step(p, gaps)
        x, p, phi = _search_line(problem, (x, phi, error), step, float(gaps @ step))
        steps += 1


def _search_line(
    problem: Dual, start: tuple[Floats, float, float], step: Floats, slope: float
) -> tuple[Floats, Floats, float]:
    """Return where a step that is halved until it is good leads, with p and φ there.

    It is good if φ descends. Near the minimum, where the promised descent is lost in rounding, it
    is good if the violation is halved.
    """
    x, phi, error = start
    length, rounding = 1.0, 1e-14 * (1 + abs(phi))
    flat = -slope <= _FLAT * rounding
    for _ in range(_MOST_HALVINGS):
        there = x + length * step
        p, found = problem.look(there)
        if flat and problem.find_error(p) <= error / 2:
            break
        if found <= phi + _SLOPE * length * slope + rounding:
            break
        length /= 2
    return there, p, found
