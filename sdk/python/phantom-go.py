#!/usr/bin/env python3
"""Phantom Go (幻影围棋) starter, SAU protocol. It tries points at random, fills no eye of its own and then passes.

Check: boyi check phantom-go python3 sdk/python/phantom-go.py
Play:  boyi play phantom-go --black "python3 sdk/python/phantom-go.py" --white builtin:random
"""
import random
import sys

SIZE = 9
POINTS = [(x, y) for x in range(SIZE) for y in range(SIZE)]


def is_eye(x, y):
    around = [(x - 1, y), (x + 1, y), (x, y - 1), (x, y + 1)]
    return all(point in own for point in around if 0 <= point[0] < SIZE and 0 <= point[1] < SIZE)


def attempt():
    """Tries a point; whether the stone stands is told by `accept` or `refuse`."""
    global pending
    points = [p for p in POINTS if p not in own and p not in refused and not is_eye(*p)]
    fresh = [p for p in points if p not in enemy]            # where an enemy was met before comes last
    pending = random.choice(fresh or points or [None])
    print("move " + ("pass" if pending is None else chr(65 + pending[0]) + chr(65 + pending[1])), flush=True)


def read(text):
    return {(ord(text[i]) - 65, ord(text[i + 1]) - 65) for i in range(0, len(text), 2)}


own, enemy, refused, pending = set(), set(), set(), None
for line in sys.stdin:                        # ends when the input is closed
    command, *words = line.split() or [""]
    told = command == "opening"               # part of an opening: taken note of, not answered
    if told:
        command, *words = words or [""]
    if command == "name?":
        print("name phantom-go-starter+openings", flush=True)
    elif command == "new":
        own, enemy, refused, pending = set(), set(), set(), None
        if words == ["black"] and not told:
            attempt()
    elif command == "played":                 # in an opening: my own try, then accept or refuse as ever
        pending = None if words[0] == "pass" else read(words[0]).pop()
    elif command == "accept" and pending:     # my stone stands
        own.add(pending)
        enemy.discard(pending)
    elif command == "take":                   # take 2 CCCD: I captured these
        enemy -= read(words[1])
    elif command == "taked":                  # taked 2 CCCD: I lost these, and `move go` follows
        own -= read(words[1])
    elif command in ("refuse", "error") and pending:   # the same turn goes on
        refused.add(pending)
        enemy.add(pending)
        if not told:
            attempt()
    elif command == "move":                   # move go, or move pass: my turn
        refused = set()
        if not told:
            attempt()
    elif command == "go":                     # the opening is over: my turn
        attempt()
    elif command == "quit":
        break
