"""Prose: Markdown without HTML, ids as links, everything else as it stands."""

import pytest

from conformance.report.prose import Prose

PROSE = Prose({"WA-5.4": "#WA-5.4", "WA-5.40": "#WA-5.40", "WA-Q03": "#WA-Q03"})


def test_ids_become_links_and_others_stay_text():
    assert PROSE.blocks("See WA-5.4, and WA-9.9.") == ('<p>See <a href="#WA-5.4">WA-5.4</a>, and WA-9.9.</p>\n')


@pytest.mark.parametrize(
    ("text", "linked"),
    [
        ("(WA-5.40)", "WA-5.40"),
        ("*WA-5.4*", "WA-5.4"),
        ("`WA-5.4`", "WA-5.4"),
        ("WA-Q03-like", "WA-Q03"),
        ("WA-5.4.", "WA-5.4"),
    ],
)
def test_an_id_is_known_among_other_signs(text, linked):
    html = PROSE.blocks(text)
    assert f'href="#{linked}"' in html
    assert html.count("<a ") == 1


@pytest.mark.parametrize("text", ["XWA-5.4", "WA-5.4b", "WA-5", "raw rule WA-Q033", "[WA-5.4](#x)"])
def test_what_only_resembles_an_id_is_none(text):
    assert 'href="#WA' not in PROSE.blocks(text)


def test_code_that_mentions_an_id_stays_code():
    assert PROSE.blocks("`raw rule WA-Q03 all`") == "<p><code>raw rule WA-Q03 all</code></p>\n"


@pytest.mark.parametrize(
    "text",
    [
        "<script>alert(1)</script>",
        "<img src=x onerror=alert(1)>",
        "![picture](http://tracker.example/x.png)",
        "~~~\n</code></pre><script>x</script>\n~~~",
        "> # heading\n\n# heading\n\nheading\n===",
        "[a]: javascript:alert(1)\n\n[a]",
    ],
)
def test_nothing_but_plain_markup_comes_out(text):
    html = str(PROSE.blocks(text))
    for tag in ("<script", "<img", "<h1", "<h2"):
        assert tag not in html


@pytest.mark.parametrize(
    "address",
    ["javascript:alert(1)", "JaVaScRiPt:alert(1)", "data:text/html,x", "file:///etc/passwd", "//x.y", "02-a.md"],
)
def test_links_lead_to_the_web_or_into_the_page(address):
    assert "<a " not in PROSE.blocks(f"[here]({address})")


def test_links_to_the_web_tell_it_nothing():
    assert 'href="https://example.org/a"' in PROSE.blocks("[here](https://example.org/a)")
    assert 'rel="noopener noreferrer external"' in PROSE.blocks("[here](https://example.org/a)")


@pytest.mark.parametrize("text", ["{{user}}", "{{7*7}}", "{% raw %}", "${x}", "&lt;"])
def test_templates_are_text(text):
    assert PROSE.line(text).unescape() == text.replace("&lt;", "<")


def test_tables_scroll_in_a_box_of_their_own():
    html = PROSE.blocks("| a | b |\n|--:|---|\n| 1 | 2 |")
    assert '<div class="scroll"' in html
    assert "style=" not in html
    assert html.count('scope="col"') == 2
    assert '<td class="n">1</td>' in html


def test_plain_text_is_escaped_around_its_ids():
    assert PROSE.ids("<b> WA-5.4 & more") == '&lt;b&gt; <a href="#WA-5.4">WA-5.4</a> &amp; more'
