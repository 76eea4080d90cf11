"""A rich synthetic report: invented numbers that fit together, no real data.

Run as a program it renders the examples under reports/examples.
"""

from __future__ import annotations

import dataclasses
from pathlib import Path

from privaudit.model import (
    Attack,
    ClassSizeTable,
    Clue,
    ColumnReport,
    Combination,
    Contained,
    Control,
    DatasetInfo,
    Estimate,
    Finding,
    GateResult,
    Limit,
    PolicyInfo,
    Rejected,
    Remedy,
    Report,
    Risk,
    ToolInfo,
    Verdict,
)

N = 10_000
SIZES = {
    1: 1204,
    2: 611,
    3: 350,
    4: 241,
    5: 160,
    7: 120,
    9: 71,
    12: 60,
    14: 31,
    18: 45,
    24: 20,
    33: 9,
    52: 2,
    80: 1,
    83: 3,
    107: 1,
}
HOSTILE = (
    "<script>alert(1)</script>",
    "[red]x[/]",
    "a|b",
    "::error::gone",
    "two\nlines",
    "\u202egnp.exe",
    "=cmd()",
    "\x1b[31mred\x1b[0m",
    "`code` *bold* _em_ [link](http://x) ![i](y) @user #1",
    '" onload="alert(1)',
    "{{ 7*7 }}{% raw %}",
    "  ",
)


def n_below(k: int) -> int:
    return sum(size * count for size, count in SIZES.items() if size < k)


def share(value: float, n: int = N, method: str = "exact", spread: float = 0.0) -> Estimate:
    low, high = max(0.0, value - spread), min(1.0, value + spread)
    return Estimate(value=value, low=low, high=high, level=1.0 if not spread else 0.95, n=n, method=method)


def column(
    name: str, kind: str = "text", role: str = "none", distinct: int = 20, **more: object
) -> ColumnReport:
    missing = int(more.pop("n_missing", 0))
    present = N - missing
    base = {
        "name": name,
        "kind": kind,
        "n_rows": N,
        "n_missing": missing,
        "n_distinct": distinct,
        "n_held_once": distinct // 3,
        "uniqueness": distinct / present if present else None,
        "entropy_bits": min(13.29, distinct**0.25 + 1.0),
        "length_min": 2,
        "length_max": 24,
        "length_mean": 8.5,
        "role": role,
        "role_because": ("the header and the values agree",),
    }
    return ColumnReport(**(base | more))  # type: ignore[arg-type]


def verdict(entity: str, value: float, *clues: tuple[str, str], detail: str | None = None) -> Verdict:
    evidence = tuple(Clue(kind=kind, because=because) for kind, because in clues)
    return Verdict(entity=entity, detail=detail, share=share(value), confidence=0.97, evidence=evidence)


