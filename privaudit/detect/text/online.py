# ruff: noqa: E501 - an expression is read whole
"""Embedded values of the online world: e-mail, links, addresses of machines, devices, credentials."""

from __future__ import annotations

import ipaddress
import re

from privaudit.detect.packs.validators import luhn
from privaudit.detect.text.spec import (
    LEFT,
    RIGHT,
    Family,
    Reading,
    Spec,
    always,
    before,
    digits_of,
    labelled,
)

_I = re.IGNORECASE

_EMAIL = re.compile(
    r"(?<![A-Za-z0-9._%+'-])[A-Za-z0-9](?:[A-Za-z0-9._%+'-]{0,62}[A-Za-z0-9_+-])?"
    r"(?:@|\s?[\[(]\s?at\s?[\])]\s?)"
    r"(?:[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?\.){1,6}[A-Za-z]{2,24}(?![A-Za-z0-9_-])",
    _I,
)
_FILE_ENDINGS = {"png", "jpg", "jpeg", "gif", "svg", "webp", "js", "css", "py", "json", "html"}

_URL_PERSONAL = re.compile(
    r"(?:https?|ftp)://(?:"
    r"[A-Za-z0-9._%+-]{1,64}@[A-Za-z0-9.-]{3,200}"
    r"|[A-Za-z0-9.-]{3,200}(?::[0-9]{1,5})?/[^\s\"<>?]{0,300}\?[^\s\"<>]{0,300}?"
    r"(?:e-?mail|user|user_?id|username|uid|customer_?id|patient_?id|phone|ssn|token|session_?id|auth|firstname|lastname)=[^\s&\"<>]{2,200}"
    r"|(?:[a-z]{2,3}\.|www\.|m\.)?(?:linkedin\.com/in|facebook\.com|fb\.com|instagram\.com|twitter\.com|x\.com|"
    r"tiktok\.com/@|t\.me|github\.com|wa\.me|orcid\.org|researchgate\.net/profile|medium\.com/@|youtube\.com/@|snapchat\.com/add|vk\.com)"
    r"/?(?!(?:share|sharer|about|help|legal|privacy|jobs|login|home|search|explore|watch|company|groups|pages|events)\b)[A-Za-z0-9._@-]{3,64}/?(?![A-Za-z0-9/_-])"
    r"|[A-Za-z0-9.-]{3,200}/(?:~|users?/|profiles?/|u/|members?/|people/|patients?/)[A-Za-z0-9._-]{3,64}"
    r")",
    _I,
)

_IPV4 = re.compile(
    r"(?<![0-9A-Za-z_.-])(?:(?:25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])\.){3}(?:25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])"
    r"(?![0-9A-Za-z_-])(?!\.[0-9])"
)
_VERSION_BEFORE = re.compile(
    r"(?:\bv|version|ver\.?|released?|rev\.?|build|firmware|driver|update|upgraded? (?:to|from)|section|sect\.?|chapter|clause|§|"
    r"oid|chrome|firefox|safari|edge|opera|mozilla|webkit|windows|linux|kernel|package|python|java|node)[ /:=v-]{0,3}$",
    _I,
)
_HOST_BEFORE = re.compile(
    r"\bip|host|address|server|client|login|log(?:ged)? in|ping|from|seen at|proxy|gateway|dns", _I
)
_IPV6 = re.compile(
    r"(?<![0-9A-Za-z:.])(?:[0-9A-Fa-f]{0,4}:){2,7}[0-9A-Fa-f]{0,4}(?:%[a-z0-9]{1,8})?(?![0-9A-Za-z:])"
)
_MAC = re.compile(
    r"(?<![0-9A-Za-z:.-])(?:[0-9A-Fa-f]{2}(?:(?::[0-9A-Fa-f]{2}){5}|(?:-[0-9A-Fa-f]{2}){5})|(?:[0-9A-Fa-f]{4}\.){2}[0-9A-Fa-f]{4})(?![0-9A-Za-z:.-]?[0-9A-Fa-f])"
)
_IMEI = re.compile(r"(?<![0-9A-Za-z.])[0-9]{2}[ -]?[0-9]{6}[ -]?[0-9]{6}[ -]?[0-9](?![0-9A-Za-z]|[.-][0-9])")
_IMEI_WORD = re.compile(r"imei|device[ _-]?(?:id|no|nr|number|serial)", _I)
_VIN = re.compile(r"(?<![0-9A-Za-z-])[A-HJ-NPR-Z0-9]{17}(?![0-9A-Za-z-])")
_VIN_WORD = re.compile(r"\bvin\b|chassis|vehicle|fahrgestell|châssis", _I)
_VIN_VALUES = {
    letter: int(digit)
    for letters, digits in (
        ("ABCDEFGH", "12345678"),
        ("JKLMN", "12345"),
        ("P", "7"),
        ("R", "9"),
        ("STUVWXYZ", "23456789"),
    )
    for letter, digit in zip(letters, digits, strict=True)
}
_VIN_WEIGHTS = (8, 7, 6, 5, 4, 3, 2, 10, 0, 9, 8, 7, 6, 5, 4, 3, 2)


