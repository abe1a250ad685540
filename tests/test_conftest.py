"""The harness itself."""

from __future__ import annotations

from pathlib import Path

import pytest

import conftest


def test_a_present_shared_folder_is_given(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A folder that is there is given as it is."""
    (tmp_path / "recorded").mkdir()
    monkeypatch.setattr(conftest, "SHARED", tmp_path)

    assert tmp_path / "recorded" == conftest.shared_folder("recorded")


def test_an_absent_shared_folder_skips_by_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A test that needs an absent folder is skipped, and the reason names the folder."""
    monkeypatch.setattr(conftest, "SHARED", tmp_path)

    with pytest.raises(pytest.skip.Exception, match="'recorded'"):
        conftest.shared_folder("recorded")
