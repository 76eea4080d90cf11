"""Plain hashes of sibling columns are recognised, salted ones are not, and no value is printed."""

from __future__ import annotations

import base64
import hashlib
import hmac

import pytest

from privaudit.model.wording import Columns
from tests.helpers.detection import judge

MAILS = [f"Person{i}.Surname{i * 7 % 31}@example.org" for i in range(120)]
PHONES = [f"+2547{22_000_000 + i * 7919}" for i in range(120)]
FORMS = {"as_is": str, "lower_case": str.lower, "upper_case": str.upper}


def hexed(algorithm: str, text: str) -> str:
    return hashlib.new(algorithm, text.encode()).hexdigest()


@pytest.mark.slow
def test_the_fact_follows_for_every_algorithm_form_and_writing():
    for algorithm in ("md5", "sha1", "sha256", "sha512"):
        for form, written in FORMS.items():
            digests = [hexed(algorithm, written(mail)) for mail in MAILS]
            found = judge({"mail": MAILS, "token": digests})["token"]
            assert found.measurements["hash_of_sibling"] == 1, (algorithm, form)
            assert found.is_.entity == "PSEUDONYM"
            (because,) = (
                clue.because for clue in found.is_.evidence if clue.because.code == "detect.pseudonyms_hash_of_column"
            )
            assert because.values["column"] == Columns(names=("mail",))
            assert because.values["form"].code == f"detect.pseudonyms_input_{form}"


@pytest.mark.parametrize("writing", [base64.b64encode, base64.urlsafe_b64encode])
def test_base64(writing):
    digests = [writing(hashlib.sha256(mail.encode()).digest()).decode() for mail in MAILS]
    assert judge({"mail": MAILS, "token": digests})["token"].measurements["hash_of_sibling"] == 1


def test_upper_case_digests_of_another_order_and_of_fewer_people():
    digests = [hexed("sha1", phone).upper() for phone in reversed(PHONES[:80])] + [None] * 40
    assert judge({"phone": PHONES, "h": digests})["h"].measurements["hash_of_sibling"] == 1


def test_a_key_or_salt_leaves_nothing_to_find():
    keyed = [hmac.new(b"secret", mail.encode(), "sha256").hexdigest() for mail in MAILS]
    salted = [hexed("sha256", "pepper" + mail) for mail in MAILS]
    for digests in (keyed, salted):
        found = judge({"mail": MAILS, "token": digests})["token"]
        assert "hash_of_sibling" not in found.measurements


def test_a_hash_of_a_file_is_not_a_pseudonym():
    digests = [hexed("sha256", f"content {i}") for i in range(120)]
    found = judge({"amount": [f"{i}.50" for i in range(120)], "checksum": digests})["checksum"]
    assert "hash_of_sibling" not in found.measurements


def test_nothing_of_a_value_is_reported():
    digests = [hexed("md5", mail.lower()) for mail in MAILS]
    reported = repr(judge({"mail": MAILS, "token": digests}))
    assert not any(text in reported for text in (*MAILS, *digests))


def test_the_inputs_are_as_many_as_the_sibling_holds():
    digests = [hexed("md5", mail) for mail in MAILS]
    facts = judge({"mail": MAILS, "phone_hash": digests})["phone_hash"].measurements
    assert facts["hash_preimage_bits"] == pytest.approx(6.9, abs=0.05)  # log2(120)
    assert facts["hash_hours"] < 1e-6


def test_small_numbers_that_were_hashed_are_not_taken_for_a_smaller_column_of_numbers():
    digests = [hexed("sha1", str(i)) for i in range(200)]
    found = judge({"age": [str(20 + i % 50) for i in range(200)], "token": digests})["token"]
    assert "hash_of_sibling" not in found.measurements
