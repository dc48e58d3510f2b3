#!/usr/bin/env python3
"""Dots and Boxes (点格棋) starter, SAU protocol. It takes every box and gives away none before it must.

Check: boyi check dots python3 sdk/python/dots.py
Play:  boyi play dots --black "python3 sdk/python/dots.py" --white builtin:random
"""
import random
import sys

SIZE = 6                                      # dots along an edge
LETTERS = "ABCDEF"
LINES = [kind + i + j for kind in "AB" for i in LETTERS for j in LETTERS[:SIZE - 1]]
BOXES = [("A" + LETTERS[y] + LETTERS[x], "A" + LETTERS[y + 1] + LETTERS[x],
          "B" + LETTERS[x] + LETTERS[y], "B" + LETTERS[x + 1] + LETTERS[y])
         for x in range(SIZE - 1) for y in range(SIZE - 1)]


def missing(box):
    """The sides of a box that are not drawn yet."""
    return [side for side in box if side not in drawn]


def choose():
    """A whole turn: lines that complete boxes, then one that does not."""
    turn = []
    while len(drawn) < len(LINES):
        takes = [missing(box)[0] for box in BOXES if len(missing(box)) == 1]
        if takes:
            line = takes[0]
        else:
            free = [line for line in LINES if line not in drawn]
            gifts = {side for box in BOXES if len(missing(box)) == 2 for side in missing(box)}
            line = random.choice([line for line in free if line not in gifts] or free)
        turn.append(line)
        drawn.add(line)
        if not takes:                         # no box completed: the turn is over
            break
    return turn


drawn, me, last = set(), "black", []
for line in sys.stdin:                        # ends when the input is closed
    command, *words = line.split() or [""]
    told = command == "opening"               # part of an opening: taken note of, not answered
    if told:
        command, *words = words or [""]
    if command == "name?":
        print("name dots-starter+openings", flush=True)
    elif command == "new":
        drawn, me, last = set(), words[0], []
    elif command in ("move", "played") and words:         # move 2 AAABAB: how many lines, then the lines
        drawn.update(words[1][i:i + 3] for i in range(0, len(words[1]), 3))
    elif command == "error":                  # my last move was not accepted: take it back
        drawn.difference_update(last)
    elif command == "quit":
        break
    if command == "go" or not told and (command in ("move", "error") or command == "new" and me == "black"):
        last = choose()                       # no line left: the game is over, `end` is on its way
        if last:
            print(f"move {len(last)} {''.join(last)}", flush=True)
