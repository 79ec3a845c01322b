"""The report's pages. They are run, checked and rendered by conformance.report; nothing imports them."""
