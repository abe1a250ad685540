"""The rules, by topic: one small function each, listed in ``seamwright.check.table``."""
