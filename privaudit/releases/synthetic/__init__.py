"""Synthetic tables: records of people who do not exist, made from margins, attacked and certified.

Question: which table can be released in place of one that cannot?
Method: `domain` declares what each column may contain; `engine` fits a distribution to margins and samples it; one
module of `methods` for each method chooses the margins and pays for them; `comparison` and `judgement` measure the
result as a statistician and as an attacker would.
Limits: a synthetic table repeats what its margins state, including what they state about small groups; only
differential privacy bounds what one person can change.
"""
