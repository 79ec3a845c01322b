"""The house itself: what is pinned, what is linted, and that its walls stand."""

import ast
import os
import re
import shutil
import subprocess
import sys
import tomllib
from importlib.metadata import packages_distributions
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
LOCK = (ROOT / "requirements.lock").read_text(encoding="utf-8")
PINS = {
    canonicalize_name(requirement.name): requirement
    for requirement in map(Requirement, re.findall(r"^([a-z0-9].*?) *\\$", LOCK, re.MULTILINE))
}
WANTED = [
    *PROJECT["build-system"]["requires"],
    *PROJECT["project"]["dependencies"],
    *(each for extra in PROJECT["project"]["optional-dependencies"].values() for each in extra),
]
_WANTED_BY = dict.fromkeys(("engine", "conformance", "notebooks"), PROJECT["project"]["dependencies"]) | {
    # What an extra brings may be imported where it is used, and its absence said.
    "conformance": [*PROJECT["project"]["dependencies"], *PROJECT["project"]["optional-dependencies"]["dask"]],
    "tests": WANTED,
}


@pytest.mark.parametrize("wanted", sorted({*WANTED}))
def test_every_dependency_is_pinned_for_every_python(wanted):
    requirement = Requirement(wanted)
    pin = PINS[canonicalize_name(requirement.name)]
    (version,) = pin.specifier
    assert requirement.specifier.contains(version.version)
    assert pin.marker is None


@pytest.mark.parametrize("room", ["engine", "conformance", "notebooks", "tests"])
def test_every_imported_package_is_declared(room):
    declared = {canonicalize_name(Requirement(wanted).name) for wanted in _WANTED_BY[room]}
    providers = packages_distributions()
    undeclared = {
        f"{file.relative_to(ROOT)}: {name}"
        for file in sorted((ROOT / room).rglob("*.py"))
        for name in _imports(file) - sys.stdlib_module_names - {"engine", "conformance", "notebooks", "tests"}
        if declared.isdisjoint(map(canonicalize_name, providers.get(name, [])))
    }
    assert undeclared == set()


def _imports(file: Path) -> set[str]:
    nodes = [*ast.walk(ast.parse(file.read_bytes()))]
    plain = {alias.name for node in nodes if isinstance(node, ast.Import) for alias in node.names}
    named = {node.module for node in nodes if isinstance(node, ast.ImportFrom) and node.module and not node.level}
    return {name.partition(".")[0] for name in plain | named}


def test_every_pin_is_exact_and_has_a_hash():
    entries = re.split(r"\n(?=\S)", LOCK.strip())
    assert len(entries) == len(PINS)
    assert all(re.match(r"[a-z0-9.-]+==\S+", entry) and "--hash=sha256:" in entry for entry in entries)


def test_the_lock_names_no_address():
    assert not re.findall(r"https?:|file:|git\+|--(?!hash)|^#|/", LOCK, re.MULTILINE)


def test_every_rule_that_is_off_has_its_reason_beside_it():
    text = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    section = text[text.index("\nignore = [") : text.index("[tool.ruff.lint.per-file-ignores]")]
    rules = re.findall(r'^ +"([A-Z0-9]+)",(.*)$', section, re.MULTILINE)
    assert [rule for rule, _ in rules] == PROJECT["tool"]["ruff"]["lint"]["ignore"]
    assert [rule for rule, rest in rules if not re.search(r" # .{3}", rest)] == []


def test_help_explains_every_target():
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    (targets,) = re.findall(r"^\.PHONY: (help .*)$", makefile, re.MULTILINE)
    shown = subprocess.run(["make", "help"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    assert sorted(re.findall(r"^make (\S+) +\S", shown, re.MULTILINE)) == sorted(targets.split())


BREACHES = {
    "Arrows run one way: notebooks -> conformance -> engine": ("engine/breach_a.py", "import conformance"),
    "Systems never import one another": ("engine/systems/breach_b.py", "from engine.systems import breach"),
    "Nobody imports a system: it is found by its name": ("conformance/breach_c.py", "import engine.systems.breach"),
    "The engine knows no pytest, no notebook, no terminal and no network": ("engine/breach_d.py", "import pytest"),
    "Nothing imports its own tests": ("conformance/breach_e.py", "import tests"),
}


def test_a_breach_of_each_wall_is_seen(tmp_path):
    assert [contract["name"] for contract in PROJECT["tool"]["importlinter"]["contracts"]] == [*BREACHES]
    (tmp_path / "pyproject.toml").write_bytes((ROOT / "pyproject.toml").read_bytes())
    for room in ("engine", "conformance", "notebooks"):
        shutil.copytree(ROOT / room, tmp_path / room, ignore=shutil.ignore_patterns("__pycache__"))
    (tmp_path / "engine/systems/breach.py").touch()

    assert _verdicts(tmp_path) == dict.fromkeys(BREACHES, "KEPT")
    for file, line in BREACHES.values():
        (tmp_path / file).write_text(line, encoding="utf-8")
    assert _verdicts(tmp_path) == dict.fromkeys(BREACHES, "BROKEN")


def _verdicts(folder: Path) -> dict[str, str]:
    command = [str(Path(sys.executable).with_name("lint-imports")), "--no-logo", "--no-cache"]
    environment = os.environ | {"COLUMNS": "200", "PYTHONPATH": str(folder)}
    shown = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False).stdout
    return dict(re.findall(r"^(.+) (KEPT|BROKEN)\b", shown, re.MULTILINE))
