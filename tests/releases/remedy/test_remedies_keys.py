"""The key is a file that nobody else can read; it and what was given instead of it never appear anywhere."""

from __future__ import annotations

import os

import pandas as pd
import pytest

import privaudit
from privaudit.advice.technique import recode
from privaudit.advice.technique.key_file import key_id, read_key
from privaudit.base.errors import ConfigError
from tests.helpers.columns import column

SECRET = "correct horse battery staple, 32 bytes and more"
KEY = SECRET.encode()
PLAN = 'version = 1\n[[step]]\ntechnique = "pseudonymise"\ncolumn = "email"\nkey = "{}"\n'


def key_file(folder, mode=0o600, content=KEY):
    file = folder / "privaudit.key"
    file.write_bytes(content)
    file.chmod(mode)
    return file


def test_a_key_file_of_mode_0600_is_read(tmp_path):
    assert read_key(key_file(tmp_path)) == SECRET.encode()


@pytest.mark.parametrize("mode", [0o644, 0o640, 0o660, 0o604, 0o700])
def test_a_key_file_that_others_may_read_is_refused(tmp_path, mode):
    with pytest.raises(ConfigError, match="key file"):
        read_key(key_file(tmp_path, mode))


def test_a_key_file_of_another_user_is_refused(tmp_path, monkeypatch):
    file = key_file(tmp_path)
    monkeypatch.setattr("os.getuid", lambda: file.stat().st_uid + 1)
    with pytest.raises(ConfigError, match="another user"):
        read_key(file)


@pytest.mark.parametrize("content", [b"", b"short", b"x" * 5000])
def test_a_key_of_the_wrong_length_is_refused(tmp_path, content):
    with pytest.raises(ConfigError, match="bytes"):
        read_key(key_file(tmp_path, content=content))


def test_links_folders_and_a_key_given_as_an_argument_are_refused_without_repeating_it(tmp_path):
    link = tmp_path / "link"
    link.symlink_to(key_file(tmp_path))
    for given in (link, tmp_path, SECRET, "\0"):
        with pytest.raises(ConfigError) as raised:
            read_key(given)
        assert SECRET not in str(raised.value)


def test_equal_values_have_equal_tokens_under_one_key_and_domain_only():
    values = ["a@example.org", "b@example.org"]

    def tokens(key, **parameters):
        each = column(values)
        given = type(each)(each.name, each.dictionary, each.counts, None, key)
        found = recode("pseudonymise", given, {"key": "file", **parameters})
        return found.labels().take(found.lookup[:-1]).to_pylist()

    one = tokens(b"1" * 32, domain="people")
    assert one == tokens(b"1" * 32, domain="people")
    assert not set(one) & set(tokens(b"1" * 32, domain="other"))
    assert not set(one) & set(tokens(b"2" * 32, domain="people"))
    assert all(len(token) == 26 for token in tokens(b"1" * 32, form="base32"))


def test_a_list_of_all_candidate_values_matches_no_token_without_the_key(tmp_path):
    """The dictionary attack: hashes of every candidate, in the usual digests, against the tokens."""
    import hashlib

    emails = [f"person{i}@example.org" for i in range(200)]
    plan = tmp_path / "plan.toml"
    plan.write_text(PLAN.format("once"))
    made = privaudit.remedy(pd.DataFrame({"email": emails, "x": 1}), plan=plan, ner=False, framework=())
    tokens = {token.replace("-", "") for token in made.frame["email"]}
    assert len(tokens) == 200
    for digest in ("md5", "sha1", "sha256", "sha512"):
        for email in emails:
            found = hashlib.new(digest, email.encode()).hexdigest()
            assert not {found, found[:32]} & tokens


def test_the_certificate_names_the_key_and_nothing_contains_it(tmp_path):
    source = tmp_path / "people.csv"
    pd.DataFrame({"email": [f"person{i}@example.org" for i in range(50)], "x": range(50)}).to_csv(source, index=False)
    plan = tmp_path / "plan.toml"
    plan.write_text(PLAN.format("file"))
    key = key_file(tmp_path)
    made = privaudit.remedy(source, plan=plan, key=key, output=tmp_path / "safer.csv", ner=False, framework=())
    made.write(tmp_path / "risk.json")
    assert made.certificate["keys"] == [key_id(SECRET.encode())]
    for file in set(tmp_path.iterdir()) - {key}:
        content = file.read_bytes()
        assert SECRET.encode() not in content and SECRET.encode().hex().encode() not in content


def test_a_plan_that_needs_a_key_is_refused_without_one(tmp_path):
    plan = tmp_path / "plan.toml"
    plan.write_text(PLAN.format("file"))
    frame = pd.DataFrame({"email": ["a@example.org", "b@example.org"], "x": [1, 2]})
    with pytest.raises(ConfigError, match="key file"):
        privaudit.remedy(frame, plan=plan, ner=False, framework=())


def test_the_key_file_is_not_overwritten(tmp_path):
    source = tmp_path / "people.csv"
    source.write_text("email,x\na@example.org,1\n")
    key = key_file(tmp_path)
    target = tmp_path / "safer.csv"
    os.link(key, target)
    with pytest.raises(ConfigError, match="is an input"):
        privaudit.remedy(source, key=key, output=target, ner=False, framework=())
    assert key.read_bytes() == SECRET.encode()


def test_tokens_begin_with_the_id_of_their_key(tmp_path):
    frame = pd.DataFrame({"email": [f"person{i}@example.org" for i in range(30)], "x": range(30)})
    plan = tmp_path / "plan.toml"
    plan.write_text(PLAN.format("file") + "with_key_id = true\n")
    seen = {}
    for text in ("1" * 40, "2" * 40):
        key = tmp_path / f"{text[0]}.key"
        key.write_text(text)
        key.chmod(0o600)
        made = privaudit.remedy(frame, plan=plan, key=key, ner=False, framework=())
        begins = {token.partition(":")[0] for token in made.frame["email"]}
        assert begins == {key_id(text.encode())}
        seen[text] = set(made.frame["email"])
    assert not seen["1" * 40] & seen["2" * 40]
