"""The procedures of each system, one module (or folder) a system. None imports another."""
