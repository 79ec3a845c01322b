"""The formula language: one text, evaluated exactly, proved about, printed and patched."""
