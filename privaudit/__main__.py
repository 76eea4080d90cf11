"""`python -m privaudit` is the same as `privaudit`."""

from privaudit.cli import main

main()
