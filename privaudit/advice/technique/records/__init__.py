"""Techniques that remove records.

Question: which records are released at all?
Method: one module for each technique, which states the records that it removes by class, by condition or at random.
Limits: removing records of other people never makes the records that are left less unique.
"""
