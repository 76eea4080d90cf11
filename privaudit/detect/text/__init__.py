"""The values, names and places inside a text.

Question: does a sentence contain an e-mail address, a card number, the name of a person?
Method: the forms of the catalogue in every text; a language model that is installed here in a sample of them.
Limits: texts are read one by one: whether a column is free text, `privaudit.detect` decides.
"""
