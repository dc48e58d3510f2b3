#!/usr/bin/env python3
"""NoGo (不围棋) starter, SAU protocol. It never captures and never kills itself; make `choose` cleverer.

Check: boyi check nogo python3 sdk/python/nogo.py
Play:  boyi play nogo --black "python3 sdk/python/nogo.py" --white builtin:random
"""
import random
import sys

SIZE = 9
POINTS = [(x, y) for x in range(SIZE) for y in range(SIZE)]
stones = {}                                   # (x, y) -> "black" or "white"


def neighbours(x, y):
    return [p for p in ((x - 1, y), (x + 1, y), (x, y - 1), (x, y + 1)) if 0 <= p[0] < SIZE and 0 <= p[1] < SIZE]


def alive(point):
    """Has the chain of this stone a liberty?"""
    chain, todo = {point}, [point]
    for stone in todo:
        for near in neighbours(*stone):
            if near not in stones:
                return True
            if stones[near] == stones[point] and near not in chain:
                chain.add(near)
                todo.append(near)
    return False


def safe(point, side):
    """May this side play here without losing at once?"""
    stones[point] = side
    fine = alive(point) and all(alive(near) for near in neighbours(*point) if near in stones)
    del stones[point]
    return fine


def choose(me, enemy, refused):
    points = [p for p in POINTS if p not in stones and p != refused and safe(p, me)]
    shared = [p for p in points if safe(p, enemy)]       # what only I may use can wait: my eyes
    return random.choice(shared or points or [None])      # None: the game is lost, `end` is on its way


me, enemy, last = "black", "white", None
for line in sys.stdin:                        # ends when the input is closed
    command, *words = line.split() or [""]
    told = command == "opening"               # part of an opening: taken note of, not answered
    if told:
        command, *words = words or [""]
    if command == "name?":
        print("name nogo-starter+openings", flush=True)
    elif command == "new":
        stones, last = {}, None
        me, enemy = ("black", "white") if words == ["black"] else ("white", "black")
    elif command in ("move", "played") and words:         # played: by me, in an opening
        stones[ord(words[0][0]) - 65, ord(words[0][1]) - 65] = enemy if command == "move" else me
    elif command == "error" and last:         # my last move was not accepted: take it back
        del stones[last]
    elif command == "quit":
        break
    if command == "go" or not told and (command in ("move", "error") or command == "new" and me == "black"):
        last = choose(me, enemy, last if command == "error" else None)
        if last:
            stones[last] = me
            print("move " + chr(65 + last[0]) + chr(65 + last[1]), flush=True)
