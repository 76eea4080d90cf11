"""Which remedies would help, what each measurably improves, and what it costs."""

from __future__ import annotations

from privaudit.advice.advise import AdviceResult, advise

__all__ = ["AdviceResult", "advise"]
