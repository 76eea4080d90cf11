"""The entity type of each column, and the entity types that its cells contain.

Question: is this column an e-mail address, a name, a tax number; and does any of its cells contain one?
Method: witnesses read the distinct values and the column name, relations the other columns; both yield claims, which
the ledger keeps and the resolver weighs. `privaudit.detect.detection` runs the rounds.
Limits: the two questions are answered separately: one tax number in a million notes is counted, not averaged away. What
could not be assessed is stated in ``unassessed``.
"""
