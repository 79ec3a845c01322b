"""Where things stand: addresses that are safe to write, and short where they can be."""

from dataclasses import replace

from conformance.report.addresses import chapter_pages, places


def test_addresses_are_short_on_their_own_page(lanterns):
    home = places(lanterns.book)
    assert (home.home, home.passages) == ("", "lanterns.passages.html")
    assert home.parts["LAN-1.1"] == "lanterns.01-light.html#LAN-1.1"
    assert home.parts["LAN-P1"] == "lanterns.properties.html#LAN-P1"
    chapter = places(lanterns.book, "lanterns.01-light.html")
    assert chapter.parts["LAN-1.1"] == "#LAN-1.1"
    assert chapter.parts["LAN-P1"] == "lanterns.properties.html#LAN-P1"
    assert chapter.at("LAN-Q01") == "lanterns.questions.html#LAN-Q01"
    assert chapter.at("no part") == "lanterns.html"


def test_a_chapter_file_of_any_name_has_an_address(lanterns):
    book = replace(lanterns.book, chapters={"01-a#b": "", "01-a?b": "", '02-"<x>': "", "03-Đan": ""})
    assert [*chapter_pages(book).values()] == [
        "lanterns.01-a-b.html",
        "lanterns.01-a-b.2.html",
        "lanterns.02--x-.html",
        "lanterns.03--an.html",
    ]
