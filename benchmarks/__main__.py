"""Runs what ``make bench`` shows: the table, and how many states a second go through a batch."""

from __future__ import annotations

import sys

from benchmarks import batch, table

if __name__ == "__main__":
    codes = [table.main()]
    print("\nstates rendered as lines of a batch, and what a second worker brings:")
    codes.append(batch.main())
    sys.exit(max(codes))
