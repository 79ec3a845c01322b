"""Whether the suite notices slips in procedures and formulas: each is made once, and the items are judged again."""
