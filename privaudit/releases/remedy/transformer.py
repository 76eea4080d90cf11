"""A transformer for scikit-learn: a plan that is learned on one table and applied to the next.

Question: how is the input of a model remedied in the same way at training and at prediction?
Method: `fit` scans the table and takes the plan of `privaudit.plan`, or a given one. It keeps what the techniques need
of the table: which values are frequent, whether numbers are integers, mean and quantiles. `transform` applies the steps
that map values or invent them.
Limits: steps that remove records or rename columns are omitted, because a prediction needs every record and a model its
columns; steps that draw or mix values
are refused, except those that invent values for each record. Whether a table passes the gate is decided by
`privaudit.remedy`, not here.
"""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from dataclasses import KW_ONLY, dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from privaudit.advice.technique import Column, Context, Hierarchy, technique
from privaudit.base.arrays import Ints
from privaudit.base.arrow import pa, pc
from privaudit.base.errors import ConfigError
from privaudit.base.extras import LEARN, needing
from privaudit.releases.remedy.middles import middles
from privaudit.releases.remedy.plan import RENAME, Plan, Step, check, with_dropped
from privaudit.releases.remedy.run import make_plan
from privaudit.releases.remedy.task import Task
from privaudit.risk.codes.coded import encode_column
from privaudit.settings.config import Settings
from privaudit.settings.config import check as check_settings
from privaudit.source.cells.cell_text import to_text

with needing(LEARN, "A transformer for scikit-learn"):
    from sklearn.base import BaseEstimator, TransformerMixin
    from sklearn.utils.validation import check_is_fitted, validate_data


@dataclass(frozen=True)
class _Learned:
    """A step, and the column that it was learned on; None where the step needs nothing of a table but the record."""

    step: Step
    column: Column | None = None


