"""Build and try the container file without an engine: its steps run in a root folder of Debian, by ``chroot``.

Usage, as root, where ``debootstrap`` is installed: ``python .ci/container.py FOLDER``. What is committed is built, in
FOLDER/root, from FOLDER/base, which is made where it is not there yet, and kept. That is not the image that the file
names, but Debian with its own Python (``SUITE`` names another one than bookworm). ``CONTAINER_BINDS`` lists files and
folders of this machine, by colons, that its pip needs.

The server is then started as the container would be, once with a root that can be written and once as ``docker run
--read-only`` has it, and must answer its health question, serve a finished picture to a visitor and end on SIGTERM.
"""

from __future__ import annotations

import asyncio
import os
import shlex
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

from container_file import CONTAINER_FILE, Image, apply, read_copy, read_steps

MADE_OF = "ca-certificates,python3,python3-venv"
TEMPORARY = ("/tmp", "/home/lab/.cache")
"""Where ``docker run --read-only`` of SECURITY.md can write."""
HEALTHY, ENDED = 180.0, 30.0


def main(folder: Path) -> None:
    """Make the base, run every step in a copy of it, and try the server."""
    base, root = folder / "base", folder / "root"
    if not (base / "usr/bin/python3").exists():
        _run("debootstrap", "--variant=minbase", f"--include={MADE_OF}", os.environ.get("SUITE", "bookworm"), str(base))
    shutil.rmtree(root, ignore_errors=True)
    _run("cp", "-a", str(base), str(root))
    # As in the image that the file names: `python` on the path, before Debian's.
    (root / "usr/local/bin/python").symlink_to("/usr/bin/python3")
    clone = folder / "clone"
    shutil.rmtree(clone, ignore_errors=True)
    _run("git", "clone", "--quiet", str(CONTAINER_FILE.parent), str(clone))
    image = build(clone, root)
    for read_only in (False, True):
        print(f"== started, {'read-only' if read_only else 'as it is'}", flush=True)
        serve(image, root, read_only)


def build(clone: Path, root: Path) -> Image:
    """Run every step; return what the processes of the container are started with."""
    image = Image()
    for step in read_steps((clone / "Containerfile").read_text()):
        print(f"== {step.word} {step.rest}", flush=True)
        begun = time.monotonic()
        apply(step, image)
        match step.word:
            case "RUN":
                _inside(image, root, "/bin/sh", "-c", step.rest)
            case "WORKDIR":
                (root / image.folder.lstrip("/")).mkdir(parents=True, exist_ok=True)
            case "COPY":
                _copy(clone, root, image, step.rest)
        print(f"   {time.monotonic() - begun:.1f} s", flush=True)
    return image


def _copy(clone: Path, root: Path, image: Image, rest: str) -> None:
    """Copy as `COPY` does: of a folder, what is in it."""
    asked = read_copy(rest)
    target = root / image.folder.lstrip("/") / asked.target
    for source in asked.sources:
        found = clone / source
        put = target / found.name if found.is_file() and (target.is_dir() or asked.target.endswith(".")) else target
        shutil.copytree(found, put, dirs_exist_ok=True) if found.is_dir() else shutil.copy2(found, put)
        _run("chroot", str(root), "chown", "-R", asked.owner or "root:root", "/" + str(put.relative_to(root)))


def serve(image: Image, root: Path, read_only: bool) -> None:
    """Start the command of the container, visit it, and end it.

    Raises
    ------
    SystemExit
        If it does not get well, shows no picture, does not end in time, or writes a traceback.
    """
    log = root.parent / "server.log"
    with log.open("wb") as out:
        server = subprocess.Popen(_words(image, root, image.command, read_only), stdout=out, stderr=subprocess.STDOUT)
    try:
        begun = time.monotonic()
        while subprocess.run(_words(image, root, image.health), capture_output=True, check=False).returncode:
            if server.poll() is not None or time.monotonic() - begun > HEALTHY:
                sys.exit(f"the health question was not answered; the log says\n{log.read_text()[-4000:]}")
            time.sleep(0.5)
        print(f"   healthy after {time.monotonic() - begun:.1f} s", flush=True)
        print(f"   picture after {asyncio.run(_picture(image.ports[0])):.1f} s more", flush=True)
        user = Path(f"/proc/{server.pid}").stat().st_uid
        print(f"   the server's user is {user}", flush=True)
        begun = time.monotonic()
        server.send_signal(signal.SIGTERM)
        print(f"   ended with {server.wait(ENDED)} {time.monotonic() - begun:.1f} s after SIGTERM", flush=True)
    finally:
        server.kill()
        server.wait()
    said = log.read_text()
    if "Traceback" in said or user == 0 or '"event": "stopped"' not in said:
        print(said)
        sys.exit("the server ran as root, wrote a traceback or did not end in good order")


async def _picture(port: int) -> float:
    """Seconds until a visitor of the Path page sees its finished picture."""
    sys.path.insert(0, str(CONTAINER_FILE.parent))
    from benchmarks.app.websocket_visitor import Visitor

    begun = time.monotonic()
    async with Visitor(f"http://127.0.0.1:{port}") as visitor:
        await visitor.open("path", "dataset=python-docs&fold=Fold1&method=l1")
        await visitor.until(lambda: visitor.finished)
    return time.monotonic() - begun


def _inside(image: Image, root: Path, *words: str) -> None:
    _run(*_words(image, root, words))


def _words(image: Image, root: Path, words: tuple[str, ...], read_only: bool = False) -> list[str]:
    """Words that start a command inside, as the user, in the folder and with the settings of the image.

    Mounts are in a namespace of their own, so that they go with the process. Every step is an exec: a signal to the
    process is a signal to the command.
    """
    mounts = [f"mount --bind {root} {root}", f"mount -t proc proc {root}/proc", f"mount --rbind /dev {root}/dev"]
    for path in ["/etc/resolv.conf", *filter(None, os.environ.get("CONTAINER_BINDS", "").split(":"))]:
        inside = shlex.quote(f"{root}{path}")
        make = "mkdir -p" if Path(path).is_dir() else "touch"
        mounts.append(f"mkdir -p $(dirname {inside}) && {make} {inside} && mount --bind {shlex.quote(path)} {inside}")
    if read_only:
        mounts.append(f"mount -o remount,ro,bind {root}")
        options = "mode=1777,noexec,nosuid,nodev"
        mounts += [f"mkdir -p {root}{at} && mount -t tmpfs -o {options} tmpfs {root}{at}" for at in TEMPORARY]
    settings = image.environment | {n: v for n, v in os.environ.items() if n.startswith("PIP_")}
    if image.user != "root":
        settings |= {"HOME": f"/home/{image.user}"}
    start = shlex.join(["env", "-i", *(f"{n}={v}" for n, v in settings.items()), "chroot"])
    user = "" if image.user == "root" else f"--userspec={image.user}:{image.user}"
    enter = shlex.join(["/bin/sh", "-c", f"cd {image.folder} && exec {shlex.join(words)}"])
    script = " && ".join([*mounts, f"exec {start} {user} {root} {enter}"])
    return ["unshare", "--mount", "/bin/sh", "-c", script]


def _run(*words: str) -> None:
    subprocess.run(words, check=True)


if __name__ == "__main__":
    main(Path(sys.argv[1]).resolve())
