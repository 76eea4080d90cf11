"""Fitted networks as models: what the margin-based methods return.

Question: how is a network of conditional tables saved, loaded and sampled?
Method: `engine.network` with the tables as base 64.
Limits: tables are saved with 7 digits.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from privaudit.base.records import dataclass
from privaudit.releases.synthetic.engine.margins import CodedTable
from privaudit.releases.synthetic.engine.network import Network, Step, conditional
from privaudit.releases.synthetic.methods.model import packed, unpacked


@dataclass(frozen=True, slots=True)
class NetworkModel:
    """A network of conditional tables that can be saved."""

    network: Network

    @property
    def sizes(self) -> tuple[int, ...]:
        """Number of codes of each column."""
        return self.network.sizes

    def sample(self, n_rows: int, random: np.random.Generator) -> CodedTable:
        """Draw a table by conditional shares."""
        return self.network.sample(n_rows, random)

    def content(self) -> dict[str, Any]:
        """Return the network as values of JSON."""
        return {
            "sizes": list(self.network.sizes),
            "steps": [
                {"given": list(step.given), "drawn": list(step.drawn), "table": packed(step.table)}
                for step in self.network.steps
            ],
        }

    @classmethod
    def of(cls, content: Mapping[str, Any]) -> NetworkModel:
        """Return the network of `content`.

        Raises
        ------
        ValueError
            If the steps do not draw every column once, from columns that were drawn before.
        """
        sizes = tuple(int(size) for size in content["sizes"])
        steps, known = [], set[int]()
        for each in content["steps"]:
            given, drawn = tuple(map(int, each["given"])), tuple(map(int, each["drawn"]))
            table = unpacked(each["table"])
            shape = tuple(int(np.prod([sizes[c] for c in columns], dtype=int)) for columns in (given, drawn))
            if table.shape != shape or not known >= set(given) or known & set(drawn) or (table < 0).any():
                raise ValueError("the steps of a network do not fit together")
            known |= set(drawn)
            steps.append(Step(given, drawn, conditional(table, 1)))
        if known != set(range(len(sizes))):
            raise ValueError("a network does not draw every column")
        return cls(Network(sizes, tuple(steps)))
