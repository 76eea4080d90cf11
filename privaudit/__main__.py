"""``python -m privaudit``: the command line."""

import sys

if __name__ == "__main__":
    try:
        from privaudit.cli import main
    except KeyboardInterrupt:  # interrupted before the command line could handle it
        sys.exit("privaudit: E130: Stopped; nothing was written.")
    main()
