"""The pictures of the report, each with its text alternative and its numbers.

Question: what does each picture show?
Method: a module for each kind of picture, drawn with the marks of `draw`; templates print them as SVG.
Limits: draws what was measured; computes no measure.
"""