def _email(match: re.Match[str]) -> Reading | None:
    text = match.group().lower()
    if text.rpartition(".")[2] in _FILE_ENDINGS or ".." in text:
        return None
    return Reading(None)


def _ipv4(match: re.Match[str]) -> Reading | None:
    text = match.group()
    if _VERSION_BEFORE.search(before(match, 24)) or labelled(match):
        return None
    octets = [int(part) for part in text.split(".")]
    # 1.2.3.4 and 10.0.1.0 in prose are versions far more often than hosts: small octets are not evidence for a host.
    if octets[0] == 0:
        return None
    # Four small numbers are a version, four of two digits a phone number, unless a word before them names a host.
    doubtful = max(octets) < 20 or all(10 <= octet < 100 for octet in octets)
    if doubtful and not _HOST_BEFORE.search(before(match)):
        return None
    return _address(text)


def _ipv6(match: re.Match[str]) -> Reading | None:
    text = match.group().partition("%")[0]
    if sum(character in "0123456789abcdefABCDEF" for character in text) < 4 or text.count(":") < 2:
        return None
    return _address(text)


def _address(text: str) -> Reading | None:
    try:
        address = ipaddress.ip_address(text)
    except ValueError:
        return None
    if address.is_unspecified or address.is_loopback or address.is_multicast:
        return None
    return Reading(f"ipv{address.version}")


def _mac(match: re.Match[str]) -> Reading | None:
    text = match.group().lower()
    return None if len(set(text) - set(":.-")) < 3 else Reading(None)


def _imei(match: re.Match[str]) -> Reading | None:
    digits = digits_of(match.group())
    # The word itself is a label of machines, so what else labels the number is not asked.
    if not _IMEI_WORD.search(before(match)) or not luhn(digits):
        return None
    return Reading("imei")


def _vin(match: re.Match[str]) -> Reading | None:
    text = match.group()
    letters = sum(character.isalpha() for character in text)
    if not 3 <= letters <= 13 or not text[-3:].isdigit():
        return None
    if _VIN_WORD.search(before(match)):
        return Reading("vin")
    if labelled(match):
        return None
    total = sum(
        weight * _VIN_VALUES.get(c, ord(c) - 48) for c, weight in zip(text, _VIN_WEIGHTS, strict=True)
    )
    return Reading("vin", strong=False, valid=text[8] == "0123456789X"[total % 11])


_PLACEHOLDER = re.compile(
    r"^(?:[*x.•?_-]{2,}|<[^>]*>|\$?\{[^}]*\}?|\[[^\]]*\]?|null|none|true|false|required|expired|reset|changed|incorrect|"
    r"invalid|protected|forgotten|wrong|missing|policy|field|link|email|page|was|is|and|the|your|must|should|will|not|hash|has)$",
    _I,
)


def _assigned(match: re.Match[str]) -> Reading | None:
    value = match.group("value").strip("\"'`,.;")
    if len(value) < 4 or _PLACEHOLDER.match(value):
        return None
    return Reading("password")


def _assigned_key(match: re.Match[str]) -> Reading | None:
    value = match.group("value")
    mixed = any(c.isdigit() for c in value) and any(c.isalpha() for c in value)
    return Reading("token") if mixed and not _PLACEHOLDER.match(value) else None


def _secret(expression: str, detail: str, because: str) -> Spec:
    return Spec("SECRET", re.compile(expression), always(detail), "pattern", because)


