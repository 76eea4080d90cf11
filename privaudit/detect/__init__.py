"""The personal data in a table, column by column: what a column *is* and what it *contains*.

Question: is this column an e-mail address, a name, a tax number; and does any of its cells contain one?
Method: patterns and lists, cards, phone numbers, dates, names, places and identifiers from the values, then the column
name, then check digits and the sibling columns, and last a language model on text. Everything but the model reads every
distinct value.
Limits: the two questions are answered separately: one tax number in a million notes is counted, not averaged away. What
could not be assessed is stated in ``unassessed``.
"""