def columns() -> tuple[ColumnReport, ...]:
    return (
        column(
            "full_name",
            role="direct",
            distinct=9_871,
            is_=verdict(
                "PERSON_NAME",
                0.994,
                ("header", "the name says so"),
                ("list", "9,340 of 9,871 distinct values hold a known given name"),
            ),
            role_because=("a name names a person alone",),
        ),
        column(
            "email",
            role="direct",
            distinct=9_998,
            n_missing=2,
            is_=verdict("EMAIL", 1.0, ("pattern", "every distinct value has the shape of an e-mail address")),
        ),
        column(
            "phone",
            role="direct",
            distinct=9_413,
            n_missing=530,
            is_=verdict("PHONE", 0.998, ("check-digit", "9,394 of 9,413 are possible numbers"), detail="ke"),
            rejected=(Rejected(entity="NATIONAL_ID", because="no more valid than with a digit changed"),),
        ),
        column(
            "date_of_birth",
            "date",
            "quasi",
            7_940,
            date_precision="day",
            is_=verdict("DATE_OF_BIRTH", 1.0, ("header", "birth"), ("type", "plausible dates of birth")),
        ),
        column("sex", role="quasi", distinct=2, is_=verdict("GENDER", 1.0, ("list", "two known codes"))),
        column(
            "postal_code",
            role="quasi",
            distinct=212,
            n_missing=41,
            geo_precision="postal",
            is_=verdict("POSTAL_CODE", 0.996, ("pattern", "five digits, 212 distinct")),
        ),
        column(
            "county",
            role="quasi",
            distinct=47,
            geo_precision="region",
            is_=verdict("COUNTY_REGION", 1.0, ("list", "47 of 47 are known counties")),
        ),
        column(
            "occupation",
            role="quasi",
            distinct=64,
            n_missing=318,
            is_=verdict("OCCUPATION", 0.91, ("list", "58 of 64 are known occupations")),
        ),
        column(
            "diagnosis",
            role="sensitive",
            distinct=118,
            is_=verdict("MEDICAL", 0.97, ("list", "112 of 118 are known conditions")),
        ),
        column(
            "claim_amount", "decimal", "sensitive", 8_321, is_=verdict("FINANCIAL", 1.0, ("header", "amount"))
        ),
        column(
            "notes",
            role="none",
            distinct=6_204,
            n_missing=3_100,
            words_mean=11.2,
            contains=(
                Contained(
                    entity="PHONE",
                    n_cells=37,
                    share=share(37 / 6_900, 6_900),
                    evidence=(Clue(kind="pattern", because="37 cells hold a possible number"),),
                ),
                Contained(
                    entity="PERSON_NAME",
                    n_cells=212,
                    share=share(0.0307, 2_000, "wilson", 0.0077),
                    evidence=(Clue(kind="model", because="61 of 2,000 sampled cells"),),
                ),
            ),
            role_because=("free text; what it contains is reported by itself",),
        ),
        column(
            "visit_no",
            "integer",
            "none",
            N,
            monotonic=True,
            is_=verdict("RECORD_ID", 1.0, ("shape", "a counter without gaps")),
        ),
        column(
            "scanner_image",
            "binary",
            "none",
            0,
            n_missing=N,
            uniqueness=None,
            entropy_bits=None,
            unassessed="binary cells cannot be read",
        ),
    )


def combination(
    names: tuple[str, ...], below: int, unique: int, classes: int, k_min: int = 1, minimal: bool = False
) -> Combination:
    return Combination(
        columns=names,
        n_classes=classes,
        k_min=k_min,
        n_unique=unique,
        share_unique=unique / N,
        n_below={"2": unique, "15": below},
        share_below_k=below / N,
        mean_class_size=N / classes,
        distinction=classes / N,
        separation=1 - 1 / classes,
        minimal=minimal,
        minimal_to=15 if minimal else k_min,
    )


def combinations() -> tuple[Combination, ...]:
    return (
        combination(("date_of_birth", "postal_code", "occupation"), 10_000, 9_988, 9_994),
        combination(("date_of_birth", "postal_code"), 9_996, 9_871, 9_930),
        combination(("date_of_birth", "sex"), 9_940, 6_310, 8_102, minimal=True),
        combination(("date_of_birth",), 9_871, 4_822, 7_940, minimal=True),
        combination(("postal_code", "occupation", "sex"), 5_904, 2_111, 4_460),
        combination(("postal_code", "occupation"), 4_301, 1_204, 3_207, minimal=True),
        combination(("county", "occupation"), 912, 88, 1_802, minimal=True),
        combination(("postal_code", "sex"), 105, 3, 424, minimal=True),
        combination(("occupation",), 7, 0, 64, k_min=7, minimal=True),
        combination(("sex",), 0, 0, 2, k_min=4_870),
    )


