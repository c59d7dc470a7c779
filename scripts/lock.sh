#!/bin/sh
# Renews the two locks of Python packages: same versions in both, hashes for every platform and Python we support.
set -eu
cd "$(dirname "$0")/.."
lock="uv pip compile pyproject.toml --universal --generate-hashes --no-annotate --no-header --python-version 3.11 --quiet"
$lock --group pyproject.toml:dev --output-file requirements/dev.lock "$@"
$lock --constraint requirements/dev.lock --output-file requirements/run.lock "$@"
