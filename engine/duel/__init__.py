"""Whole fights, solved exactly.

A system says how one turn of a fight goes, as a procedure. Here that procedure is played over every roll, and a
kernel adds up what follows: who wins, how likely, after how many rounds. No rule is written twice.
"""
