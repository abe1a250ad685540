"""A module that leaves when it is imported."""

import sys

sys.exit(0)
