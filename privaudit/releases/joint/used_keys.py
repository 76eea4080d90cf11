"""A shared key is for one audit: a silo that used it for a plan does not use it for this plan again.

Question: was this key used by this silo for this plan?
Method: a file next to the key, named by a hash of the silo and the plan, that is made by the first use.
Limits: it protects from an oversight, not from somebody who deletes it or copies the key to another folder.
"""

from __future__ import annotations

import hashlib
from pathlib import Path

from privaudit.advice.technique.key_file import write_secret
from privaudit.base.errors import ConfigError
from privaudit.model.headers import shown_file
from privaudit.releases.joint.plan import JointPlan


def mark(key: Path, silo: str, plan: JointPlan) -> Path:
    """Record that a silo uses a key for a plan, and return the file that records it.

    Raises
    ------
    ConfigError
        If it was used before: the combiner could compare the keys of two audits, or of two versions of a table. If the
        use cannot be recorded.
    """
    name = hashlib.sha256(b"\0".join((silo.encode(), plan.fingerprint.encode()))).hexdigest()[:16]
    place = key.with_name(f"{key.name}.{name}.used")
    try:
        write_secret(place, b"This key was used in a joint audit.\n")
    except ConfigError:
        was_used = place.exists()
    else:
        return place
    if was_used:
        raise ConfigError(
            f"{silo} has used this key for this plan already; the combiner could compare both audits.",
            hint="make a new key for all silos: privaudit joint key new FILE",
        )
    raise ConfigError(
        f"{silo} cannot record next to the key {shown_file(key)} that it is used: the folder cannot be written.",
        hint="move the key to a folder on a disk that can be written and has space",
    )
