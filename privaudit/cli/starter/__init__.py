"""What `privaudit init` writes: settings, a pre-commit entry and a CI job, after a look at the data files."""

from privaudit.cli.starter.files import Written, start

__all__ = ["Written", "start"]
