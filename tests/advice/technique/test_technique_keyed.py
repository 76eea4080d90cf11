"""FF1 gives the samples of NIST; invented names are those of nobody in the table, and the same everywhere."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest

from privaudit.advice.technique import Column, Context, recode, technique
from privaudit.base.errors import ConfigError

KEYS = {
    128: "2B7E151628AED2A6ABF7158809CF4F3C",
    192: "2B7E151628AED2A6ABF7158809CF4F3CEF4359D8D580AA4F",
    256: "2B7E151628AED2A6ABF7158809CF4F3CEF4359D8D580AA4F7F036D6F04FC6A94",
}
TWEAK, OTHER = "39383736353433323130", "3737373770717273373737"
SAMPLES = [
    (128, 10, "", "0123456789", "2433477484"),
    (128, 10, TWEAK, "0123456789", "6124200773"),
    (128, 36, OTHER, "0123456789abcdefghi", "a9tv40mll9kdu509eum"),
    (192, 10, "", "0123456789", "2830668132"),
    (192, 10, TWEAK, "0123456789", "2496655549"),
    (192, 36, OTHER, "0123456789abcdefghi", "xbj3kv35jrawxv32ysr"),
    (256, 10, "", "0123456789", "6657667009"),
    (256, 10, TWEAK, "0123456789", "1001623463"),
    (256, 36, OTHER, "0123456789abcdefghi", "xs8a0azh2avyalyzuwd"),
]
KEY = b"a secret of at least 32 bytes: 0123456789"


def encrypted(values, **parameters):
    column = Column("card", pa.array(values, pa.string()), np.ones(len(values) + 1, dtype=np.int64), None, KEY)
    found = recode("encrypt_digits", column, {"key": "file", **parameters})
    return found.labels().take(found.lookup[:-1]).to_pylist()


@pytest.mark.parametrize(("bits", "radix", "tweak", "plain", "cipher"), SAMPLES)
def test_ff1_gives_the_samples_of_nist(bits, radix, tweak, plain, cipher):
    pytest.importorskip("cryptography")
    from privaudit.advice.technique.encrypt_digits import FF1

    assert FF1(bytes.fromhex(KEYS[bits]), radix).encrypt(plain, bytes.fromhex(tweak)) == cipher


def test_digits_change_and_the_form_stays():
    pytest.importorskip("cryptography")
    values = [f"KE-{i:06d}/{i % 7}" for i in range(500)]
    made = encrypted(values)
    assert len(set(made)) == 500 and not set(made) & set(values)
    assert all(text[:3] == "KE-" and text[9] == "/" and len(text) == 11 for text in made)
    assert made == encrypted(values) != encrypted(values, domain="another")


def test_card_numbers_stay_valid():
    stdnum = pytest.importorskip("stdnum.luhn")
    pytest.importorskip("cryptography")
    cards = ["4111 1111 1111 1111", "5500-0000-0000-0004", "340000000000009"]
    for card, made in zip(cards, encrypted(cards, check_digit="luhn"), strict=True):
        digits = "".join(filter(str.isdigit, made))
        assert stdnum.is_valid(digits) and made != card
        assert [c for c in made if not c.isdigit()] == [c for c in card if not c.isdigit()]


def test_a_domain_of_less_than_a_million_is_refused():
    pytest.importorskip("cryptography")
    with pytest.raises(ConfigError, match="fewer than a million"):
        encrypted(["12345"])


def people(n=60):
    frame = pd.DataFrame({"id": [str(i) for i in range(n)], "sex": ["F", "M"] * (n // 2)})
    frame["name"] = [f"{first} Kipchoge" for first in ["Mary", "James"] * (n // 2)]
    frame["mail"] = [f"m{i}@firm.com" for i in range(n)]
    return frame


def invented(frame, seed=0, **parameters):
    given = {"person": "id", "parts": ["full_name", "email"], "gender": "sex", "key": "file", **parameters}
    context = Context(random=np.random.default_rng(seed), key=KEY)
    table = pa.Table.from_pandas(frame.astype(object), preserve_index=False)
    return technique("fake_names").apply(table, {**given, "columns": ("name", "mail")}, context).to_pandas()


def test_the_same_person_has_the_same_name_in_every_table_and_no_real_name_is_used():
    pytest.importorskip("faker")
    frame = people()
    made = invented(frame)
    other = invented(frame.sample(frac=0.5, random_state=1), seed=5).set_index("id")
    assert all(made.set_index("id")["name"][i] == name for i, name in other["name"].items())
    words = {word for name in made["name"] for word in name.split()}
    assert not words & {"Mary", "James", "Kipchoge"}
    assert made["mail"].nunique() == len(frame) and made["mail"].str.endswith("@example.org").all()
    firsts = made["name"].str.split().str[0].str.lower()
    assert all(mail.startswith(first) for mail, first in zip(made["mail"], firsts, strict=True))


def test_first_names_agree_with_the_gender():
    pytest.importorskip("faker")
    made = invented(people(), locale="de_DE")
    from faker.providers.person.de_DE import Provider

    for sex, pool in (("F", Provider.first_names_female), ("M", Provider.first_names_male)):
        firsts = {name.rsplit(" ", 1)[0] for name in made.loc[made["sex"] == sex, "name"]}
        assert firsts <= set(pool)


def test_parts_must_fit_the_columns():
    pytest.importorskip("faker")
    with pytest.raises(ConfigError, match="one part for each column"):
        invented(people(), parts=["full_name"])
