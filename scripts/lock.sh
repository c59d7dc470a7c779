#!/bin/sh
# Renews the locks of Python packages: same versions in run.lock and dev.lock, hashes for every platform and Python.
set -eu
cd "$(dirname "$0")/.."
lock="uv pip compile --universal --generate-hashes --no-annotate --no-header --python-version 3.11 --quiet"
$lock requirements/build.in --output-file requirements/build.lock "$@"
$lock pyproject.toml --extra llm --group pyproject.toml:dev --output-file requirements/dev.lock "$@"
$lock pyproject.toml --extra llm --constraint requirements/dev.lock --output-file requirements/run.lock "$@"
