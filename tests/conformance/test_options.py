"""Options: what they fix, and one line for each that is wrong."""

from pathlib import Path

import pytest

from conformance.options import Options, fixed_readings, open_engines
from engine.errors import InputError
from tests.conformance.shelf import Shelf
from tests.scratch import write_book

OTHER = """
### TT-1.1 Rule

A rule.

```yaml
source: [1]
define: rule = 1
cases:
  - {is: 1}
```
"""


def refusal(shelf: Shelf, **options: object) -> str:
    with pytest.raises(InputError) as refused:
        open_engines(Options(books=shelf.folder, **options))  # type: ignore[arg-type]
    return str(refused.value)


@pytest.mark.parametrize(
    ("options", "line"),
    [
        ({"systems": ("lamps",)}, "--system lamps: there is no such system; one of lanterns"),
        ({"proposals": ("C1",)}, "--proposal C1: there is no such proposal; one of none"),
        ({"profile": "table"}, "--profile table: there is no such profile; one of none"),
        ({"readings": ("Q01",)}, "--reading Q01: it fixes nothing; write it like WA-Q07=half-up"),
        ({"readings": ("WA-Q01=half-up",)}, "--reading WA-Q01: no book has the prefix WA; one of LAN"),
        ({"readings": ("Q01=up",)}, "--reading Q01=up: LAN-Q01 has no such reading; one of half-up, half-down"),
        ({"readings": ("Q03=up",)}, "--reading Q03=up: LAN-Q03 has no such reading; one of none"),
        ({"engine": "no-such-program"}, "--engine: there is no program no-such-program; name one that runs here"),
        ({"engine": "node 'x"}, '--engine node \'x: No closing quotation; write it like --engine "node my_engine.mjs"'),
        ({"engine": "a\udcff"}, "--engine a[U+DCFF]: no UTF-8; results name it: give it another name"),
        ({"engine": " "}, '--engine is empty; write it like --engine "node my_engine.mjs"'),
    ],
)
def test_a_bad_option_is_one_line(shelf: Shelf, options: dict[str, object], line: str):
    assert refusal(shelf, **options) == line


def test_a_folder_that_is_not_there_is_named(shelf: Shelf, tmp_path: Path):
    assert "there is no such folder" in refusal(shelf, sources=tmp_path / "none")
    with pytest.raises(InputError, match="there is no such folder"):
        open_engines(Options(books=tmp_path / "none"))


def test_a_reading_of_a_question_that_is_not_there_is_named(shelf: Shelf):
    assert "--reading LAN-Q09=x: there is no question LAN-Q09" in refusal(shelf, readings=("LAN-Q09=x",))


def test_with_several_systems_a_reading_names_its_own(shelf: Shelf):
    write_book(shelf.folder, OTHER)
    assert refusal(shelf, readings=("Q01=half-up",)) == (
        "--reading Q01: several systems run; name the system too: LAN-Q01=…"
    )
    options = Options(books=shelf.folder, readings=("LAN-Q01=half-up",))
    assert fixed_readings(open_engines(options), options) == {"lanterns": {"Q01": "half-up"}, "test_system": {}}


def test_one_of_several_systems_can_be_chosen(shelf: Shelf):
    write_book(shelf.folder, OTHER)
    assert {item.system for item in shelf.run().items} == {"lanterns", "test_system", "suite"}
    assert {item.system for item in shelf.run(systems=("test_system",)).items} == {"test_system", "suite"}


def test_a_fixed_reading_settles_cases_and_leaves_its_question_open(shelf: Shelf):
    shelf.edit("01-light.md", "{oil: 1, is: 1, under: {Q01: half-up}}", "{oil: 1, is: 1}")
    assert shelf.item("LAN-1.2[oil=1]").status == "deviates"
    assert shelf.item("LAN-1.2[oil=1]", readings=("Q01=half-up",)).status == "conforms"
    assert shelf.item("LAN-1.2[oil=1]", readings=("Q01=half-down",)).actual == "0"
    assert shelf.item("LAN-Q01", readings=("Q01=half-up",)).status == "open"
    # What a case says of itself counts more.
    assert shelf.item("LAN-1.2[one measure rounded down]", readings=("Q01=half-up",)).status == "conforms"


def test_a_profile_fixes_its_readings(shelf: Shelf):
    shelf.edit("01-light.md", "{oil: 1, is: 1, under: {Q01: half-up}}", "{oil: 1, is: 1}")
    shelf.add("profiles.toml", '[profiles.table]\nQ01 = "half-up"\n')
    results = shelf.run(profile="table")
    assert next(i for i in results.items if i.id == "LAN-1.2[oil=1]").status == "conforms"
    assert results.header.options["profile"] == "table"


PROPOSAL = """# C1 A brighter lantern

Three fields at the first level.

```yaml
source: [3]
```

### LAN-1.1 Radius of light

A lantern lights three fields, and one more for each level above the first.

```yaml
source: [3]
define: radius(level) = 3 + (level - 1)
cases:
  - {level: 1, is: 3}
  - {level: 2, is: 4}
```
"""


def test_a_proposal_is_run_as_if_it_were_adopted(shelf: Shelf):
    (shelf.book / "proposals").mkdir()
    shelf.add("proposals/C1.md", PROPOSAL)
    results = {item.id: item for item in shelf.run(proposals=("C1",)).items}
    assert results["LAN-1.1[level=1]"].actual == "3"
    assert "LAN-1.1[level=10]" not in results
    approval = results["LAN-1.1[approval]"]
    assert (approval.status, approval.message) == ("conforms", "changed or added by C1, which is judged as a whole")
    assert results["LAN-1.2[approval]"].status == "conforms"
