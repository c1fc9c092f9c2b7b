"""Looks the versions of constraints.txt up among known vulnerabilities, with pip-audit; fails where one is known.

Without pip-audit, a network or an index that knows the packages it says in one line that it was skipped.
"""

import json
import subprocess
import sys

WORDS = "-r constraints.txt --no-deps --disable-pip --progress-spinner off --timeout 10 --format json"
MOST_SECONDS = 300


def looked_up() -> str:
    """What pip-audit writes; '' where it does not get that far."""
    command = [sys.executable, "-m", "pip_audit", *WORDS.split()]
    try:
        return subprocess.run(command, capture_output=True, text=True, timeout=MOST_SECONDS, check=False).stdout
    except subprocess.TimeoutExpired:
        return ""


def verdict(told: str) -> tuple[str, int]:
    """A text for people, and the exit status."""
    try:
        packages = json.loads(told)["dependencies"]
    except (ValueError, KeyError):
        return "audit skipped: pip-audit is not installed, or cannot reach its index", 0
    known = [package for package in packages if "skip_reason" not in package]
    if not known:
        return "audit skipped: the index here knows nothing of vulnerabilities", 0
    found = [
        f"{package['name']} {package['version']}: {vulnerability['id']}, mended in "
        f"{', '.join(vulnerability['fix_versions']) or 'no version yet'}"
        for package in known
        for vulnerability in package["vulns"]
    ]
    asked = f"{len(known)} of {len(packages)} packages looked up, {len(found)} known vulnerabilities"
    return "\n".join([asked, *found]), 1 if found else 0


if __name__ == "__main__":
    text, status = verdict(looked_up())
    print(text)
    sys.exit(status)
