# ruff: noqa: E501 - a value is read whole
"""Generators of values of every kind a table can hold that has no check digit of a country: places, devices, secrets.

Each entry: how a value is made, a plain column name, what the column must be found as under it, and what without a
name; `None` where the form alone is not enough evidence.
"""

from __future__ import annotations

import base64
import json
import random
import string
from collections.abc import Callable
from typing import NamedTuple

Make = Callable[[random.Random], str]
HEX, UPPER, LOWER, DIGITS = "0123456789abcdef", string.ascii_uppercase, string.ascii_lowercase, string.digits
ALNUM = string.ascii_letters + DIGITS
BASE58 = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"
BECH32 = "qpzry9x8gf2tvdw0s3jn54khce6mua7l"
GEOHASH = "0123456789bcdefghjkmnpqrstuvwxyz"


class Kind(NamedTuple):
    """One kind: how to make a value, a name, what is expected under it and without it (entities, by bars)."""

    make: Make
    header: str
    named: str
    opaque: str | None


def of(alphabet: str, n: int) -> Make:
    """Return a maker of `n` characters of `alphabet`."""
    return lambda r: "".join(r.choices(alphabet, k=n))


def form(pattern: str) -> Make:
    """Return a maker: # a digit, @ a capital, ? a lower-case letter, % a hexadecimal digit; all else unchanged."""
    kinds = {"#": DIGITS, "@": UPPER, "?": LOWER, "%": HEX}
    return lambda r: "".join(r.choice(kinds[c]) if c in kinds else c for c in pattern)


def luhn(head: str, length: int) -> Make:
    """Return a maker of numbers that begin with `head` and pass Luhn."""

    def make(r: random.Random) -> str:
        body = head + "".join(r.choices(DIGITS, k=length - len(head) - 1))
        total = 0
        for place, char in enumerate(reversed(body)):
            value = int(char) * (2 - place % 2)
            total += value - 9 * (value > 9)
        return body + str(-total % 10)

    return make


def pick(*texts: str) -> Make:
    """Return a maker that chooses among `texts`."""
    return lambda r: r.choice(texts)


def b64(text: str) -> str:
    """Return `text` in URL-safe base64 without padding."""
    return base64.urlsafe_b64encode(text.encode()).decode().rstrip("=")


def jwt(r: random.Random) -> str:
    """Return a made-up signed token."""
    head = b64(json.dumps({"alg": "HS256"}))
    return f"{head}.{b64(json.dumps({'sub': r.randint(1, 10**9)}))}.{of(ALNUM, 43)(r)}"


def agent(r: random.Random) -> str:
    """Return the identification of a browser."""
    system = r.choice(["Windows NT 10.0; Win64; x64", "X11; Linux x86_64", "Macintosh; Intel Mac OS X 10_15_7"])
    return (
        f"Mozilla/5.0 ({system}) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/{r.randint(70, 130)}.0.0.0 Safari/537.36"
    )


def degrees(r: random.Random) -> str:
    """Return a latitude and a longitude in degrees, minutes and seconds."""
    return (
        f"{r.randint(0, 59)}°{r.randint(10, 59)}'{r.randint(10, 59)}\"N {r.randint(0, 99)}°{r.randint(10, 59)}'"
        f'{r.randint(10, 59)}"E'
    )


def point(r: random.Random) -> tuple[float, float]:
    """Return a latitude and a longitude."""
    return round(r.uniform(-60, 60), 6), round(r.uniform(-170, 170), 6)


def vector(r: random.Random) -> str:
    """Return an embedding as JSON."""
    return json.dumps([round(r.gauss(0, 0.3), 5) for _ in range(64)])


def epoch(power: int) -> Make:
    """Return a maker of moments of one year as counts since 1970, in units of 10**-power seconds."""
    return lambda r: str(r.randint(1_690_000_000 * 10**power, 1_721_000_000 * 10**power))


