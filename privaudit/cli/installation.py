"""What this installation has, and what it lacks.

Question: can this installation read text columns, and which extras are not installed?
Method: the versions of the libraries that can change a number, the language models that can be loaded, and the extras
of which a package is missing.
Limits: loads no model.
"""

from __future__ import annotations

import platform


def description() -> tuple[str, bool]:
    """Return the installation as text, and whether text columns can be assessed."""
    from privaudit._version import __version__
    from privaudit.api.handbook import list_rules as listed
    from privaudit.audit import provenance
    from privaudit.base import extras
    from privaudit.detect.text.engines.registry import available_engines

    lines = [f"privaudit {__version__}, Python {platform.python_version()}"]
    lines += [f"  {name} {version}" for name, version in provenance.versions().items()]
    engines = available_engines()
    lines.append("Language models:" if engines else "Language models: none")
    lines += [
        f"  {engine.name}: {engine.model} {engine.version}, sha256 {engine.sha256_of_model_metadata[:16]}"
        for engine in engines
    ]
    if not engines:
        lines.append("  Text columns cannot be read for names: install an extra named below, or use --no-ner.")
    lacking = extras.missing()
    lines.append("Extras not installed:" if lacking else "Extras: all installed")
    lines += [f"  {extra.name}, {extra.purpose}: {extra.install}" for extra in lacking]
    if lacking:
        lines.append("  (in a checkout: pip install '.[name]')")
    lines.append(f"Rules: {len(listed())} in the packs; `privaudit rules test` runs their cases.")
    lines.append("Network: used only for tables whose address names a server, a store or a catalogue.")
    return "\n".join(lines), bool(engines)