def risk() -> Risk:
    classes = sum(SIZES.values())
    mean = classes / N
    return Risk(
        quasi_identifiers=("date_of_birth", "sex", "postal_code", "county", "occupation"),
        sensitive=("diagnosis", "claim_amount"),
        missing="category",
        n_classes=classes,
        k_min=1,
        n_unique=SIZES[1],
        n_below={str(k): n_below(k) for k in (2, 3, 5, 10, 11, 15, 20)},
        share_below_k=n_below(15) / N,
        prosecutor_max=1.0,
        prosecutor_mean=mean,
        marketer=mean,
        share_at_risk={
            "0.05": n_below(20) / N,
            "0.1": n_below(10) / N,
            "0.2": n_below(5) / N,
            "0.33": n_below(4) / N,
            "0.5": n_below(2) / N,
        },
        class_sizes=ClassSizeTable(size=tuple(SIZES), count=tuple(SIZES.values())),
        diversity={
            "diagnosis": {
                "l_distinct": 1,
                "l_entropy": 1.0,
                "l_recursive": {"c": None, "l": 1},
                "t_closeness": {"equal": 0.412, "ordered": None},
                "alpha": 1.0,
                "beta_basic": 12.4,
                "beta_enhanced": 2.6,
                "delta_disclosure": 3.1,
                "homogeneous_classes": 1_391,
                "homogeneous_records": 1_660,
            }
        },
        marginal={
            "date_of_birth": {
                "n_unique_without": 96,
                "n_unique_added": 1_108,
                "n_below_added": {"2": 1_108, "15": 6_902},
                "n_classes_added": 2_310,
                "shapley": 801.5,
            },
            "sex": {
                "n_unique_without": 811,
                "n_unique_added": 393,
                "n_below_added": {"2": 393, "15": 611},
                "n_classes_added": 702,
                "shapley": 90.5,
            },
            "postal_code": {
                "n_unique_without": 604,
                "n_unique_added": 600,
                "n_below_added": {"2": 600, "15": 1_020},
                "n_classes_added": 803,
                "shapley": 201.0,
            },
            "county": {
                "n_unique_without": 1_204,
                "n_unique_added": 0,
                "n_below_added": {"2": 0, "15": 0},
                "n_classes_added": 0,
                "shapley": 20.0,
            },
            "occupation": {
                "n_unique_without": 804,
                "n_unique_added": 400,
                "n_below_added": {"2": 400, "15": 943},
                "n_classes_added": 644,
                "shapley": 91.0,
            },
        },
        special_uniques={
            "max_size": 3,
            "k": 2,
            "n_records": 2_204,
            "dis": 0.031,
            "dis_max": 0.41,
            "dis_fraction": 0.01,
            "msu_by_size": [9, 811, 2_410],
            "score_sum": 40_122,
            "score_max": 384,
            "contribution": {"date_of_birth": 71.2, "occupation": 33.9, "postal_code": 31.4},
            "fewer_than": {"15": {"msu_by_size": [122, 3_040, 4_118], "n_records": 3_377}},
            "by_value": {
                "date_of_birth": exposed(2_011, 1_702, 7_940, ()),
                "occupation": exposed(1_420, 61, 64, (211, 140, 96)),
                "postal_code": exposed(9, 4, 212, ()),
            },
        },
    )


def exposed(n_records: int, n_values: int, n_values_all: int, largest: tuple[int, ...]) -> dict[str, object]:
    return {
        "n_records": n_records,
        "n_values": n_values,
        "n_values_all": n_values_all,
        "n_values_common": len(largest),
        "largest": list(largest),
    }


def attack() -> Attack:
    return Attack(
        kind="linkage",
        knowledge=("date_of_birth", "sex", "postal_code"),
        n_targets=2_000,
        n_auxiliary=26_000,
        n_unmatched=22_212,
        n_ambiguous=2_460,
        n_unique=1_328,
        n_mutual=1_140,
        expected_correct=1_193.4,
        n_correct=1_171,
        success=share(0.5855, 2_000, "wilson", 0.0216),
        baseline=0.0004,
        control=0.011,
        advantage=share(0.5809, 2_000, "wilson", 0.0222),
        n_release=N,
        n_release_linked=2_871,
        n_verbatim=0,
        n_control=24_000,
        precision=share(0.882, 1_328, "wilson", 0.018),
        reasons={"date_of_birth": "both are dates of birth, compared as dates", "sex": "both are sexes"},
        mapping={"date_of_birth": "dob", "sex": "gender", "postal_code": "zip"},
    )


def finding(
    code: str,
    name: str,
    severity: str,
    subject: tuple[str, ...],
    message: str,
    people: int | None,
    **more: object,
) -> Finding:
    base = {
        "code": code,
        "name": name,
        "subject": subject,
        "severity": severity,
        "confidence": 0.97,
        "message": message,
        "measure": "class.k_min",
        "observed": 1,
        "limit": 15,
        "n_people": people,
        "n_total": None if people is None else N,
        "fingerprint": f"{code.lower()}-{'-'.join(subject)}",
    }
    return Finding(**(base | more))  # type: ignore[arg-type]


