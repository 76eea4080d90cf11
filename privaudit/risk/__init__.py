"""Who can be singled out: equivalence classes, their combinations, and what follows from them."""

from __future__ import annotations

from privaudit.risk.assessment import RiskAssessment, assess

__all__ = ["RiskAssessment", "assess"]
