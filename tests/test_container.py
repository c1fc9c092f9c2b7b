"""What the container file promises: a user without rights, nothing but the clone, pinned versions, a health answer.

Versions are pinned once, in constraints.txt, and the hashes of their files beside them.
"""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from pages.shared.server.health import PATH
from tests.stand_ins import module_at

ROOT = Path(__file__).resolve().parents[1]
TEXT = (ROOT / "Containerfile").read_text(encoding="utf-8")


container_file = module_at(ROOT / ".ci" / "container_file.py")
STEPS = container_file.read_steps(TEXT)
HASHES = {path.stem: path.read_text(encoding="utf-8") for path in (ROOT / ".ci" / "hashes").glob("*.txt")}
newest = module_at(ROOT / ".ci" / "newest.py")
PINNED = newest.pins((ROOT / "constraints.txt").read_text(encoding="utf-8"))


@pytest.fixture
def image():
    made = container_file.Image()
    for step in STEPS:
        container_file.apply(step, made)
    return made


def test_it_runs_as_a_user_without_rights(image):
    assert image.user not in ("", "0", "root")
    assert [step.rest for step in STEPS if step.word == "USER"] == [image.user], "never back to root"
    assert f"--uid 10001 {image.user}" in TEXT


def test_no_folder_of_the_whole_clone_is_copied_and_what_is_belongs_to_the_user(image):
    copies = [container_file.read_copy(step.rest) for step in STEPS if step.word == "COPY"]
    assert {copied.owner for copied in copies} == {f"{image.user}:{image.user}"}
    assert "." not in {source for copied in copies for source in copied.sources}


def test_versions_are_those_of_the_constraints_and_the_base_is_one_by_its_digest():
    installs = [words for step in STEPS for words in re.findall(r"pip install [^&]*", step.rest)]
    dependencies, program = installs
    assert "--require-hashes -r run.txt" in dependencies
    assert "--no-deps --no-build-isolation" in program, "nothing else is fetched"
    (base,) = (step.rest for step in STEPS if step.word == "FROM")
    assert re.fullmatch(r"docker\.io/library/python:3\.\d+-slim@sha256:[0-9a-f]{64}", base)


def test_the_server_is_the_process_that_the_signal_reaches_and_its_health_answers(image):
    """The address of the question is served, on the port that is exposed and listened to."""
    (port,) = image.ports
    *_, script = image.command
    assert image.command[0] == "streamlit" or " exec streamlit run app.py " in script
    assert f"--server.port {port} " in script
    assert f"http://127.0.0.1:{port}{PATH}" in image.health[-1]
    compile(image.health[-1], "HEALTHCHECK", "exec")


def test_hashes_are_those_of_the_versions_that_are_pinned() -> None:
    hashed = [newest.pins(text) for text in HASHES.values()]
    assert {name: version for pins in hashed for name, version in pins.items()} == PINNED
    assert sum(map(len, hashed)) == len(PINNED), "a package stands in one of the files"
    for text in HASHES.values():
        packages = re.split(r"\n(?=\S)", text.strip())[1:]
        assert all(package.startswith("-r ") or "--hash=sha256:" in package for package in packages)
        assert "://" not in text, "no address of an index"


@pytest.mark.more
def test_its_steps_run_in_a_root_folder_and_the_server_answers():
    """By `.ci/container.py`, some minutes; only where somebody asks for it, as root."""
    folder = os.environ.get("CONTAINER_FOLDER")
    if folder is None:
        pytest.skip("CONTAINER_FOLDER names no folder to build the container's files in")
    if os.getuid() != 0 or shutil.which("debootstrap") is None:
        pytest.skip("building without an engine needs root and debootstrap")
    run = subprocess.run(
        [sys.executable, ".ci/container.py", folder], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert run.returncode == 0, run.stdout[-3000:] + run.stderr[-3000:]