def findings() -> tuple[Finding, ...]:
    return (
        finding(
            "PII001",
            "direct-identifier-in-clear",
            "critical",
            ("full_name",),
            "full_name names 9,940 of 10,000 people (99.4 %) in clear.",
            9_940,
            measure="pii.rate",
            observed=0.994,
            limit=0.05,
        ),
        finding(
            "PII001",
            "direct-identifier-in-clear",
            "critical",
            ("email",),
            "email names 9,998 of 10,000 people (> 99.9 %) in clear.",
            9_998,
            measure="pii.rate",
            observed=1.0,
            limit=0.05,
        ),
        finding(
            "LNK001",
            "auxiliary-table-links",
            "critical",
            ("date_of_birth", "sex", "postal_code"),
            "1,171 of 2,000 targets (59 %) were linked to the right person; guessing gets 0.04 %.",
            1_171,
            n_total=2_000,
            measure="attack.linkage.correct",
            observed=0.6071,
            limit=0.05,
        ),
        finding(
            "QI001",
            "smallest-class-too-small",
            "high",
            ("date_of_birth", "sex", "postal_code", "county", "occupation"),
            "The smallest class holds 1 person; the policy asks for 15.",
            1_204,
        ),
        finding(
            "QI002",
            "too-many-records-in-small-classes",
            "high",
            ("date_of_birth", "sex", "postal_code", "county", "occupation"),
            f"{n_below(15):,} of 10,000 people look like fewer than 14 others.",
            n_below(15),
            measure="class.share_below",
            observed=n_below(15) / N,
            limit=0.0,
        ),
        finding(
            "PII002",
            "scattered-direct-identifiers",
            "high",
            ("notes",),
            "37 cells of notes hold a phone number.",
            37,
            measure="pii.rate",
            observed=0.0054,
            limit=0.001,
        ),
        finding(
            "DAT001",
            "date-finer-than-year",
            "medium",
            ("date_of_birth",),
            "date_of_birth is given to the day; the policy allows the year.",
            None,
            measure="column.date_precision",
            observed="day",
            limit="year",
        ),
        finding(
            "SEN001",
            "homogeneous-class",
            "high",
            ("diagnosis",),
            "For 1,660 of 10,000 people everybody in the class has the same diagnosis.",
            1_660,
            measure="diversity.l_distinct",
            observed=1,
            limit=3,
        ),
        finding(
            "PSN001",
            "key-like-pseudonym",
            "medium",
            ("visit_no",),
            "visit_no tells every row apart.",
            N,
            measure="column.uniqueness",
            observed=1.0,
            limit=0.99,
            status="accepted",
        ),
        finding(
            "QI005",
            "outlier-value",
            "medium",
            ("occupation",),
            "7 people hold occupations that fewer than 15 people have.",
            7,
        ),
    )


def controls() -> tuple[Control, ...]:
    def control(
        framework: str, key: str, title: str, state: str, found: tuple[str, ...], why: str, source: str
    ) -> Control:
        return Control(
            framework=framework,
            id=key,
            title=title,
            requirement=f"{title}, in own words.",
            state=state,
            findings=found,
            why=why,
            source=source,
            verified="secondary",
        )  # type: ignore[arg-type]

    return (
        control(
            "wp216",
            "WP216-SO",
            "Singling out",
            "contradicted",
            ("QI001", "QI002"),
            "1,204 people stand alone.",
            "Opinion 05/2014, 2.2.2",
        ),
        control(
            "wp216",
            "WP216-LK",
            "Linkability",
            "contradicted",
            ("LNK001",),
            "An auxiliary table links.",
            "Opinion 05/2014, 2.2.2",
        ),
        control("wp216", "WP216-IN", "Inference", "contradicted", ("SEN001",), "", "Opinion 05/2014, 2.2.2"),
        control(
            "wp216",
            "WP216-RES",
            "Reassess the residual risk",
            "human",
            (),
            "A person sets the review.",
            "Opinion 05/2014, 2.2.3",
        ),
        control(
            "hipaa-safe-harbor",
            "HIPAA-b2i-A",
            "Names",
            "contradicted",
            ("PII001",),
            "",
            "45 CFR 164.514(b)(2)(i)(A)",
        ),
        control(
            "hipaa-safe-harbor",
            "HIPAA-b2i-E",
            "Fax numbers",
            "supported",
            (),
            "0 of 10,000 scanned cells; at most 0.03 % (95 %).",
            "45 CFR 164.514(b)(2)(i)(E)",
        ),
        control(
            "hipaa-safe-harbor",
            "HIPAA-b2i-Q",
            "Full-face photographs",
            "not_measured",
            (),
            "Binary columns were not assessed.",
            "45 CFR 164.514(b)(2)(i)(Q)",
        ),
    )


