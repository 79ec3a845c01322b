"""`pytest conformance`: rule books as test items, engines under test, results, and the operator's command."""
