"""The pages are built where no lesson runs; the other tests here read those of lessons that ran."""

import subprocess
import sys

import pytest
from site_pages import PAGES, ROOT

BUILD = """
import sys
from pathlib import Path
import build
sys.exit(build.main(["-q", "-D", "nb_execution_mode=off"], Path(sys.argv[1])))
"""


@pytest.mark.slow
def test_the_pages_are_built_without_a_word_of_warning(tmp_path):
    done = subprocess.run(
        [sys.executable, "-c", BUILD, tmp_path], cwd=ROOT / "site", capture_output=True, text=True
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert [page for page in PAGES if not (tmp_path / "html" / f"{page}.html").is_file()] == []