def effect(k_min: int, unique: int, below: int, records: int = N) -> dict[str, float | int]:
    share_below = below / N
    return {
        "k_min": k_min,
        "n_unique": unique,
        "n_below_k": below,
        "share_below_k": share_below,
        "n_records": records,
    }


def remedy(
    technique: str,
    names: tuple[str, ...],
    text: str,
    after: dict[str, float | int],
    cost: float,
    resolves: tuple[str, ...],
    **parameters: object,
) -> Remedy:
    return Remedy(
        technique=technique,
        columns=names,
        parameters=parameters,
        text=text,
        before=effect(1, SIZES[1], n_below(15)),
        after=after,
        utility_cost=cost,
        cost_measure="non-uniform entropy lost, mean over the quasi-identifiers",
        resolves=resolves,
    )


def effect_words(k: int, below: int, kept: int) -> str:
    return f"smallest class 1 → {k}, records sharing with fewer than 15: 7,873 → {below:,}, kept {kept} %"


def plan() -> Remedy:
    rounded = {"column": "date_of_birth", "technique": "round_date", "parameters": {"precision": "decade"}}
    cut = {"column": "postal_code", "technique": "prefix", "parameters": {"keep": 2}}
    text = (
        "together: date_of_birth → rounded to the decade; postal_code → first 2 characters; then 143 records in "
        "classes below 15 left out: "
    )
    return remedy(
        "plan",
        ("date_of_birth", "postal_code"),
        text + effect_words(15, 0, 61),
        effect(15, 0, 0, N - 143),
        0.39,
        ("QI001", "QI002", "QI003", "QI005", "DAT001"),
        steps=[rounded | {"after": effect(1, 61, 2_911)}, cut | {"after": effect(4, 0, 143)}],
        n_suppressed=143,
        suppress_below=15,
    )


def advice() -> tuple[Remedy, ...]:
    same = effect(1, SIZES[1], n_below(15))
    masked = "phone → masked, so that only the kind and a rough length remain"
    year = "date_of_birth → rounded to the year: " + effect_words(1, 5_911, 88)
    without = "7,873 records in classes below 15 left out: " + effect_words(15, 0, 21)
    none_left = effect(15, 0, 0, N - 7_873)
    return (
        remedy("drop", ("full_name",), "full_name → dropped", same, 0.0, ("PII001",)),
        remedy("drop", ("email",), "email → dropped", same, 0.0, ("PII001",)),
        remedy("mask", ("phone",), masked, same, 0.0, ("PII001",)),
        plan(),
        remedy(
            "round_date", ("date_of_birth",), year, effect(1, 402, 5_911), 0.12, ("DAT001",), precision="year"
        ),
        remedy(
            "drop",
            ("occupation",),
            "occupation → dropped: " + effect_words(1, 6_930, 80),
            effect(1, 804, 6_930),
            0.2,
            (),
        ),
        remedy("suppress_records", (), without, none_left, 0.79, ("QI001", "QI002", "QI003")),
    )


def policy() -> PolicyInfo:
    return PolicyInfo(
        name="public",
        title="Public release, medium sensitivity",
        k=15,
        probability=0.075,
        share_below_k=0.0,
        uniques=0,
        l=3,
        t=None,
        attack_advantage=0.05,
        date="year",
        geo="region",
        fail_on="high",
        origins={
            "k": "Ontario IPC 2025, medium: 0.075 goes with 15",
            "probability": "Ontario IPC 2025",
            "share_below_k": "product default",
            "l": "product default",
            "attack_advantage": "product default",
        },
    )


