"""``python -m seamwright``, the same as ``seamwright``."""

import sys

from seamwright.cli import main

if __name__ == "__main__":
    sys.exit(main())