_SECRETS = (
    _secret(
        r"-----BEGIN (?:(?:RSA|EC|DSA|OPENSSH|ENCRYPTED|PGP) )?PRIVATE KEY(?: BLOCK)?-----",
        "private key",
        "private_key",
    ),
    _secret(
        LEFT + r"(?:AKIA|ASIA|AGPA|AROA|AIDA)[A-Z2-7]{16}" + RIGHT,
        "aws key",
        "cloud_key",
    ),
    _secret(
        LEFT + r"(?:gh[pousr]_[A-Za-z0-9]{36,255}|github_pat_[A-Za-z0-9_]{22,255}|glpat-[A-Za-z0-9_-]{20,64}|"
        r"xox[abeoprs]-[A-Za-z0-9-]{10,250}|[sr]k_(?:live|test)_[A-Za-z0-9]{16,99}|AIza[A-Za-z0-9_-]{35}|"
        r"SG\.[A-Za-z0-9_-]{16,32}\.[A-Za-z0-9_-]{32,64}|npm_[A-Za-z0-9]{36}|pypi-[A-Za-z0-9_-]{50,200}|"
        r"sk-[A-Za-z0-9_-]{32,200}|hf_[A-Za-z0-9]{30,40}|dop_v1_[a-f0-9]{64}|ya29\.[A-Za-z0-9_-]{20,200})(?![A-Za-z0-9])",
        "token",
        "issuer_token",
    ),
    _secret(
        LEFT + r"eyJ[A-Za-z0-9_-]{10,4000}\.eyJ[A-Za-z0-9_-]{10,4000}\.[A-Za-z0-9_-]{10,4000}",
        "jwt",
        "signed_token",
    ),
    _secret(
        r"[A-Za-z][A-Za-z0-9+.-]{1,20}://[^\s:/@\"']{1,64}:[^\s:/@\"']{1,64}@[A-Za-z0-9.-]{1,200}",
        "connection string",
        "connection_string",
    ),
    Spec(
        "SECRET",
        re.compile(
            r"(?<![A-Za-z])(?:password|passwd|passwort|passphrase|contraseña|mot de passe|senha|nywila|pwd|pass)"
            r"(?:\s{0,2}[:=]{1,2}>?\s{0,2}|\s(?:is|was|ist|es)\s{1,2}:?)(?P<value>[^\s,;]{4,128})",
            _I,
        ),
        _assigned,
        "pattern",
        "worded_password",
    ),
    Spec(
        "SECRET",
        re.compile(
            r"(?<![A-Za-z])(?:api[ _-]?key|secret(?:[ _-]?(?:access)?[ _-]?key)?|access[ _-]?(?:token|key)|auth[ _-]?token|client[ _-]?secret|"
            r"bearer|token)\s{0,2}[\"']?(?:[:=]|\sis\s|\s)\s{0,2}[\"']?(?P<value>[A-Za-z0-9_/+=.-]{16,512})",
            _I,
        ),
        _assigned_key,
        "pattern",
        "worded_token",
    ),
)

ONLINE = (
    Family(
        "secret",
        r"(?i)private key|AKIA|ASIA|AGPA|AROA|AIDA|gh[pousr]_|github_pat_|glpat-|xox[abeoprs]-|[sr]k_(live|test)_|AIza|SG\.|npm_|"
        r"pypi-|sk-[a-z0-9_-]{32}|hf_|dop_v1_|ya29\.|eyJ[a-z0-9_-]{10}|://[^\s:/@]+:[^\s:/@]+@|pass|pwd|contraseña|senha|nywila|"
        r"api[ _-]?key|secret|token|access[ _-]?key|bearer",
        _SECRETS,
        digits=False,
    ),
    Family(
        "email",
        r"(?i)@|[\[(]\s?at\s?[\])]",
        (Spec("EMAIL", _EMAIL, _email, "pattern", "email"),),
        digits=False,
    ),
    Family(
        "url",
        r"(?i)(https?|ftp)://",
        (
            Spec(
                "URL",
                _URL_PERSONAL,
                always("personal part"),
                "pattern",
                "personal_link",
            ),
        ),
        digits=False,
    ),
    Family(
        "mac",
        r"[0-9A-Fa-f]{2}[:-][0-9A-Fa-f]{2}[:-][0-9A-Fa-f]{2}[:-]|[0-9A-Fa-f]{4}\.[0-9A-Fa-f]{4}\.[0-9A-Fa-f]{4}",
        (Spec("MAC_ADDRESS", _MAC, _mac, "pattern", "mac_address"),),
        digits=False,
    ),
    Family(
        "ip",
        r"[0-9]{1,3}\.[0-9]{1,3}\.[0-9]{1,3}\.[0-9]{1,3}|[0-9A-Fa-f]{0,4}:[0-9A-Fa-f]{0,4}:[0-9A-Fa-f]{0,4}",
        (
            Spec("IP_ADDRESS", _IPV4, _ipv4, "pattern", "ipv4"),
            Spec("IP_ADDRESS", _IPV6, _ipv6, "pattern", "ipv6"),
        ),
        digits=False,
    ),
    Family(
        "device",
        r"(?i)imei|device",
        (
            Spec(
                "DEVICE_ID",
                _IMEI,
                _imei,
                "check-digit",
                "device_number",
            ),
        ),
    ),
    Family(
        "vehicle",
        r"[A-HJ-NPR-Z0-9]{14}[0-9]{3}",
        (Spec("VEHICLE_ID", _VIN, _vin, "check-digit", "vehicle_number"),),
    ),
)
