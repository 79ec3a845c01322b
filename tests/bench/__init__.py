"""`make bench`: what things cost, beside what they may cost. Measured in one run, quoted as ratios."""
