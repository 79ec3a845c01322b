"""The shell of a page: a policy that lets nothing in, a table of contents."""

import base64
import hashlib
import re
from html import unescape

from conformance.report.site import Page, by_page, contents, stylesheet, write_page

FRAGMENT = (
    '<section><h2 id="a" data-toc="First &lt;b&gt;">x</h2><h3 id="WA-1.1" data-toc="Rule" data-label="WA-1.1"'
    ' data-status="open">y</h3></section>'
)
PAGE = Page("a.html", "Title <x>", "Heading", "", (FRAGMENT,))


def test_the_policy_allows_the_one_stylesheet_and_nothing_else():
    html = write_page(PAGE, [PAGE], "test")
    (policy,) = re.findall(r'Content-Security-Policy" content="([^"]*)"', html)
    (style,) = re.findall(r"<style>(.*?)</style>", html, re.DOTALL)
    digest = base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()
    assert unescape(policy) == (
        f"default-src 'none'; style-src 'sha256-{digest}'; img-src data:; base-uri 'none'; form-action 'none'"
    )


def test_the_stylesheet_loads_nothing():
    assert not re.findall(r"@import|url\(|@font-face|expression", stylesheet())
    assert "</" not in stylesheet()


def test_contents_follow_the_headings():
    (entry,) = contents([FRAGMENT])
    assert (entry.address, entry.text) == ("#a", "First <b>")
    assert [(c.address, c.label, c.text, c.status) for c in entry.children] == [("#WA-1.1", "WA-1.1", "Rule", "open")]


def test_contents_lead_where_a_heading_says():
    (entry,) = contents(['<h2 id="a" data-toc="A" data-href="b.html">A</h2>'])
    assert entry.address == "b.html"


def test_sections_go_to_the_pages_that_they_name():
    fragments = [
        '<p>first</p><section id="s">1</section>',
        'x<section data-page="a&amp;b.html">2</section><section>3</section>',
    ]
    assert by_page(fragments) == {
        "": ["<p>first</p>", '<section id="s">1</section>', "x", "<section>3</section>"],
        "a&b.html": ['<section data-page="a&amp;b.html">2</section>'],
    }


def test_the_page_in_hand_is_marked():
    other = Page("b.html", "Other", "Other", "", ())
    html = write_page(PAGE, [PAGE, other], "test")
    assert html.count('aria-current="page"') == 1
    assert "<title>Title &lt;x&gt; · Rules As Written</title>" in html
    assert '<html lang="en">' in html
    assert '<a class="skip" href="#content">' in html
