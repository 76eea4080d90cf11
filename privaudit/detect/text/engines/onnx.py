"""The ONNX model for personal data: small, quantised, read straight from its files.

Input is windowed by tokens with an overlap, because the model sees 512 tokens at once. One thread and batches in a
fixed order keep the arithmetic, and so the spans, the same from run to run.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

import numpy as np

from privaudit.base.arrays import Ints
from privaudit.detect.text.engines.interface import EngineInfo, Span, Unit, encodable, joined, models

_WINDOW, _OVERLAP, _BATCH = 160, 24, 16
_THRESHOLD = 0.5


class OnnxEngine:
    """A token classifier run by ONNX Runtime on the processor.

    `folder` holds config.json, tokenizer.json and onnx/model_q4.onnx.
    """

    unit: Unit = "sentence"  # it reads sentences better than whole notes: docs/text-engines.md

    def __init__(self, info: EngineInfo, folder: Path) -> None:
        import onnxruntime
        from tokenizers import Tokenizer

        self.info = info
        config = json.loads((folder / "config.json").read_text(encoding="utf-8"))
        labels = [config["id2label"][str(i)] for i in range(len(config["id2label"]))]
        self._labels = [label.partition("-")[2] for label in labels]
        self._tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
        self._tokenizer.no_padding()
        self._tokenizer.no_truncation()
        vocabulary = self._tokenizer.get_vocab()
        self._edges = (vocabulary["[CLS]"], vocabulary["[SEP]"])
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = options.inter_op_num_threads = 1
        options.log_severity_level = 4
        self._session = onnxruntime.InferenceSession(
            str(folder / "onnx" / "model_q4.onnx"), options, providers=["CPUExecutionProvider"]
        )
        self._inputs = {item.name for item in self._session.get_inputs()}

    def spans(self, texts: Sequence[str]) -> list[list[Span]]:
        """Return the spans of each text, sorted by start."""
        encodings = [self._tokenizer.encode(encodable(text), add_special_tokens=False) for text in texts]
        windows = [
            (cell, start, min(start + _WINDOW, len(encoding.ids)))
            for cell, encoding in enumerate(encodings)
            for start in _starts(len(encoding.ids))
        ]
        ids = [encoding.ids for encoding in encodings]
        labels = [np.zeros(len(encoding.ids), dtype=np.int64) for encoding in encodings]
        # Windows of like length share a batch; ties keep the order of the cells.
        order = sorted(range(len(windows)), key=lambda i: (windows[i][2] - windows[i][1], i))
        for first in range(0, len(order), _BATCH):
            batch = [windows[i] for i in order[first : first + _BATCH]]
            for (cell, start, end), best in zip(batch, self._classify(ids, batch), strict=True):
                # The first half of an overlap keeps the labels of the previous window.
                skip = 0 if start == 0 else _OVERLAP // 2
                labels[cell][start + skip : end] = best[skip : end - start]
        return [
            joined(text, self._spans(encoding.offsets, best), between=" ,.-'’")
            for text, encoding, best in zip(texts, encodings, labels, strict=True)
        ]

    def _classify(self, ids: Sequence[Sequence[int]], batch: Sequence[tuple[int, int, int]]) -> Iterable[Ints]:
        width = max(end - start for _, start, end in batch) + 2
        tokens = np.zeros((len(batch), width), dtype=np.int64)
        attention = np.zeros_like(tokens)
        for row, (cell, start, end) in enumerate(batch):
            line = [self._edges[0], *ids[cell][start:end], self._edges[1]]
            tokens[row, : len(line)] = line
            attention[row, : len(line)] = 1
        feed = {"input_ids": tokens, "attention_mask": attention, "token_type_ids": np.zeros_like(tokens)}
        logits = self._session.run(None, {name: feed[name] for name in self._inputs})[0]
        best = logits.argmax(axis=2)
        # softmax(best) >= 1/2 exactly when the others' exponentials together stay at or below it.
        top = logits.max(axis=2, keepdims=True)
        sure = 1.0 / np.exp(logits - top).sum(axis=2) >= _THRESHOLD
        chosen = np.where(sure, best, 0)
        return [chosen[row, 1 : 1 + end - start] for row, (_, start, end) in enumerate(batch)]

    def _spans(self, offsets: Sequence[tuple[int, int]], best: Ints) -> Iterator[Span]:
        for label, (start, end) in zip(best.tolist(), offsets, strict=True):
            entity = models("onnx").get(self._labels[label])
            if entity is not None:
                yield Span(entity, None, start, end)


def _starts(n_tokens: int) -> Iterable[int]:
    return range(0, max(n_tokens - _OVERLAP, 1), _WINDOW - _OVERLAP) if n_tokens else ()
