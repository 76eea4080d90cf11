"""Which values behind a masked column does an attacker find? Imports `attacks.values` and `attacks.inputs`."""