SECRETS = "SECRET|PASSWORD"
AREA = "GEO_CODE|COORDINATES"
DEVICE = "DEVICE_ID"
KINDS: dict[str, Kind] = {
    # places
    "lat,lon": Kind(lambda r: "{}, {}".format(*point(r)), "position", "COORDINATES", "COORDINATES"),
    "lat;lon in brackets": Kind(lambda r: "({};{})".format(*point(r)), "gps", "COORDINATES", "COORDINATES"),
    "wkt point": Kind(lambda r: "POINT({1} {0})".format(*point(r)), "geom", "COORDINATES", "COORDINATES"),
    "geojson point": Kind(
        lambda r: json.dumps({"type": "Point", "coordinates": point(r)}), "geometry", "COORDINATES", "COORDINATES"
    ),
    "degrees minutes": Kind(degrees, "coordinates", "COORDINATES", "COORDINATES"),
    "geohash": Kind(of(GEOHASH, 8), "geohash", AREA, "GEO_CODE|UNRESOLVED_ID"),
    "plus code": Kind(
        lambda r: of("23456789CFGHJMPQRVWX", 8)(r) + "+" + of("23456789CFGHJMPQRVWX", 2)(r), "plus_code", AREA, AREA
    ),
    "mgrs": Kind(
        lambda r: (  # the first letter of the square follows from the zone
            (zone := r.randint(1, 60))
            and f"{zone}{r.choice('CDEFGHJKLMNPQRSTUVWX')}{r.choice(('STUVWXYZ', 'ABCDEFGH', 'JKLMNPQR')[zone % 3])}"
            f"{r.choice('ABCDEFGHJKLMNPQRSTUV')}{of(DIGITS, 10)(r)}"
        ),
        "mgrs",
        AREA,
        "GEO_CODE|COORDINATES|UNRESOLVED_ID",
    ),
    "utm": Kind(
        lambda r: f"{r.randint(1, 60)}{r.choice('NPQRSTU')} {r.randint(200000, 800000)} {r.randint(1000000, 6000000)}",
        "utm",
        AREA,
        AREA,
    ),
    "what3words": Kind(
        lambda r: "///" + ".".join(of(LOWER, r.randint(4, 8))(r) for _ in range(3)), "what3words", AREA, AREA
    ),
    # devices
    "imei": Kind(luhn("35", 15), "imei", DEVICE, "DEVICE_ID|UNRESOLVED_ID|CREDIT_CARD"),
    "imeisv": Kind(form("35######" + "########"), "imeisv", DEVICE, "DEVICE_ID|UNRESOLVED_ID"),
    "imsi": Kind(
        lambda r: r.choice(["63902", "26201", "31026"]) + of(DIGITS, 10)(r), "imsi", DEVICE, "DEVICE_ID|UNRESOLVED_ID"
    ),
    "iccid": Kind(luhn("89254", 19), "iccid", DEVICE, "DEVICE_ID|UNRESOLVED_ID"),
    "meid": Kind(lambda r: "A0" + of("0123456789ABCDEF", 12)(r), "meid", DEVICE, "DEVICE_ID|UNRESOLVED_ID"),
    "idfa": Kind(
        lambda r: "-".join(of("0123456789ABCDEF", k)(r) for k in (8, 4, 4, 4, 12)),
        "idfa",
        "DEVICE_ID|PSEUDONYM",
        "UUID|PSEUDONYM",
    ),
    "gaid": Kind(
        lambda r: "-".join(of(HEX, k)(r) for k in (8, 4, 4, 4, 12)), "gaid", "DEVICE_ID|PSEUDONYM", "UUID|PSEUDONYM"
    ),
    "android id": Kind(of(HEX, 16), "android_id", DEVICE, "DEVICE_ID|UNRESOLVED_ID|HASH"),
    "ga cookie": Kind(form("GA1.2.##########.16########"), "cookie", DEVICE, DEVICE),
    "fbp cookie": Kind(form("fb.1.15###########.##########"), "fbp", DEVICE, DEVICE),
    "fbc cookie": Kind(lambda r: form("fb.1.15###########.")(r) + of(ALNUM, 40)(r), "fbc", DEVICE, DEVICE),
    "gclid": Kind(lambda r: "Cj0KCQ" + of(ALNUM, 60)(r), "gclid", DEVICE, "DEVICE_ID|UNRESOLVED_ID|SECRET"),
    "session id": Kind(of(HEX, 26), "session_id", DEVICE, "DEVICE_ID|UNRESOLVED_ID|HASH|SECRET"),
    "php session": Kind(of(LOWER + DIGITS, 26), "phpsessid", DEVICE, "DEVICE_ID|UNRESOLVED_ID|SECRET"),
    "mac colon": Kind(lambda r: ":".join(of(HEX, 2)(r) for _ in range(6)), "mac", "MAC_ADDRESS", "MAC_ADDRESS"),
    "mac hyphen": Kind(
        lambda r: "-".join(of("0123456789ABCDEF", 2)(r) for _ in range(6)), "mac", "MAC_ADDRESS", "MAC_ADDRESS"
    ),
    "mac dotted": Kind(lambda r: ".".join(of(HEX, 4)(r) for _ in range(3)), "mac", "MAC_ADDRESS", "MAC_ADDRESS"),
    "mac bare": Kind(of("0123456789ABCDEF", 12), "mac_address", "MAC_ADDRESS", "MAC_ADDRESS|UNRESOLVED_ID"),
    "serial": Kind(form("SN-@@####@##"), "serial_number", DEVICE, "DEVICE_ID|UNRESOLVED_ID"),
    "vin": Kind(lambda r: vin(r), "vin", "VEHICLE_ID", "VEHICLE_ID"),
    "user agent": Kind(agent, "user_agent", "USER_AGENT", "USER_AGENT"),
    # addresses of machines
    "ipv4": Kind(lambda r: ".".join(str(r.randint(1, 254)) for _ in range(4)), "ip", "IP_ADDRESS", "IP_ADDRESS"),
    "ipv4 with port": Kind(
        lambda r: ".".join(str(r.randint(1, 254)) for _ in range(4)) + f":{r.randint(1024, 65000)}",
        "client",
        "IP_ADDRESS",
        "IP_ADDRESS",
    ),
    "cidr": Kind(
        lambda r: ".".join(str(r.randint(1, 254)) for _ in range(3)) + ".0/24", "network", "IP_ADDRESS", "IP_ADDRESS"
    ),
    "ipv4 as integer": Kind(lambda r: str(r.randint(2**24, 2**32 - 1)), "ip_address", "IP_ADDRESS", None),
    "ipv6": Kind(lambda r: ":".join(of(HEX, 4)(r) for _ in range(8)), "ip", "IP_ADDRESS", "IP_ADDRESS"),
    "ipv6 short": Kind(lambda r: f"2001:db8::{of(HEX, 4)(r)}:{of(HEX, 4)(r)}", "ip", "IP_ADDRESS", "IP_ADDRESS"),
    "ipv6 with port": Kind(lambda r: f"[2001:db8::{of(HEX, 4)(r)}]:443", "ip", "IP_ADDRESS", "IP_ADDRESS"),
    # accounts online
    "email": Kind(lambda r: f"{of(LOWER, 7)(r)}@example.{r.choice(['com', 'org', 'de'])}", "email", "EMAIL", "EMAIL"),
    "handle": Kind(lambda r: "@" + of(LOWER, 8)(r), "twitter", "USERNAME", "USERNAME"),
    "profile link": Kind(
        lambda r: "https://www.linkedin.com/in/" + of(LOWER, 9)(r), "profile", "URL|USERNAME", "URL|USERNAME"
    ),
    "did": Kind(
        lambda r: "did:key:z6Mk" + of(BASE58, 44)(r),
        "did",
        "USERNAME|PERSON_ID|PSEUDONYM|UNRESOLVED_ID",
        "USERNAME|PERSON_ID|UNRESOLVED_ID",
    ),
    # secrets
    "jwt": Kind(jwt, "token", SECRETS, SECRETS),
    "aws access key": Kind(lambda r: "AKIA" + of(UPPER + "234567", 16)(r), "aws_key", SECRETS, SECRETS),
    "aws secret": Kind(of(ALNUM + "+/", 40), "aws_secret_access_key", SECRETS, "SECRET|PASSWORD|UNRESOLVED_ID|BASE64"),
    "gcp key": Kind(lambda r: "AIza" + of(ALNUM + "_-", 35)(r), "api_key", SECRETS, SECRETS),
    "gcp oauth": Kind(lambda r: "ya29." + of(ALNUM + "_-", 60)(r), "oauth", SECRETS, SECRETS),
    "gcp client": Kind(lambda r: "GOCSPX-" + of(ALNUM, 28)(r), "client_secret", SECRETS, SECRETS),
    "azure storage": Kind(lambda r: of(ALNUM, 86)(r) + "==", "account_key", SECRETS, "SECRET|BASE64|PSEUDONYM"),
    "azure connection": Kind(
        lambda r: (
            f"DefaultEndpointsProtocol=https;AccountName={of(LOWER, 6)(r)};AccountKey={of(ALNUM, 86)(r)}==;EndpointSuffix=core.windows.net"
        ),
        "connection",
        SECRETS,
        SECRETS,
    ),
    "azure sas": Kind(
        lambda r: f"https://{of(LOWER, 6)(r)}.blob.core.windows.net/c?sv=2022-11-02&sig={of(ALNUM, 43)(r)}%3D",
        "link",
        SECRETS,
        SECRETS,
    ),
    "github": Kind(lambda r: "ghp_" + of(ALNUM, 36)(r), "token", SECRETS, SECRETS),
    "github pat": Kind(lambda r: "github_pat_" + of(ALNUM, 22)(r) + "_" + of(ALNUM, 59)(r), "pat", SECRETS, SECRETS),
    "gitlab": Kind(lambda r: "glpat-" + of(ALNUM, 20)(r), "token", SECRETS, SECRETS),
    "slack": Kind(lambda r: form("xoxb-###########-###########-")(r) + of(ALNUM, 24)(r), "slack", SECRETS, SECRETS),
    "slack hook": Kind(
        lambda r: f"https://hooks.slack.com/services/T{of(UPPER, 8)(r)}/B{of(UPPER, 8)(r)}/{of(ALNUM, 24)(r)}",
        "webhook",
        SECRETS,
        SECRETS,
    ),
    "stripe": Kind(lambda r: "sk_live_" + of(ALNUM, 24)(r), "key", SECRETS, SECRETS),
    "stripe restricted": Kind(lambda r: "rk_live_" + of(ALNUM, 24)(r), "key", SECRETS, SECRETS),
    "twilio": Kind(lambda r: "SK" + of(HEX, 32)(r), "twilio_key", SECRETS, SECRETS),
    "sendgrid": Kind(lambda r: f"SG.{of(ALNUM, 22)(r)}.{of(ALNUM, 43)(r)}", "key", SECRETS, SECRETS),
    "mailgun": Kind(lambda r: "key-" + of(HEX, 32)(r), "mailgun", SECRETS, SECRETS),
    "openai": Kind(lambda r: "sk-proj-" + of(ALNUM, 48)(r), "key", SECRETS, SECRETS),
    "telegram bot": Kind(lambda r: form("##########:AA")(r) + of(ALNUM, 33)(r), "bot_token", SECRETS, SECRETS),
    "discord": Kind(lambda r: f"M{of(ALNUM, 23)(r)}.{of(ALNUM, 6)(r)}.{of(ALNUM, 27)(r)}", "token", SECRETS, SECRETS),
    "shopify": Kind(lambda r: "shpat_" + of(HEX, 32)(r), "token", SECRETS, SECRETS),
    "npm": Kind(lambda r: "npm_" + of(ALNUM, 36)(r), "token", SECRETS, SECRETS),
    "pypi": Kind(lambda r: "pypi-AgEIcHlwaS5vcmc" + of(ALNUM, 60)(r), "token", SECRETS, SECRETS),
    "digitalocean": Kind(lambda r: "dop_v1_" + of(HEX, 64)(r), "token", SECRETS, SECRETS),
    "private key": Kind(
        lambda r: f"-----BEGIN PRIVATE KEY-----\n{of(ALNUM, 64)(r)}\n-----END PRIVATE KEY-----", "pem", SECRETS, SECRETS
    ),
    "basic auth": Kind(
        lambda r: (
            "Authorization: Basic " + base64.b64encode(f"user{r.randint(1, 999)}:{of(ALNUM, 9)(r)}".encode()).decode()
        ),
        "header",
        SECRETS,
        SECRETS,
    ),
    "bearer": Kind(lambda r: "Bearer " + of(ALNUM, 40)(r), "auth", SECRETS, SECRETS),
    "url with token": Kind(
        lambda r: f"https://api.example.com/v1/me?access_token={of(ALNUM, 32)(r)}", "link", SECRETS, SECRETS
    ),
    "url with password": Kind(
        lambda r: f"https://{of(LOWER, 5)(r)}:{of(ALNUM, 9)(r)}@example.com/x", "link", SECRETS, SECRETS
    ),
    "connection string": Kind(
        lambda r: f"postgresql://{of(LOWER, 5)(r)}:{of(ALNUM, 10)(r)}@db.example.com:5432/main", "dsn", SECRETS, SECRETS
    ),
    "odbc": Kind(
        lambda r: f"Server=db;Database=main;User Id={of(LOWER, 5)(r)};Password={of(ALNUM, 10)(r)};",
        "dsn",
        SECRETS,
        SECRETS,
    ),
    "ssh public key": Kind(
        lambda r: "ssh-rsa AAAAB3NzaC1yc2E" + of(ALNUM, 80)(r) + " me@host",
        "ssh_key",
        SECRETS + "|USERNAME|DEVICE_ID",
        None,
    ),
    "bcrypt": Kind(lambda r: "$2b$12$" + of("./" + ALNUM, 53)(r), "password", SECRETS, SECRETS),
    "argon2": Kind(
        lambda r: f"$argon2id$v=19$m=65536,t=3,p=4${of(ALNUM, 22)(r)}${of(ALNUM, 43)(r)}", "pw", SECRETS, SECRETS
    ),
    "sha crypt": Kind(lambda r: f"$6${of(ALNUM, 8)(r)}${of(ALNUM, 86)(r)}", "shadow", SECRETS, SECRETS),
    "md5 password": Kind(of(HEX, 32), "password", SECRETS, None),
    "ntlm": Kind(of("0123456789ABCDEF", 32), "ntlm_hash", SECRETS, None),
    "plain password": Kind(lambda r: of(ALNUM + "!$#", 10)(r), "password", SECRETS, None),
    "otp secret": Kind(of(UPPER + "234567", 32), "totp_secret", SECRETS, None),
    "otpauth": Kind(lambda r: f"otpauth://totp/x:{of(LOWER, 5)(r)}?secret={of(UPPER, 16)(r)}", "mfa", SECRETS, SECRETS),
    # money
    "bitcoin bech32": Kind(lambda r: bech32(r, "bc"), "btc_address", "BANK_ACCOUNT", "BANK_ACCOUNT"),
    "ethereum": Kind(lambda r: "0x" + of(HEX, 40)(r), "eth_address", "BANK_ACCOUNT", "BANK_ACCOUNT"),
    "monero": Kind(lambda r: "4A" + of(BASE58, 93)(r), "xmr", "BANK_ACCOUNT", "BANK_ACCOUNT"),
    "litecoin": Kind(lambda r: "L" + of(BASE58, 33)(r), "ltc_wallet", "BANK_ACCOUNT", "BANK_ACCOUNT"),
    "upi": Kind(
        lambda r: f"{of(LOWER, 6)(r)}@{r.choice(['okaxis', 'ybl', 'paytm'])}", "upi_id", "BANK_ACCOUNT", "BANK_ACCOUNT"
    ),
    "sort code": Kind(form("##-##-##"), "sort_code", "BANK_CODE", None),
    "uk account": Kind(form("########"), "account_number", "BANK_ACCOUNT", None),
    "ifsc": Kind(lambda r: of(UPPER, 4)(r) + "0" + of(DIGITS, 6)(r), "ifsc", "BANK_CODE", "BANK_CODE|UNRESOLVED_ID"),
    "bic": Kind(
        lambda r: of(UPPER, 4)(r) + r.choice(["DE", "KE", "FR", "GB"]) + "FF" + r.choice(["", "XXX"]),
        "bic",
        "BANK_CODE",
        "BANK_CODE",
    ),
    "card visa": Kind(luhn("4", 16), "card_number", "CREDIT_CARD", "CREDIT_CARD"),
    "card amex": Kind(luhn("37", 15), "cc", "CREDIT_CARD", "CREDIT_CARD"),
    "card unionpay": Kind(luhn("62", 19), "card_no", "CREDIT_CARD", "CREDIT_CARD"),
    "card track": Kind(
        lambda r: f"%B{luhn('4', 16)(r)}^DOE/JANE^25121010000000000?", "track1", "CREDIT_CARD", "CREDIT_CARD"
    ),
    "card expiry": Kind(lambda r: f"{r.randint(1, 12):02d}/{r.randint(25, 31)}", "card_expiry", "CARD_EXPIRY", None),
    "cvv": Kind(form("###"), "cvv", "CARD_SECURITY", None),
    # payloads
    "data uri": Kind(lambda r: "data:image/png;base64,iVBORw0KGgo" + of(ALNUM, 300)(r), "photo", "IMAGE", "IMAGE"),
    "jpeg base64": Kind(lambda r: "/9j/4AAQSkZJRgABAQ" + of(ALNUM, 300)(r), "picture", "IMAGE", "IMAGE"),
    "jpeg hex": Kind(lambda r: "ffd8ffe000104a464946" + of(HEX, 300)(r), "image", "IMAGE", "IMAGE"),
    "png hex": Kind(lambda r: "\\x89504e470d0a1a0a" + of(HEX, 300)(r), "image", "IMAGE", "IMAGE"),
    "webp base64": Kind(
        lambda r: "UklGR" + of(ALNUM, 6)(r) + "XRUJQVlA4" + of(ALNUM, 300)(r), "picture", "IMAGE", "IMAGE"
    ),
    "pdf base64": Kind(
        lambda r: "JVBERi0xLj" + of(ALNUM, 300)(r), "document", "BASE64|FREE_TEXT|IMAGE", "BASE64|FREE_TEXT|IMAGE"
    ),
    "embedding": Kind(vector, "vector", "EMBEDDING|BIOMETRIC", "EMBEDDING"),
    "face embedding": Kind(vector, "face_embedding", "BIOMETRIC|EMBEDDING", "EMBEDDING"),
    "fingerprint template": Kind(
        lambda r: "Rk1SACAyMAAA" + of(ALNUM, 200)(r),
        "fingerprint_template",
        "BIOMETRIC",
        "BIOMETRIC|BASE64|UNRESOLVED_ID",
    ),
    # health and genes
    "icd-10": Kind(lambda r: r.choice("ABCDEFGHIJKLM") + form("##.#")(r), "diagnosis_code", "MEDICAL", "MEDICAL"),
    "icd-9": Kind(form("###.##"), "icd9", "MEDICAL", None),
    "snomed": Kind(lambda r: str(r.randint(10**7, 10**9)), "snomed_code", "MEDICAL", None),
    "loinc": Kind(form("####-#"), "loinc", "MEDICAL", None),
    "ndc": Kind(form("#####-####-##"), "ndc", "MEDICAL", "MEDICAL"),
    "atc": Kind(lambda r: r.choice("ABCDGHJLMNPRSV") + form("##@@##")(r), "atc_code", "MEDICAL", "MEDICAL"),
    "rxnorm": Kind(lambda r: str(r.randint(1000, 2000000)), "rxnorm", "MEDICAL", None),
    "cpt": Kind(form("99###"), "cpt_code", "MEDICAL", None),
    "hgvs": Kind(
        lambda r: (
            f"NM_{of(DIGITS, 6)(r)}.{r.randint(1, 9)}:c.{r.randint(1, 5000)}{r.choice('ACGT')}>{r.choice('ACGT')}"
        ),
        "variant",
        "GENETIC",
        "GENETIC",
    ),
    "hgvs protein": Kind(
        lambda r: f"p.{r.choice(['Arg', 'Gly', 'Val'])}{r.randint(1, 999)}{r.choice(['Ter', 'Leu', 'Cys'])}",
        "mutation",
        "GENETIC",
        "GENETIC",
    ),
    "rsid": Kind(lambda r: f"rs{r.randint(1000, 10**9)}", "snp", "GENETIC", "GENETIC"),
    "genotype": Kind(pick("A/A", "A/G", "G/G", "C/T", "T/T"), "genotype", "GENETIC", None),
    "dna": Kind(of("ACGT", 80), "sequence", "GENETIC", "GENETIC"),
    "mrn": Kind(form("MRN########"), "mrn", "HEALTH_ID", "HEALTH_ID|UNRESOLVED_ID"),
}

