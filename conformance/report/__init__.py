"""The generated report: notebooks are run, and their outputs become one static site."""
