"""Proposals, judged: what one changes, what it breaks, mends and leaves open."""
