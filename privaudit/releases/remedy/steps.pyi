from typing import Any

from privaudit.releases.remedy.plan import Step

def add_noise(
    columns: str | list[str],
    *,
    share: float,
    correlated: bool | None = None,
    keep_spread: bool | None = None,
) -> Step: ...
def band(
    column: str,
    *,
    width: float,
    origin: float | None = None,
    under: float | None = None,
    over: float | None = None,
) -> Step: ...
def bottom_code(
    column: str,
    *,
    at: float,
    held_by_at_least: int | None = None,
    write: str | None = None,
) -> Step: ...
def cut(
    column: str,
    *,
    bands: int | None = None,
    edges: list[float] | None = None,
    quantiles: int | None = None,
    closed: str | None = None,
    labels: list[str] | None = None,
    into: str | None = None,
) -> Step: ...
def drop(
    column: str,
) -> Step: ...
def encrypt_digits(
    column: str,
    *,
    key: str,
    domain: str | None = None,
    check_digit: str | None = None,
) -> Step: ...
def fake_city(
    columns: str | list[str],
    *,
    shares: dict[str, float] | None = None,
    locale: str | None = None,
    person: str | None = None,
    key: str | None = None,
) -> Step: ...
def fake_date(
    columns: str | list[str],
    *,
    earliest: str,
    latest: str,
    person: str | None = None,
    key: str | None = None,
) -> Step: ...
def fake_email(
    columns: str | list[str],
    *,
    names: str,
    person: str | None = None,
    key: str | None = None,
) -> Step: ...
def fake_id(
    columns: str | list[str],
    *,
    form: str | None = None,
    person: str | None = None,
    key: str | None = None,
) -> Step: ...
def fake_names(
    columns: str | list[str],
    *,
    parts: list[str] | None = None,
    gender: str | None = None,
    unique: bool | None = None,
    locale: str | None = None,
    locales: list[str] | None = None,
    person: str | None = None,
    key: str | None = None,
) -> Step: ...
def fake_phone(
    columns: str | list[str],
    *,
    locale: str | None = None,
    unique: bool | None = None,
    person: str | None = None,
    key: str | None = None,
) -> Step: ...
def group_values(
    column: str,
    *,
    below: int,
    rare: int | None = None,
) -> Step: ...
def hierarchy_level(
    column: str,
    *,
    level: int | None = None,
    public: str | None = None,
    mapping: dict[str, str | list[str]] | None = None,
    unknown: str | None = None,
    into: str | None = None,
    of: int | None = None,
) -> Step: ...
def keep_records(
    *,
    where: str,
) -> Step: ...
def mask(
    column: str,
    *,
    length: int | None = None,
) -> Step: ...
def mask_text(
    columns: str | list[str],
    *,
    names: bool | None = None,
    entity: str | None = None,
) -> Step: ...
def merge_rare(
    column: str,
    *,
    below: int,
) -> Step: ...
def microaggregate(
    columns: str | list[str],
    *,
    k: int,
) -> Step: ...
def mondrian(
    columns: str | list[str],
    *,
    below: int,
    people: str | None = None,
    distinct: dict[str, float] | None = None,
    distance: dict[str, float] | None = None,
    entropy: dict[str, float] | None = None,
    recursive_c: dict[str, float] | None = None,
    recursive_l: dict[str, float] | None = None,
    importance: dict[str, float] | None = None,
    base: list[dict[str, Any]] | None = None,
) -> Step: ...
def partial_mask(
    column: str,
    *,
    first: int | None = None,
    last: int | None = None,
) -> Step: ...
def pca_mask(
    columns: str | list[str],
    *,
    components: int | None = None,
    scale: bool | None = None,
    one_hot: list[str] | None = None,
) -> Step: ...
def pram(
    columns: str | list[str],
    *,
    keep: float,
    redraw: str | None = None,
    categories: list[str] | None = None,
) -> Step: ...
def prefix(
    column: str,
    *,
    characters_kept: int,
) -> Step: ...
def pseudonymise(
    column: str,
    *,
    key: str,
    domain: str | None = None,
    form: str | None = None,
    with_key_id: bool | None = None,
    ignore_case: bool | None = None,
) -> Step: ...
def rank_swap(
    columns: str | list[str],
    *,
    share: float,
) -> Step: ...
def recode_locally(
    columns: str | list[str],
    *,
    parts: list[dict[str, Any]],
    below: int,
    people: str | None = None,
    distinct: dict[str, float] | None = None,
    distance: dict[str, float] | None = None,
    entropy: dict[str, float] | None = None,
    recursive_c: dict[str, float] | None = None,
    recursive_l: dict[str, float] | None = None,
) -> Step: ...
def rename_columns(
    columns: str | list[str] | None = None,
    *,
    to: list[str] | None = None,
) -> Step: ...
def renumber(
    columns: str | list[str],
) -> Step: ...
def round_date(
    column: str,
    *,
    precision: str,
) -> Step: ...
def round_number(
    column: str,
    *,
    base: float,
) -> Step: ...
def sample_distribution(
    columns: str | list[str],
    *,
    within_range: bool | None = None,
    low: float | str | None = None,
    high: float | str | None = None,
    family: str | None = None,
) -> Step: ...
def sample_records(
    *,
    share: float,
) -> Step: ...
def sample_shares(
    columns: str | list[str],
    *,
    shares: dict[str, float] | None = None,
) -> Step: ...
def shift_dates(
    columns: str | list[str],
    *,
    person: str,
    days: int,
    key: str,
) -> Step: ...
def suppress_cells(
    columns: str | list[str],
    *,
    below: int,
    importance: dict[str, float] | None = None,
    matches: str | None = None,
) -> Step: ...
def suppress_incomplete(
    *,
    missing_in: list[str] | None = None,
) -> Step: ...
def suppress_records(
    *,
    classes_over: list[str] | None = None,
    where: str | None = None,
    below: int | None = None,
    people: str | None = None,
    distinct: dict[str, float] | None = None,
    distance: dict[str, float] | None = None,
    entropy: dict[str, float] | None = None,
    recursive_c: dict[str, float] | None = None,
    recursive_l: dict[str, float] | None = None,
    k_map: int | None = None,
) -> Step: ...
def threshold(
    column: str,
    *,
    at: float | None = None,
    by: str | None = None,
    labels: list[str] | None = None,
    into: str | None = None,
) -> Step: ...
def top_code(
    column: str,
    *,
    at: float,
    held_by_at_least: int | None = None,
    write: str | None = None,
) -> Step: ...
