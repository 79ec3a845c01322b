"""The tools of a source as notebooks to work with; no pages of the report."""