def rich_report(**changes: object) -> Report:
    """Return the sample, with fields replaced by `changes`."""
    report = Report(
        tool=ToolInfo(
            name="privaudit",
            version="0.1.0",
            versions={"duckdb": "2.0.0", "spacy model": "en_core_web_sm 3.8.0", "rules": "2026.1"},
        ),
        generated_at="2026-01-15T09:30:00Z",
        seed=7,
        command="privaudit scan claims.csv --auxiliary voters.csv --seed 7 -o report.html",
        dataset=DatasetInfo(
            name="claims.csv",
            fingerprint="5f1d0c3ab7e94cf2",
            format="csv",
            engine="duckdb",
            n_rows=N,
            n_columns=13,
        ),
        policy=policy(),
        columns=columns(),
        combinations=combinations(),
        risk=risk(),
        attacks=(attack(),),
        findings=findings(),
        controls=controls(),
        advice=advice(),
        limits=(
            Limit(what="scanner_image", why="binary cells cannot be read", incomplete=True),
            Limit(
                what="population",
                why="no population table or size was given, so journalist risk was not measured",
            ),
            Limit(
                what="names in notes",
                why="the language model read 2,000 of 6,204 distinct cells, English only",
            ),
        ),
        gate_=GateResult(
            passed=False,
            exit_code=3,
            reasons=("scanner_image was not assessed", "PII001 is critical, the gate fails from high"),
        ),
        timings={"source": 0.21, "profile": 0.1, "detect": 0.9, "risk": 0.2},
    )
    return dataclasses.replace(report, **changes)  # type: ignore[arg-type]


def bare_report(n_rows: int = 1, n_columns: int = 1) -> Report:
    """Return the emptiest report there can be: nothing measured but one column."""
    only = ColumnReport(
        name="a",
        kind="empty",
        n_rows=n_rows,
        n_missing=n_rows,
        n_distinct=0,
        n_held_once=0,
        uniqueness=None,
        entropy_bits=None,
        role="none",
    )
    return rich_report(
        dataset=DatasetInfo(
            name="a.csv", fingerprint="0", format="csv", engine="duckdb", n_rows=n_rows, n_columns=n_columns
        ),
        columns=(only,) * n_columns,
        combinations=(),
        risk=None,
        attacks=(),
        findings=(),
        controls=(),
        advice=(),
        limits=(),
        gate_=GateResult(passed=True, exit_code=0),
        timings={},
        command="",
        generated_at="",
        policy=dataclasses.replace(policy(), origins={}),
    )


def wide_report(n_columns: int) -> Report:
    """Return the sample with `n_columns` columns."""
    base = columns()
    many = tuple(dataclasses.replace(base[i % len(base)], name=f"column_{i}") for i in range(n_columns))
    return rich_report(columns=many)


def hostile_report() -> Report:
    """Return a report in which every free text is an attempt at breaking out of a format."""
    nasty = " ".join(HOSTILE)
    cols = tuple(
        column(name, role=role)
        for name, role in zip(HOSTILE, ("direct", "quasi", "sensitive", "none") * 3, strict=True)
    )
    sets = tuple(combination((HOSTILE[0], name), 12, 3, 99) for name in HOSTILE)
    names = {
        "quasi_identifiers": HOSTILE,
        "sensitive": HOSTILE,
        "diversity": {name: {"homogeneous_records": 4, name: name} for name in HOSTILE},
    }
    return rich_report(
        dataset=DatasetInfo(
            name=nasty, fingerprint=nasty, format=nasty, engine=nasty, n_rows=N, n_columns=len(cols)
        ),
        columns=cols,
        combinations=sets,
        risk=dataclasses.replace(risk(), **names),  # type: ignore[arg-type]
        findings=tuple(
            finding("QI001", "smallest-class-too-small", "high", (name,), name, 3) for name in HOSTILE
        ),
        attacks=(dataclasses.replace(attack(), knowledge=HOSTILE, mapping={name: name for name in HOSTILE}),),
        advice=tuple(
            remedy(name, (name,), name, {"k_min": 2, "share_below_k": 0.1}, 0.2, (name,)) for name in HOSTILE
        ),
        limits=tuple(Limit(what=name, why=name) for name in HOSTILE),
        command=nasty,
        gate_=GateResult(passed=False, exit_code=1, reasons=HOSTILE),
    )


def main() -> None:
    """Render the examples."""
    from privaudit import report

    folder = Path(__file__).resolve().parents[2] / "reports" / "examples"
    for suffix in report.FORMATS:
        report.write(rich_report(), folder / f"example.{suffix}")


if __name__ == "__main__":
    main()
