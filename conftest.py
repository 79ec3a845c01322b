"""Loads the plugin of `pytest conformance` from this copy, wherever pytest is started and whatever it is given."""

pytest_plugins = ["conformance.plugin"]
