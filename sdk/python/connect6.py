#!/usr/bin/env python3
"""Connect6 (六子棋) starter, SAU protocol. It counts the stones in every window of six; it knows no threats yet.

Check: boyi check connect6 python3 sdk/python/connect6.py
Play:  boyi play connect6 --black "python3 sdk/python/connect6.py" --white builtin:random
"""
import random
import sys

SIZE, LINE = 19, 6
OWN = [1, 8, 60, 300, 20000, 1000000, 0]      # what a window with so many of my stones and no other is worth
ENEMY = [0, 6, 50, 250, 5000, 5000, 0]        # two stones a turn: four in a window can win at once
WINDOWS = [[(x + dx * i, y + dy * i) for i in range(LINE)]
           for x in range(SIZE) for y in range(SIZE) for dx, dy in ((1, 0), (0, 1), (1, 1), (1, -1))
           if x + dx * (LINE - 1) < SIZE and 0 <= y + dy * (LINE - 1) < SIZE]


def choose(me, refused):
    """The best empty point for one stone."""
    value = {(x, y): random.random() for x in range(SIZE) for y in range(SIZE)}
    value[SIZE // 2, SIZE // 2] += 1          # the first stone
    for window in WINDOWS:
        mine = sum(stones.get(point) == me for point in window)
        others = sum(point in stones for point in window) - mine
        if mine and others:
            continue                          # nobody can make six here any more
        for point in window:
            value[point] += ENEMY[others] if others else OWN[mine]
    return max((p for p in value if p not in stones and p not in refused), key=value.get)


stones, me, enemy, last = {}, "black", "white", []
for line in sys.stdin:                        # ends when the input is closed
    command, *words = line.split() or [""]
    told = command == "opening"               # part of an opening: taken note of, not answered
    if told:
        command, *words = words or [""]
    if command == "name?":
        print("name connect6-starter+openings", flush=True)
    elif command == "new":
        stones, last = {}, []
        me, enemy = ("black", "white") if words == ["black"] else ("white", "black")
    elif command in ("move", "played") and words:         # played: by me, in an opening
        for i in (0, 2):
            if words[0][i] != "@":            # @@: there is no second stone
                stones[ord(words[0][i]) - 65, ord(words[0][i + 1]) - 65] = enemy if command == "move" else me
    elif command == "error":                  # my last move was not accepted: take it back
        for point in last:
            del stones[point]
    elif command == "quit":
        break
    if command == "go" or not told and (command in ("move", "error") or command == "new" and me == "black"):
        refused, last = (last if command == "error" else []), []
        for _ in range(2 if stones else 1):   # on the empty board one stone, later two
            if len(stones) < SIZE * SIZE:
                last.append(choose(me, refused[:1]))
                stones[last[-1]] = me
        names = [chr(65 + x) + chr(65 + y) for x, y in last] + ["@@"]
        if last:                              # on a full board `end` is on its way
            print("move " + names[0] + names[1], flush=True)
