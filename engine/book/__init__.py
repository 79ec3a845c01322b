"""Rule books: Markdown and TOML in, frozen data out, every error with its file and line."""
