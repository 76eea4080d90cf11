"""Which hidden counts follow from those that are published? Imports `attacks.inputs`."""
