"""Lets the tests of detection share `detect_core_tables`."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
