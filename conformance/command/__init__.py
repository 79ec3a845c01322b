"""The operator's command: `raw`."""
