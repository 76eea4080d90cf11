"""What every release under differential privacy uses: exact noise, accounting, and the ledger of the budget.

Question: how much noise, at which cost, and who may still spend it?
Method: `noise` draws integers exactly, `accounting` turns mechanisms into epsilon, delta and rho, `ledger` writes the
cost down before it hands over the data.
Limits: knows no query and no model; those are in the folders of the releases.
"""
