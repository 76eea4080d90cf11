"""The section on attacks: the assumed attackers, and what each simulated attack achieves.

Question: what does an attacker with the given knowledge gain over guessing?
Method: one card per attack with success, guessing, control and advantage; highest advantage first.
Limits: success is correct re-identification where the true matches are given, else the expected number.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from privaudit.model import Attack, AttackDetail, LinkageDetail, MeasuredDetail, Report
from privaudit.model.wording import WITHHELD, Columns, Count, Listing, Threshold, Value, Wording, listing
from privaudit.model.wording.catalogue import position
from privaudit.report.charts import attack_curves, bars
from privaudit.report.charts.draw import Chart
from privaudit.report.escape import name
from privaudit.report.sections.columns import estimate
from privaudit.report.sentences import View, sentence, shown

MOST_ATTACKS = 40
CERTAIN = "base-is-certain"
"""How the method of an advantage begins that is not defined."""


def attacks(report: Report, wording: Wording) -> View:
    """Return the section on attacks, the highest advantage first."""
    found = ranked(report, wording)
    rows = [_attack(attack, wording) for attack in found[:MOST_ATTACKS]]
    return {
        "rows": rows,
        "cards": _cards(rows),
        "n_hidden": max(0, len(found) - MOST_ATTACKS),
        "note": sentence(wording, "report.attacks_note", limit=Threshold(report.policy.attack_advantage)),
        "models": _models(report, wording),
    }


def _cards(rows: Sequence[View]) -> list[View]:
    """Return the attacks, those that differ only in the columns that are guessed as rows below the first of them."""
    cards: dict[str, View] = {}
    for row in rows:
        if row["secret"] and row["same"] in cards:
            cards[row["same"]]["further"].append(row)
        else:
            cards[row["same"] if row["secret"] else row["kind"]] = {**row, "further": []}
    return list(cards.values())


def ranked(report: Report, wording: Wording) -> list[Attack]:
    """Return the attacks: first the one of each kind with the highest advantage, then the second of each, and so on.

    A table with many sensitive columns has as many attacks of one kind, which would hide the others. The public edition
    keeps their order, which shows nothing.
    """
    if wording.public:
        return list(report.attacks)
    before: Counter[str] = Counter()
    places: list[tuple[int, int, Attack]] = []
    for attack in sorted(report.attacks, key=lambda attack: -attack.advantage.high):
        places.append((before[attack.name], len(places), attack))
        before[attack.name] += 1
    return [attack for _, _, attack in sorted(places, key=lambda place: place[:2])]


def _models(report: Report, wording: Wording) -> list[View]:
    """Return the attackers that were assumed, and which of them were measured."""
    risk = report.risk
    journalist = risk is not None and risk.journalist_max is not None
    rows = (
        ("Prosecutor", sentence(wording, "report.prosecutor_knows"), risk is not None),
        ("Journalist", sentence(wording, "report.journalist_knows"), journalist),
        ("Marketer", sentence(wording, "report.marketer_knows"), risk is not None),
        (
            "Linkage",
            sentence(wording, "report.linkage_knows"),
            any(attack.name == "linkage" for attack in report.attacks),
        ),
        (
            "Register",
            sentence(wording, "report.register_knows"),
            any(attack.name == "register" for attack in report.attacks),
        ),
    )
    return [
        {"who": who, "knows": knows, "state": "measured" if measured else "not measured"}
        for who, knows, measured in rows
    ]


def _attack(attack: Attack, wording: Wording) -> View:
    detail = attack.detail
    return {
        "kind": name(title(attack, wording), 80),
        "same": name(_how(attack, wording), 80),
        "secret": _secret(attack),
        "knows": listing((name(known) for known in attack.knowledge), 12) or "nothing",
        "attacker": "" if attack.attacker is None else shown(wording, attack.attacker, 600),
        "assumptions": [shown(wording, assumption) for assumption in attack.assumptions],
        "mapping": _linkage_mapping(detail, wording) if isinstance(detail, LinkageDetail) else [],
        **(_published(attack, wording) if wording.public else _results(attack, wording)),
    }


def title(attack: Attack, wording: Wording) -> str:
    """Return the name of an attack with how the attacker decides and which columns are the secret."""
    return ", ".join(filter(None, (_how(attack, wording), _secret(attack))))


def _how(attack: Attack, wording: Wording) -> str:
    words = [sentence(wording, f"attacks.title_{attack.name}")]
    if attack.method != attack.kind:
        words.append(sentence(wording, f"attacks.method_{attack.method}"))
    return ", ".join(words)


def _secret(attack: Attack) -> str:
    """Return the columns that an attack guesses; nothing for an attack on records."""
    return listing(map(name, attack.detail.secrets), 3) if isinstance(attack.detail, MeasuredDetail) else ""


def _published(attack: Attack, wording: Wording) -> View:
    """Return what the public edition shows: rounded shares of a comparison with outsiders, of other attacks nothing.

    That an attack with facts about a person succeeds shows that records are unique.
    """
    shares = {"success": estimate(attack.success, wording), "control": estimate(attack.control_rate, wording)}
    outcome = sentence(wording, f"report.attack_outcome_{'rounded' if all(shares.values()) else 'withheld'}")
    withheld = dict.fromkeys(("success", "baseline", "control", "advantage"), WITHHELD)
    return {"outcome": outcome, "counts": [], "chart": None, **withheld, **(shares if all(shares.values()) else {})}


def _results(attack: Attack, wording: Wording) -> View:
    total, detail = attack.n_targets, attack.detail
    return {
        "outcome": outcome(attack, wording),
        "success": estimate(attack.success, wording),
        "baseline": wording.share(attack.baseline, total),
        "control": _control(attack, wording),
        "advantage": _advantage(attack, wording),
        "counts": _counts(attack, detail, wording),
        "chart": _chart(attack, wording),
    }


def _advantage(attack: Attack, wording: Wording) -> str:
    if attack.advantage.method.startswith(CERTAIN):
        return sentence(wording, "report.advantage_undefined")
    return estimate(attack.advantage, wording)


def _chart(attack: Attack, wording: Wording) -> Chart | None:
    detail = attack.detail
    if not isinstance(detail, MeasuredDetail) or not detail.curves or detail.picture == "rates":
        return bars.attack(attack, wording)
    return (attack_curves.known if detail.picture == "known" else attack_curves.roc)(detail, wording)


def _counts(attack: Attack, detail: AttackDetail | None, wording: Wording) -> list[dict[str, str]]:
    if isinstance(detail, LinkageDetail):
        return _linkage_counts(attack, detail, wording)
    if detail is None:
        return []
    rows = [("Targets (members)", wording.count(attack.n_targets))]
    if attack.n_outsiders is not None:
        rows.append(("Outsiders", wording.count(attack.n_outsiders)))
    coded = sorted(_named(detail), key=lambda each: position(each[0]))
    rows += [(sentence(wording, code), wording.value(value)) for code, value in coded]
    return [{"label": label, "value": value} for label, value in rows]


def _named(detail: MeasuredDetail) -> Iterator[tuple[str, Value]]:
    """Yield the measures with the codes of their names, which are listed in the order of the catalogue."""
    for key, value in detail.measures.items():
        if not isinstance(value, Listing):  # several sets of columns, for report.json
            yield f"attacks.measured_{key}", value


def outcome(attack: Attack, wording: Wording) -> str:
    """Return the result of an attack in one paragraph."""
    if attack.outcome is not None:
        return shown(wording, attack.outcome, 900)
    people = Count(attack.n_correct, of=attack.n_targets, unit="person")
    if attack.is_counted:
        return sentence(wording, "report.attack_outcome", people=people)
    if attack.success.is_upper_bound:
        return sentence(wording, "report.attack_outcome_at_most", people=people)
    return sentence(wording, "report.attack_outcome_expected", people=people)


def _control(attack: Attack, wording: Wording) -> str:
    if attack.control is None:
        return "not measured"
    linkage = attack.detail if isinstance(attack.detail, LinkageDetail) else None
    rate = attack.control_rate if linkage is None else linkage.control_rate
    if rate is not None:
        return estimate(rate, wording)
    n_control = None if linkage is None else linkage.n_control
    return wording.share(attack.control, n_control or attack.n_targets)


def _linkage_counts(attack: Attack, detail: LinkageDetail, wording: Wording) -> list[dict[str, str]]:
    is_register, count = attack.is_register_attack, wording.count
    n = detail.n_release if is_register else detail.n_auxiliary

    def known(number: int | None) -> str | None:
        return None if number is None else count(number)

    rows = [
        # Of the other direction, the third row states the same number.
        ("Rows of the auxiliary table", count(detail.n_auxiliary) if is_register else None),
        ("Targets (people)", count(attack.n_targets)),
        ("Released records" if is_register else "Auxiliary rows", count(n)),
        ("Without a match", count(detail.n_unmatched, n)),
        ("That match several people", count(detail.n_ambiguous, n)),
        ("That match one person", count(detail.n_unique, n)),
        ("That match one person who matches nobody else", count(detail.n_mutual, n)),
        (
            "Released records with a match",
            wording.people(detail.n_release_linked, detail.n_release, "record") if detail.n_release else None,
        ),
        ("Released records identical in every column", known(detail.n_verbatim)),
        ("Correct share of the claims", None if detail.precision is None else estimate(detail.precision, wording)),
        ("Control (people who are not in the other table)", known(detail.n_control)),
        ("Fewest people of the auxiliary table who match a record (k-map)", known(detail.k_map)),
        *(
            (_about(wording, "linked_with", name), count(linked, attack.n_targets))
            for name, linked in detail.disclosed.items()
        ),
        *(
            (_about(wording, "linked_by", *one.columns), count(one.n_linked, attack.n_targets))
            for one in detail.by_columns[:3]
        ),
        ("Neither target nor control", known(detail.n_control_excluded or None)),
    ]
    return [{"label": label, "value": value} for label, value in rows if value is not None]


def _about(wording: Wording, code: str, *columns: str) -> str:
    return sentence(wording, f"report.{code}", columns=Columns(columns))


def _linkage_mapping(detail: LinkageDetail, wording: Wording) -> list[dict[str, str]]:
    reasons = {column: shown(wording, why, 300) for column, why in detail.reasons.items()}
    return [
        {"release": name(release), "auxiliary": name(auxiliary), "why": reasons.get(release, "")}
        for release, auxiliary in sorted(detail.mapping.items())
    ]
