# shellcheck shell=bash
# Shared by the scripts: where the repository is, how to speak, how many jobs to start.
# Sourced, never run. Sets the working directory to the root of the repository.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

say() {
    printf '%s\n' "$*"
}

die() {
    printf '%s: %s\n' "scripts/$(basename "$0")" "$*" >&2
    exit 2
}

jobs() {
    getconf _NPROCESSORS_ONLN 2>/dev/null || printf '2\n'
}

# Prints a Python that can import pytest: the one on PATH, else the system's.
python_with_pytest() {
    local python
    for python in python3 /usr/bin/python3; do
        if "$python" -c 'import pytest' >/dev/null 2>&1; then
            printf '%s\n' "$python"
            return 0
        fi
    done
    return 1
}
