"""Write rules/reference/cldr.toml: names of countries, languages, weekdays and months from Unicode CLDR.

    python tests/reference/make_cldr.py       needs Babel; prints how many names each section has

Names are folded as cells are. A name that CLDR gives to two countries is left to rules/reference/countries.toml.
"""

from __future__ import annotations

from collections import defaultdict
from pathlib import Path

from privaudit.model.headers import fold

ROOT = Path(__file__).resolve().parents[2]
LOCALES = (
    "en de fr es pt it nl sv da nb fi is pl cs sk hu ro bg el tr ru uk sr hr sl lt lv et ar he fa hi bn ta te th vi "
    "id ms sw zh zh_Hant ja ko ka hy az kk uz sq mk ca fil ur af am"
).split()
HEAD = """# Names of countries, languages, weekdays and months, folded to lower case without accents.
# Unicode CLDR {cldr} by way of Babel (Unicode License v3). Written by tests/reference/make_cldr.py: do not edit.
# Spellings and abbreviations that CLDR lacks are in countries.toml and values.toml.

cldr = "{cldr}"
"""


def render() -> str:
    """Return the text of the file."""
    from babel import Locale
    from babel.core import get_cldr_version

    locales = [Locale.parse(name) for name in LOCALES]
    countries: dict[str, set[str]] = defaultdict(set)
    codes_of: dict[str, set[str]] = defaultdict(set)
    for locale in locales:
        for code, name in locale.territories.items():
            if len(code) == 2 and code not in ("EU", "EZ", "UN", "QO", "ZZ", "XA", "XB"):
                countries[code].add(fold(name))
                codes_of[fold(name)].add(code)
    tongues = {name.partition("_")[0] for name in LOCALES}
    sections = {
        "LANGUAGE": {fold(locale.languages[t]) for locale in locales for t in tongues if t in locale.languages},
        "WEEKDAY": {fold(day) for locale in locales for day in _wide(locale.days)},
        "MONTH": {fold(month) for locale in locales for month in _wide(locale.months)},
    }
    lines = [HEAD.format(cldr=get_cldr_version()), "[countries]"]
    for code in sorted(countries):
        if names := sorted(name for name in countries[code] if len(codes_of[name]) == 1 and len(name) > 1):
            lines.append(f'{code} = "{"|".join(names)}"')
    lines.append("\n[values]")
    for section, names in sections.items():
        lines.append(f'{section} = """')
        lines += [f"{name}|" for name in sorted(names)[:-1]] + [f'{max(names)}"""']
    return "\n".join(lines) + "\n"


def _wide(contexts: object) -> list[str]:
    return [name for context in contexts.values() for name in context.get("wide", {}).values()]  # type: ignore[attr-defined]


if __name__ == "__main__":
    text = render()
    (ROOT / "rules" / "reference" / "cldr.toml").write_text(text, encoding="utf-8")
    print(f"{len(text.splitlines())} lines")
