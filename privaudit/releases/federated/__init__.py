"""Train one model over the tables of several parties, of which none shows its table or its own model.

Question: how is a model fitted on data that stays where it is?
Method: each round, every party improves the common model on its own rows; the models are averaged by rows through a
secure sum, so that no one sees the model of one party. `train` does so for linear, logistic and word models.
Limits: parties follow the protocol. Whoever has the sum can subtract his own part: at least three parties.

Examples
--------
>>> import privaudit
>>> report = privaudit.federated.train(                                       # doctest: +SKIP
...     {"north": "north.csv", "south": "south.csv", "west": "west.csv"},
...     model="logistic", target="ill", classes=("0", "1"), features={"age": (0, 100), "pulse": (30, 220)})
>>> report.write("federated.html")                                           # doctest: +SKIP
"""

from privaudit.releases.federated.secure_sums import KeyHolder
from privaudit.releases.federated.training import FederatedReport, train

__all__ = ["FederatedReport", "KeyHolder", "train"]
