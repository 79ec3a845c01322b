"""Evaluates rule books exactly, under every reading of what their text leaves open.

The engine reads `spec/` and answers calls. It knows no test runner, no notebook and no terminal.
"""
