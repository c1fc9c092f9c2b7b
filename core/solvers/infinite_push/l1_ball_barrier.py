"""The ball sum_j beta_j |w_j| <= 1 as a barrier of the interior-point method; its multiplier is a lambda."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from core.solvers.infinite_push.barriers import above_zero, longest_step
from core.solvers.problem import FloatArray


class L1Ball:
    """The constraint sum_j beta_j (p_j + n_j) + room = 1 with w = p - n, and its multiplier lam.

    p, n and room are >= 0. The slacks of p and n are lam beta + gradient and lam beta - gradient; that of room is lam.

    Parameters
    ----------
    beta : ndarray, shape (n_features,)
        Each finite and above 0.
    lam : float
        Starting value of the multiplier, above 0.

    Attributes
    ----------
    weights : ndarray, shape (n_features,)
    parts, slacks : ndarray, shape (2, n_features)
        p and n, and their slacks.
    room, lam : float
    """

    def __init__(self, beta: FloatArray, lam: float) -> None:
        n_features = len(beta)
        self.weights = np.zeros(n_features)
        self.beta = beta
        self.parts = np.tile(0.25 / (n_features * beta), (2, 1))
        self.room = 0.5
        self.lam = lam
        self.slacks = np.tile(lam * beta, (2, 1))

    def complementarity(self) -> tuple[float, int]:
        return float((self.parts * self.slacks).sum()) + self.room * self.lam, self.parts.size + 1

    def tangent(self, gradient: FloatArray) -> _BallTangent:
        diagonal: FloatArray = 1.0 / (self.parts / self.slacks).sum(axis=0)
        steep = self.lam * self.beta
        residual: FloatArray = np.stack([steep + gradient, steep - gradient]) - self.slacks
        return _BallTangent(self, diagonal, residual)


@dataclass(frozen=True, eq=False)
class _BallTangent:
    """The ball, linearised.

    ``residual``, shape (2, n_features), is lam beta + gradient and lam beta - gradient, minus the slacks.
    """

    barrier: L1Ball
    diagonal: FloatArray
    residual: FloatArray

    def border(self) -> FloatArray:
        """Return the amount by which the pull falls when lam rises by 1, shape (n_features,)."""
        ratio = self.barrier.parts / self.barrier.slacks
        border: FloatArray = self.barrier.beta * (ratio[0] - ratio[1]) / ratio.sum(axis=0)
        return border

    def aim(self, target: float) -> _BallAim:
        at = self.barrier
        return self.aim_at(target - at.parts * at.slacks, target - at.room * at.lam)

    def aim_at(self, wanted: FloatArray, wanted_room: float) -> _BallAim:
        ahead = (wanted - self.barrier.parts * self.residual) / self.barrier.slacks
        return _BallAim(self, wanted, wanted_room, self.diagonal * (ahead[0] - ahead[1]))


@dataclass(frozen=True, eq=False)
class _BallAim:
    """The right-hand side; ``wanted``, shape (2, n_features), and ``wanted_room`` are the products' wanted changes."""

    tangent: _BallTangent
    wanted: FloatArray
    wanted_room: float
    pull: FloatArray

    def move(self, change: FloatArray, side: FloatArray | None) -> _BallStep:
        assert side is not None
        at, diagonal, residual = self.tangent.barrier, self.tangent.diagonal, self.tangent.residual
        border = self.tangent.border()
        lam = self._change_of_lam(change, side, border)
        settled = change - lam * side
        slope = self.pull - lam * border - diagonal * settled  # how the gradient changes
        slacks = np.stack([slope, -slope]) + residual + lam * at.beta
        parts = (self.wanted - at.parts * slacks) / at.slacks
        room = (self.wanted_room - at.room * lam) / at.lam
        longest = min(
            longest_step(at.parts, parts),
            longest_step(at.slacks, slacks),
            longest_step(np.array([at.room, at.lam]), np.array([room, lam])),
        )
        return _BallStep(self.tangent, settled, parts, slacks, room, lam, longest)

    def _change_of_lam(self, change: FloatArray, side: FloatArray, border: FloatArray) -> float:
        """Compute the change of lam with which the constraint still holds after the step."""
        at, diagonal, residual = self.tangent.barrier, self.tangent.diagonal, self.tangent.residual

        def used(pull: FloatArray, change: FloatArray, known: float) -> float:
            slope = pull - diagonal * change
            slacks = np.stack([slope, -slope]) + known * residual + (1.0 - known) * at.beta
            return float((at.beta * (known * self.wanted - at.parts * slacks) / at.slacks).sum())

        left = 1.0 - float((at.beta * at.parts).sum()) - at.room
        fixed = used(self.pull, change, 1.0) + self.wanted_room / at.lam - left
        # The border has a minus sign, in the pull and in the solution for it.
        rate = used(-border, -side, 0.0) - at.room / at.lam
        return -fixed / rate


@dataclass(frozen=True, eq=False)
class _BallStep:
    """A step; ``parts``, ``slacks`` and ``room`` are changes, and ``further`` is the change of lam."""

    tangent: _BallTangent
    change: FloatArray
    parts: FloatArray
    slacks: FloatArray
    room: float
    further: float
    longest: float

    def aim(self, target: float) -> _BallAim:
        at = self.tangent.barrier
        wanted = target - at.parts * at.slacks - self.parts * self.slacks
        return self.tangent.aim_at(wanted, target - at.room * at.lam - self.room * self.further)

    def promise(self, length: float) -> float:
        at = self.tangent.barrier
        own = (at.parts + length * self.parts) * (at.slacks + length * self.slacks)
        return float(own.sum()) + (at.room + length * self.room) * (at.lam + length * self.further)

    def take(self, length: float) -> None:
        at = self.tangent.barrier
        at.parts = above_zero(at.parts + length * self.parts)
        at.slacks = above_zero(at.slacks + length * self.slacks)
        at.room += length * self.room
        at.lam += length * self.further
        at.weights = at.weights + length * self.change
