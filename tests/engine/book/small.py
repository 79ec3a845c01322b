"""A book of one clause, one question and one property, to be spoilt by tests."""

from engine.book.load import load_book
from tests.scratch import write_book

CLAUSE = """
### TT-1.1 Double

Twice the number.

```yaml
source: [1]
define: double(n) = 2 * n
cases:
  - {n: 1, is: 2}
```
"""
QUESTION = """
### TT-Q01 Which way?

Up or down.

```yaml
source: [1]
readings:
  - {id: half-up, says: up, gives: 2}
  - {id: half-down, says: down, gives: 1}
ask: double
given: {n: 1}
```
"""
PROPERTY = """
### TT-P1 Never negative

Twice a number is no debt.

```yaml
claim: double(n) >= 0
by: enumeration
```
"""


def load(tmp_path, chapter=CLAUSE, **parts):
    domains = parts.pop("domains", {"n": "0..9"})
    return load_book(write_book(tmp_path, chapter, domains=domains, **parts))
