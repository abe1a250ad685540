"""Runs every benchmark: ``make bench``."""

from __future__ import annotations

import sys

from benchmarks import batch, build, check, ingest, wiring

if __name__ == "__main__":
    codes = []
    for benchmark in (build, ingest, check, wiring, batch):
        print(f"\n{benchmark.__name__}: {(benchmark.__doc__ or '').splitlines()[0]}")
        codes.append(benchmark.main())
    sys.exit(max(codes))
