"""A rule book whose every text tries to become part of the page, and what a page may hold."""

from __future__ import annotations

from html.parser import HTMLParser
from pathlib import Path

from tests.scratch import write_book

SCRIPT = "<script>alert(1)</script>"
TEMPLATE = "{{7*7}} {% raw %} {{user}} ${7*7} <%= 7 %>"
LINK = "[here](javascript:alert(1)) ![x](http://tracker.example/x.png) <http://tracker.example> [ok](https://example.org/a)"
FENCE = "~~~html\n</code></pre><img src=x onerror=alert(1)>\n~~~"
NAME = "Một kiếm tu ở Kim Đan kỳ"

CHAPTER = f"""
### TT-1.1 {SCRIPT} {TEMPLATE}

{SCRIPT} {TEMPLATE} {LINK} see TT-1.2, TT-Q01-like and TT-9.9.

{FENCE}

> # A heading that is none

| a | b |
|--:|---|
| <b onclick="x">1</b> | `TT-1.2` |

```yaml
source: [1]
define: first(n) = n if Q01 == "plain" else n + 1
cases:
  - {{n: 0, is: 0, under: {{Q01: plain}}, work: "<i>0</i> {{{{user}}}}"}}
  - {{n: 3, is: 4, under: {{Q01: odd}}, boundary: "<svg onload=alert(1)>"}}
```

### TT-1.2 {NAME}

Wrong on purpose: {NAME} &lt; &amp; < &.

```yaml
source: [1]
define: second(word) = word
cases:
  - {{word: "<script>x</script>", is: "</td></table>"}}
  - {{word: "{NAME}", is: "{NAME}"}}
```

### TT-1.3 Nothing to compute

A duty.

```yaml
source: [1]
no_case: "</p><script>x</script>"
```
"""
QUESTIONS = f"""
### TT-Q01 Is it "{SCRIPT}"?

{SCRIPT}

```yaml
source: [1]
readings:
  - {{id: plain, says: "{SCRIPT}", gives: 1}}
  - {{id: odd, says: "{{{{7*7}}}}", gives: 2}}
ask: first
given: {{n: 1}}
```
"""
PROPERTIES = f"""
### TT-P1 {SCRIPT}

{LINK}

```yaml
claim: first(n) >= n
by: enumeration
```
"""
DOMAINS: dict[str, object] = {"n": "0..9", "word": ["<script>x</script>", NAME, "</td></table>"]}
VOID = {"meta", "link", "br", "img", "path", "line", "circle", "rect", "use", "hr", "input"}


def write_hostile(folder: Path) -> Path:
    """The book, in a folder of its own below `folder`."""
    return write_book(folder, CHAPTER, questions=QUESTIONS, properties=PROPERTIES, domains=DOMAINS)


class Reader(HTMLParser):
    """Reads a page and notes its elements, ids, addresses and headings, and elements that do not close."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.attributes: set[str] = set()
        self.ids: list[str] = []
        self.addresses: list[str] = []
        self.headings: list[int] = []
        self.text: list[str] = []
        self.wrong: list[str] = []
        self._open: list[str] = []
        self.feed(text)
        self.close()
        self.wrong += [f"<{tag}> never closes" for tag in self._open]

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        for name, value in attrs:
            self.attributes.add(name)
            if name == "id":
                self.ids.append(value or "")
            if name in ("href", "src", "action", "xlink:href"):
                self.addresses.append(value or "")
        if tag in {"h1", "h2", "h3", "h4", "h5", "h6"}:
            self.headings.append(int(tag[1]))
        if tag not in VOID:
            self._open.append(tag)

    def handle_endtag(self, tag):
        if tag in VOID:
            return
        if not self._open or self._open[-1] != tag:
            self.wrong.append(f"</{tag}> within {self._open[-1:]}")
        else:
            self._open.pop()

    def handle_data(self, data):
        self.text.append(data)
