"""What each section of the report contains, as plain text and numbers that every format lays out.

Question: what does the report state about columns, risk, attacks, findings, remedies, controls and limits?
Method: one module for each section, and those that several share: verdict, first steps, ranking, thresholds.
Limits: measures nothing, and knows no format.
"""