@dataclass(eq=False, repr=False)
class RemedyTransformer(TransformerMixin, BaseEstimator):  # type: ignore[misc]
    """Apply the remedies of a plan to the columns of a table.

    Parameters
    ----------
    plan : "auto", path, list of steps or Plan
        "auto" is the plan of least loss that a scan of the table measures.
    policy : str
        The policy under which the plan is made.
    keep, drop : several column names
        Columns that the plan must not drop, and that it drops in any case.
    key : path, optional
        Key file for tokens; a random key that lives as long as the transformer where absent.
    settings : mapping, optional
        Further settings of the scan, as for `privaudit.scan`.

    Attributes
    ----------
    plan_ : Plan
        The plan that was learned or given.
    feature_names_in_, n_features_in_ : as in scikit-learn

    Notes
    -----
    For a pandas frame, `transform` returns a frame: columns that no step changes as they are, others as text. For an
    array it returns an array of numbers where all columns are numbers, bands counted by their middle; else one of
    objects.
    """

    plan: Any = "auto"
    _: KW_ONLY
    policy: str = "public"
    keep: Any = ()
    drop: Any = ()
    key: str | Path | None = None
    settings: Mapping[str, Any] | None = None

    def __sklearn_tags__(self) -> Any:
        """Return what kinds of input are taken: texts and missing cells too."""
        tags = super().__sklearn_tags__()
        tags.input_tags.string = True
        tags.input_tags.categorical = True
        tags.input_tags.allow_nan = True
        return tags

    def fit(self, X: Any, y: Any = None) -> RemedyTransformer:
        """Learn the plan on a table.

        Raises
        ------
        ConfigError
            If a step of the plan draws or mixes values.
        """
        table = self._table(X, reset=True)
        self.plan_, hierarchies = self._plan(table)
        check(self.plan_, table.column_names, "the table")
        self._key = self._secret()
        self._hierarchies = hierarchies
        self._learned: list[_Learned] = []
        for step in self.plan_.steps:
            how = technique(step.technique)
            if how.scope == "records" or step.technique == RENAME:
                continue
            if how.recode is None and not how.invents:
                raise ConfigError(f'"{step.technique}" cannot be applied to the records of another table.')
            if step.technique != "drop":
                self._learned.append(_Learned(step) if how.recode is None else _learned(step, table))
                table = self._applied(table, self._learned[-1])
        self._names = [name for name in table.column_names if name not in self.plan_.dropped]
        self._numeric = [middles(*encode_column(table[name])) is not None for name in self._names]
        return self

    def transform(self, X: Any) -> Any:
        """Return the table after the steps that map values."""
        check_is_fitted(self, "plan_")
        table = self._table(X, reset=False)
        for learned in self._learned:
            table = self._applied(table, learned)
        if hasattr(X, "iloc"):
            changed = {*self.plan_.changed, *(name for step in self.plan_.steps for name in step.made)}
            columns = {n: table[n].to_pandas().to_numpy() if n in changed else X[n].to_numpy() for n in self._names}
            return type(X)(columns, index=X.index)
        return self._array(table)

    def get_feature_names_out(self, input_features: Any = None) -> npt.NDArray[np.object_]:
        """Return the names of the columns that are left."""
        check_is_fitted(self, "plan_")
        return np.asarray(self._names, dtype=object)

    def _array(self, table: pa.Table) -> npt.NDArray[Any]:
        made = []
        for name, is_number in zip(self._names, self._numeric, strict=True):
            codes, words = encode_column(table[name])
            found = middles(codes, words) if is_number else None
            if is_number and found is None:
                found = np.full(len(codes), np.nan)
            made.append(found if found is not None else np.array([*words.to_pylist(), None], dtype=object)[codes])
        if not made:
            return np.empty((table.num_rows, 0))
        return np.column_stack(made) if all(self._numeric) else np.column_stack([c.astype(object) for c in made])

    def _table(self, X: Any, *, reset: bool) -> pa.Table:
        """Return the input as a table of texts."""
        if hasattr(X, "iloc"):
            validate_data(self, X, reset=reset, skip_check_array=True)
            names, columns = list(map(str, X.columns)), [X.iloc[:, i] for i in range(X.shape[1])]
        else:
            values = validate_data(self, X, reset=reset, dtype=None, ensure_all_finite=False)
            names, columns = [f"x{i}" for i in range(values.shape[1])], list(values.T)
        if reset:
            self._columns = names
        texts = [to_text(pa.chunked_array([_arrow(column)]))[0] for column in columns]
        return pa.table([text.cast(pa.string()) for text in texts], names=self._columns)

    def _plan(self, table: pa.Table) -> tuple[Plan, Mapping[str, Hierarchy]]:
        from privaudit.releases.remedy.result import plan_of

        given = plan_of(self.plan)
        if given is None:
            options = {
                "framework": (),
                "method": "full-domain",  # regions and parts are of the records of one table
                **(self.settings or {}),
                "policy": self.policy,
                "keep": tuple(self.keep),
            }
            settings = Settings(**check_settings(options, where="the settings of the transformer"))
            task = Task(source=table, settings=settings, drop=tuple(self.drop), reports=False, is_described=False)
            given = make_plan(task).plan
        else:
            given = with_dropped(given, [name for name in self.drop if name not in given.dropped])
        return given, _hierarchies(given, table)

    def _secret(self) -> bytes:
        from privaudit.advice.technique.key_file import read_key

        return secrets.token_bytes(32) if self.key is None else read_key(self.key)

    def _applied(self, table: pa.Table, learned: _Learned) -> pa.Table:
        step = learned.step
        how, parameters = technique(step.technique), dict(step.parameters)
        if "key" in how.parameters and parameters.get("key", "once") == "once":
            parameters["key"] = "file"  # one key for all tables of this transformer
        if learned.column is None:
            assert how.apply is not None, "a technique has one of the two functions"
            context = Context(random=np.random.default_rng(secrets.randbits(256)), key=self._key)
            return how.apply(table, {**parameters, "columns": step.columns}, context)
        (name,) = step.columns
        codes, dictionary = encode_column(table[name])
        column, place = _with_values(learned.column, dictionary)
        column = replace(column, hierarchy=self._hierarchies.get(name), key=self._key)
        assert how.recode is not None, "checked when fitted"
        made = how.recode(column, parameters)
        cells = made.labels().take(made.lookup[place[codes]])
        at = table.column_names.index(name)
        return table.add_column(at + 1, step.made[0], cells) if step.made else table.set_column(at, name, cells)


def _learned(step: Step, table: pa.Table) -> _Learned:
    column = Column.coded(step.columns[0], *encode_column(table[step.columns[0]]))
    return _Learned(step, replace(column, whole=column.is_whole))


def _with_values(learned: Column, dictionary: pa.Array) -> tuple[Column, Ints]:
    """Return the learned column with the values of another table, and the code of each of these and of a missing cell.

    A value that the column did not have has no records. Groups depend on all values, so those that the other table
    lacks are kept.
    """
    at = pc.index_in(dictionary, learned.dictionary.cast(dictionary.type))
    new = dictionary.filter(pc.is_null(at))
    words = pa.concat_arrays([learned.dictionary.cast(dictionary.type), new])
    counts = np.concatenate([learned.counts[:-1], np.zeros(len(new) + 1, dtype=np.int64)])
    place = np.append(at.fill_null(-1).to_numpy(zero_copy_only=False).astype(np.int64), len(words))
    place[:-1][place[:-1] < 0] = np.arange(len(learned), len(words))
    return replace(learned, dictionary=words, counts=counts), place


def _hierarchies(plan: Plan, table: pa.Table) -> Mapping[str, Hierarchy]:
    from privaudit.advice.recodings.hierarchy import read_hierarchies

    return read_hierarchies(plan.hierarchies, table.column_names, Settings(), table="the table")


def _arrow(column: Any) -> pa.Array:
    """Return a column as Arrow; objects of mixed types as text."""
    try:
        return pa.Array.from_pandas(column)
    except (pa.ArrowException, TypeError, ValueError):
        return pa.array([None if cell is None or cell != cell else str(cell) for cell in column], pa.string())
