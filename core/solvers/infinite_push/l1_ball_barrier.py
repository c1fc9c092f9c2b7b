"""The ball sum_j beta_j |w_j| <= 1 for an interior-point method; its multiplier is a lambda."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from core.solvers.infinite_push.barriers import above_zero, longest_step
from core.solvers.problem import FloatArray


class L1Ball:
    """sum_j beta_j (p_j + n_j) + room = 1 for w = p - n, all of them >= 0, with the multiplier lam of the equation.

    The slacks of p and n are lam beta + gradient and lam beta - gradient, that of the room is lam.

    Parameters
    ----------
    beta : ndarray, shape (n_features,)
        Finite and above 0.
    lam : float
        To start from; above 0.

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
    """``residual``, shape (2, n_features): by how much the slacks miss lam beta + gradient and lam beta - gradient."""

    barrier: L1Ball
    diagonal: FloatArray
    residual: FloatArray

    def border(self) -> FloatArray:
        """What a change of lam by 1 takes off the pull."""
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
    """``wanted``, shape (2, n_features), and ``wanted_room``: by how much the products are to change."""

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
        """The one for which the parts and the room still add up to 1."""
        at, diagonal, residual = self.tangent.barrier, self.tangent.diagonal, self.tangent.residual

        def used(pull: FloatArray, change: FloatArray, known: float) -> float:
            slope = pull - diagonal * change
            slacks = np.stack([slope, -slope]) + known * residual + (1.0 - known) * at.beta
            return float((at.beta * (known * self.wanted - at.parts * slacks) / at.slacks).sum())

        left = 1.0 - float((at.beta * at.parts).sum()) - at.room
        fixed = used(self.pull, change, 1.0) + self.wanted_room / at.lam - left
        # The border enters with a minus, on the pull as on the answer to it.
        rate = used(-border, -side, 0.0) - at.room / at.lam
        return -fixed / rate


@dataclass(frozen=True, eq=False)
class _BallStep:
    """``parts``, ``slacks``, ``room`` and ``further``, that of lam, are changes."""

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
