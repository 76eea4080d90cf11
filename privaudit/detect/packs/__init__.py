"""Detectors and entities as data: how packs are read, what they may hold, the checks they name, how they run."""
