"""Dockerfile, dev container, Binder and README: what they name is there, and says the same."""

import json
import os
import re
import subprocess
import tomllib
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from PIL import Image

from course_utils.manifest import load_manifest, repository_root

ROOT = repository_root()
README = (ROOT / "README.md").read_text(encoding="utf-8")
DOCKERFILE = (ROOT / "Dockerfile").read_text(encoding="utf-8")
PAGE = (ROOT / "site" / "guides" / "other_ways.md").read_text(encoding="utf-8")
BINDER = ROOT / "binder"
DEVCONTAINER = json.loads((ROOT / ".devcontainer" / "devcontainer.json").read_text("utf-8"))
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]

COURSE = load_manifest()


# --- README ------------------------------------------------------------------------------------


def test_the_readme_lists_every_lesson_in_order():
    rows = re.findall(r"^\| (\d\d) \| (.+?) \| (.+) \|$", README, flags=re.M)
    assert rows == [(lesson.number, lesson.title, lesson.goal) for lesson in COURSE.lessons]


def test_the_badges_tell_the_versions_that_the_package_takes():
    (torch,) = [each for each in PROJECT["dependencies"] if each.startswith("torch")]
    first, beyond = re.fullmatch(r"torch>=2\.(\d+),<2\.(\d+)", torch).groups()
    assert f"PyTorch 2.{first} to 2.{int(beyond) - 1}" in README
    assert f"Python {PROJECT['requires-python'].removeprefix('>=')} to" in README


def test_every_picture_of_the_readme_is_small_and_described():
    pictures = re.findall(r"!\[([^]]+)\]\((notebooks/[^)]+)\)", README)
    assert len(pictures) == 3
    for words, path in pictures:
        assert len(words) > 40
        assert (ROOT / path).stat().st_size < 80_000
        with Image.open(ROOT / path) as picture:
            assert picture.width > 800


# --- containers --------------------------------------------------------------------------------


def stages() -> dict[str, str]:
    """Each stage of the Dockerfile with what it is made from."""
    return {name: base for base, name in re.findall(r"^FROM (\S+) AS (\S+)$", DOCKERFILE, re.M)}


def test_every_stage_is_made_from_another_or_from_debian():
    known = stages()
    assert set(known.values()) - set(known) == {"debian:bookworm-slim"}
    assert set(re.findall(r"--from=(\S+)", DOCKERFILE)) <= set(known)
    assert list(known)[-1] == "learner"  # what `docker build .` makes
    assert set(re.findall(r"--target (\S+)", DOCKERFILE + PAGE)) <= set(known)


def test_what_a_container_runs_belongs_to_no_root():
    for stage in ("learner", "instructor"):
        assert stages()[stage] == "course"
    course = DOCKERFILE.partition(" AS course")[2]
    assert re.findall(r"^USER (\S+)$", course, re.M) == ["learner"]


def test_the_image_leaves_out_what_is_private():
    """What git ignores of a class and a learner must not get into an image either."""
    ignored = (ROOT / ".gitignore").read_text().split()
    left_out = (ROOT / ".dockerignore").read_text().split()
    private = [each.strip("/") for each in ignored if each.startswith(("/assignments", "/work"))]
    assert private and set(private) <= set(left_out)


def test_the_dev_container_is_a_stage_and_runs_a_target():
    build = DEVCONTAINER["build"]
    assert (ROOT / ".devcontainer" / build["dockerfile"]).resolve() == ROOT / "Dockerfile"
    assert build["target"] in stages()
    assert (
        f"useradd --create-home --uid 1000 --shell /bin/bash {DEVCONTAINER['remoteUser']}"
        in DOCKERFILE
    )
    target = DEVCONTAINER["postCreateCommand"].removeprefix("make ")
    assert re.search(rf"^{target}:", (ROOT / "Makefile").read_text(), flags=re.M)


def test_the_address_of_the_small_build_of_torch_stands_in_one_place():
    (address,) = re.findall(r"https://\S+", (ROOT / "torch-cpu.txt").read_text("utf-8"))
    found = subprocess.run(
        ["git", "grep", "-l", "--fixed-strings", urlsplit(address).netloc],
        cwd=ROOT,
        capture_output=True,
        text=True,
    )
    assert found.stdout.splitlines() == ["torch-cpu.txt"]


# --- Binder ------------------------------------------------------------------------------------


def test_binder_installs_what_make_installs():
    lines = (BINDER / "requirements.txt").read_text().splitlines()
    (others,) = [line.removeprefix("-r ") for line in lines if line.startswith("-r ")]
    assert (BINDER / others).resolve() == ROOT / "torch-cpu.txt"
    (constraints,) = [line.removeprefix("-c ") for line in lines if line.startswith("-c ")]
    assert (BINDER / constraints).resolve() == ROOT / "constraints.txt"  # pip: beside the file
    editable = [line.removeprefix("-e ") for line in lines if line.startswith("-e ")]
    for folder in editable:
        assert (ROOT / folder / "pyproject.toml").is_file()  # pip: below where it is called
        assert f"-e {folder}" in (ROOT / "Makefile").read_text()
        assert f"-e {folder}" in (ROOT / "environment.yml").read_text()


def test_binders_python_is_one_that_the_course_is_tested_with():
    version = (BINDER / "runtime.txt").read_text().strip().removeprefix("python-")
    assert f"python={version}" in (ROOT / "environment.yml").read_text()
    assert (3, 11) <= tuple(map(int, version.split("."))) <= (3, 13)


@pytest.mark.parametrize("name", ["postBuild", "start"])
def test_binders_scripts_can_be_run(name):
    assert os.access(BINDER / name, os.X_OK)
    assert subprocess.run(["bash", "-n", BINDER / name]).returncode == 0


def test_binder_starts_its_server_in_the_workspace(tmp_path):
    (tmp_path / "binder").mkdir()
    (tmp_path / "workspace").mkdir()
    script = tmp_path / "binder" / "start"
    script.write_bytes((BINDER / "start").read_bytes())
    server = 'pwd; echo "$COURSE_WORKSPACE"; echo "$JUPYTER_CONFIG_PATH"'
    told = subprocess.run(
        ["bash", script, "bash", "-c", server],
        capture_output=True,
        text=True,
        cwd="/",
        check=True,
    ).stdout.splitlines()
    assert told[:2] == [str(tmp_path / "workspace")] * 2
    settings = Path(told[2]).relative_to(tmp_path)
    assert (ROOT / settings / "jupyter_server_config.d" / "on_the_right_device.json").is_file()


# --- the page ----------------------------------------------------------------------------------


def test_the_page_names_files_that_exist():
    for target in re.findall(r"\]\((?!https:)([^)#]+)\)", PAGE):
        assert (ROOT / "site" / "guides" / target).exists(), target


def test_the_address_is_explained_once():
    """It is not known yet; whoever publishes the course writes it there."""
    assert PAGE.count("stands for") == 1 and "ADDRESS_OF_THE_COURSE` stands for" in PAGE