# Values that are not personal data: under either name none of the entities of PERSONAL may be found.
NEGATIVES: dict[str, tuple[Make, str]] = {
    "uuid": (lambda r: "-".join(of(HEX, k)(r) for k in (8, 4, 4, 4, 12)), "event_uuid"),
    "sha256": (of(HEX, 64), "checksum"),
    "md5": (of(HEX, 32), "etag"),
    "git sha": (of(HEX, 40), "commit"),
    "git short sha": (of(HEX, 7), "revision"),
    "base64": (lambda r: base64.b64encode(r.randbytes(32)).decode(), "payload"),
    "version": (lambda r: f"{r.randint(0, 9)}.{r.randint(0, 30)}.{r.randint(0, 9)}", "app_version"),
    "semver": (lambda r: f"{r.randint(0, 9)}.{r.randint(0, 30)}.{r.randint(0, 9)}-rc.{r.randint(1, 5)}", "release"),
    "epoch s": (epoch(0), "updated_ts"),
    "epoch ms": (epoch(3), "updated_ts"),
    "epoch us": (epoch(6), "updated_ts"),
    "epoch ns": (epoch(9), "updated_ts"),
    "amount": (lambda r: f"{r.uniform(1, 9999):.2f}", "price"),
    "amount with sign": (lambda r: f"${r.uniform(1, 9999):,.2f}", "price"),
    "boolean": (pick("true", "false"), "enabled"),
    "enum": (pick("NEW", "OPEN", "CLOSED", "HELD"), "status"),
    "colour": (lambda r: "#" + of(HEX, 6)(r), "colour"),
    "mime": (pick("image/png", "application/json", "text/csv"), "content_type"),
    "file path": (lambda r: f"/var/log/{of(LOWER, 6)(r)}/{of(LOWER, 5)(r)}.log", "file"),
    "timestamp": (
        lambda r: f"2024-0{r.randint(1, 9)}-1{r.randint(0, 9)}T0{r.randint(0, 9)}:15:3{r.randint(0, 9)}Z",
        "logged",
    ),
    "product url": (
        lambda r: f"https://shop.example.com/products/{of(LOWER, 8)(r)}-{r.randint(1, 999)}",
        "product_url",
    ),
    "sku": (form("@@@-####-@@"), "sku"),
    "currency": (pick("EUR", "KES", "USD", "GBP"), "currency"),
    "hex": (lambda r: "0x" + of(HEX, 8)(r), "register"),
    "doi": (lambda r: f"10.{r.randint(1000, 9999)}/{of(LOWER, 6)(r)}.{r.randint(1000, 9999)}", "doi"),
    "ratio": (lambda r: f"{r.random():.6f}", "ratio"),
    "percent": (lambda r: f"{r.randint(0, 100)}%", "discount"),
    "order": (form("ORD-########"), "order_id"),
    "country codes": (pick("NEW", "USED"), "condition"),
    "duration": (lambda r: f"{r.randint(0, 3)}:{r.randint(10, 59)}:{r.randint(10, 59)}", "duration"),
    "port": (lambda r: str(r.randint(1, 65535)), "port"),
    "http status": (pick("200", "404", "500", "301"), "http_status"),
    "hostname": (lambda r: f"web-{r.randint(1, 99):02d}.prod.example.internal", "hostname"),
    "k8s pod": (lambda r: f"api-{of(HEX, 9)(r)}-{of(LOWER, 5)(r)}", "pod"),
    "arn": (lambda r: f"arn:aws:s3:::{of(LOWER, 8)(r)}/{of(LOWER, 4)(r)}", "arn"),
    "dimension": (lambda r: f"{r.randint(10, 99)}x{r.randint(10, 99)} cm", "size"),
    "temperature": (lambda r: f"{r.uniform(-10, 40):.1f}", "temperature"),
    "cron": (lambda r: f"{r.randint(0, 59)} {r.randint(0, 23)} * * *", "schedule"),
    "tracking": (form("1Z######0###"), "shipment"),
}
PERSONAL = frozenset(
    "PERSON_NAME FIRST_NAME LAST_NAME EMAIL PHONE CREDIT_CARD IBAN SSN NATIONAL_ID TAX_ID HEALTH_ID IP_ADDRESS "
    "MAC_ADDRESS DATE_OF_BIRTH STREET_ADDRESS PASSPORT DRIVER_LICENSE DEVICE_ID BANK_ACCOUNT VEHICLE_ID VOTER_ID "
    "SECRET PASSWORD IMAGE BIOMETRIC GENETIC COORDINATES USERNAME AGE GENDER".split()
)


