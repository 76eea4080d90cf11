"""Methods of synthesis: which margins are measured, and what is drawn from them.

Question: how does each method turn a coded table and a budget into a distribution?
Method: one module for each method with a function that `registry` lists; the margin-based ones share `engine`.
Limits: a method knows codes only; `domain` knows what they mean.
"""
