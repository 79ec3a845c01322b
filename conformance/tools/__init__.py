"""The two tools of the page on Tu Chân Giới: a roller of d20 checks and a calculator of stats.

Every number comes from the rule book, under a profile; what the book leaves open is shown as open, with its readings.
"""
