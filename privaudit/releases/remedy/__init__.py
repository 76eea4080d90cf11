"""Remedies applied: a plan, a clean file, a second scan, a certificate.

Question: how does a table become one that may be released, with evidence of what was done?
Method: `releases.remedy.run` has the order. `plan` and `plan_file` hold what is done, `task` does it with the
techniques of `advice.technique`, `output` writes, `audit` scans what was written with the settings of `rescan`,
`certificate` binds the file.
Limits: what the second scan does not measure is not known.
"""
