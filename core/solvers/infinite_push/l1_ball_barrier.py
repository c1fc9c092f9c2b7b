"""The ball sum_j beta_j |w_j| <= 1 for an interior-point method; its multiplier is a lambda."""

from __future__ import annotations

import numpy as np

from core.solvers.infinite_push.penalty_barriers import above_zero, longest_step
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
    """

    def __init__(self, beta: FloatArray, lam: float) -> None:
        n_features = len(beta)
        self.weights = np.zeros(n_features)
        self._beta = beta
        self._parts = np.tile(0.25 / (n_features * beta), (2, 1))  # p and n
        self._room = 0.5
        self.lam = lam
        self._slacks = np.tile(lam * beta, (2, 1))
        self._part_changes = np.zeros_like(self._parts)
        self._slack_changes = np.zeros_like(self._parts)
        self._room_change = self._lam_change = 0.0

    def complementarity(self) -> tuple[float, int]:
        return float((self._parts * self._slacks).sum()) + self._room * self.lam, self._parts.size + 1

    def curvature(self) -> FloatArray:
        diagonal: FloatArray = 1.0 / (self._parts / self._slacks).sum(axis=0)
        return diagonal

    def aim(self, target: float, *, correct: bool) -> None:
        self._wanted = target - self._parts * self._slacks
        self._wanted_room = target - self._room * self.lam
        if correct:
            self._wanted -= self._part_changes * self._slack_changes
            self._wanted_room -= self._room_change * self._lam_change

    def pull(self, gradient: FloatArray) -> FloatArray:
        self._diagonal = self.curvature()
        steep = self.lam * self._beta
        self._residual = np.stack([steep + gradient, steep - gradient]) - self._slacks
        ahead = (self._wanted - self._parts * self._residual) / self._slacks
        self._pull = self._diagonal * (ahead[0] - ahead[1])
        pull: FloatArray = self._pull
        return pull

    def border(self) -> FloatArray:
        """What a change of lam by 1 takes off the pull."""
        ratio = self._parts / self._slacks
        border: FloatArray = self._beta * (ratio[0] - ratio[1]) / ratio.sum(axis=0)
        self._border = border
        return border

    def settle(self, change: FloatArray, side: FloatArray) -> FloatArray:
        """The change of lam for which the parts and the room still add up to 1."""

        def used(pull: FloatArray, change: FloatArray, known: float) -> float:
            slope = pull - self._diagonal * change
            slacks = np.stack([slope, -slope]) + known * self._residual + (1.0 - known) * self._beta
            return float((self._beta * (known * self._wanted - self._parts * slacks) / self._slacks).sum())

        left = 1.0 - float((self._beta * self._parts).sum()) - self._room
        fixed = used(self._pull, change, 1.0) + self._wanted_room / self.lam - left
        # The border enters with a minus, on the pull as on the answer to it.
        rate = used(-self._border, -side, 0.0) - self._room / self.lam
        self._lam_change = -fixed / rate
        self._pull = self._pull - self._lam_change * self._border
        settled: FloatArray = change - self._lam_change * side
        return settled

    def move(self, change: FloatArray) -> float:
        self._change = change
        slope = self._pull - self._diagonal * change  # how the gradient changes
        self._slack_changes = np.stack([slope, -slope]) + self._residual + self._lam_change * self._beta
        self._part_changes = (self._wanted - self._parts * self._slack_changes) / self._slacks
        self._room_change = (self._wanted_room - self._room * self._lam_change) / self.lam
        ends = np.array([self._room, self.lam]), np.array([self._room_change, self._lam_change])
        return min(
            longest_step(self._parts, self._part_changes),
            longest_step(self._slacks, self._slack_changes),
            longest_step(*ends),
        )

    def promise(self, step: float) -> float:
        own = (self._parts + step * self._part_changes) * (self._slacks + step * self._slack_changes)
        return float(own.sum()) + (self._room + step * self._room_change) * (self.lam + step * self._lam_change)

    def advance(self, step: float) -> None:
        self._parts = above_zero(self._parts + step * self._part_changes)
        self._slacks = above_zero(self._slacks + step * self._slack_changes)
        self._room += step * self._room_change
        self.lam += step * self._lam_change
        self.weights = self.weights + step * self._change