def vin(r: random.Random) -> str:
    """Return a vehicle identification number whose check digit holds."""
    from privaudit.detect.catalogue import validators

    while True:
        text = r.choice(["1HG", "WBA", "JTD"]) + of("ABCDEFGHJKLMNPRSTUVWXYZ0123456789", 14)(r)
        for check in "0123456789X":
            number = text[:8] + check + text[9:]
            if validators.get("vin")(number):
                return number


def bech32(r: random.Random, head: str) -> str:
    """Return a Bitcoin address of the newer form (BIP 173)."""
    data = [0, *(r.randrange(32) for _ in range(32))]
    expanded = [ord(c) >> 5 for c in head] + [0] + [ord(c) & 31 for c in head]
    rest = _polymod([*expanded, *data, *[0] * 6]) ^ 1
    check = [(rest >> 5 * (5 - i)) & 31 for i in range(6)]
    return head + "1" + "".join(BECH32[d] for d in [*data, *check])


def _polymod(values: list[int]) -> int:
    state = 1
    for value in values:
        top = state >> 25
        state = (state & 0x1FFFFFF) << 5 ^ value
        for i, generator in enumerate((0x3B6A57B2, 0x26508E6D, 0x1EA119FA, 0x3D4233DD, 0x2A1462B3)):
            state ^= generator if (top >> i) & 1 else 0
    return state


def values(make: Make, n: int = 60, seed: int = 11) -> list[str]:
    """Return `n` values of one maker."""
    source = random.Random(seed)
    return [make(source) for _ in range(n)]
