"""Which recodings of several columns together lose least? Imports `advice.effect` and `advice.technique`."""
