"""Detector packs: reading and validating them, their validators, running them on columns."""
