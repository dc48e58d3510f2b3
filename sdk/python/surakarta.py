#!/usr/bin/env python3
"""Surakarta (苏拉卡尔塔棋) starter, SAU protocol. It captures when it can and does not step into a capture if it need not.

Check: boyi check surakarta python3 sdk/python/surakarta.py
Play:  boyi play surakarta --black "python3 sdk/python/surakarta.py" --white builtin:random
"""
import random
import sys

STEPS = [(dx, dy) for dx in (-1, 0, 1) for dy in (-1, 0, 1) if dx or dy]


def run(start, dx, dy):
    """The first piece met on the way around, if the way led through a loop."""
    x, y, looped = *start, False
    for _ in range(24):                       # a circuit has 24 points
        x, y = x + dx, y + dy
        if (x, y) not in board:               # over the edge: into the loop of this line, if it has one
            x, y = x - dx, y - dy
            end, line = (x, y) if dx else (y, x)
            if line in (0, 5):
                return None
            inner = min(line, 5 - line)
            across, begin, step = (inner if end == 0 else 5 - inner), *((0, 1) if line < 3 else (5, -1))
            x, y, dx, dy = (across, begin, 0, step) if dx else (begin, across, step, 0)
            looped = True
        if board[x, y] and (x, y) != start:
            return (x, y) if looped else None
    return None


def moves(side):
    """All moves, as (from, to)."""
    for start in [point for point, piece in board.items() if piece == side]:
        for dx, dy in STEPS:
            to = start[0] + dx, start[1] + dy
            if board.get(to) == "":
                yield start, to
            hit = run(start, dx, dy) if dx == 0 or dy == 0 else None
            if hit and board[hit] != side:
                yield start, hit


def choose(me, enemy, refused):
    best, best_value = None, -9               # None: the game is over, `end` is on its way
    for start, to in sorted(set(moves(me)), key=lambda _: random.random()):
        taken, board[start], board[to] = board[to], "", me
        danger = any(hit == to for _, hit in moves(enemy))   # can he take the piece that moved?
        board[start], board[to] = me, taken
        value = 2 * (taken == enemy) - danger
        if value > best_value and (start, to) != refused:
            best, best_value = (start, to), value
    return best


board, me, enemy, last, taken = {}, "black", "white", None, ""
for line in sys.stdin:                        # ends when the input is closed
    command, *words = line.split() or [""]
    told = command == "opening"               # part of an opening: taken note of, not answered
    if told:
        command, *words = words or [""]
    if command == "name?":
        print("name surakarta-starter+openings", flush=True)
    elif command == "new":
        me, enemy = ("black", "white") if words == ["black"] else ("white", "black")
        board = {(x, y): "black" if y < 2 else "white" if y > 3 else "" for x in range(6) for y in range(6)}
    elif command in ("move", "played") and words:         # played: by me, in an opening
        start, to = [(ord(words[0][i]) - 65, ord(words[0][i + 1]) - 65) for i in (0, 2)]
        board[start], board[to] = "", enemy if command == "move" else me
    elif command == "error" and last:         # my last move was not accepted: take it back
        board[last[0]], board[last[1]] = me, taken
    elif command == "quit":
        break
    if command == "go" or not told and (command in ("move", "error") or command == "new" and me == "black"):
        last = choose(me, enemy, last if command == "error" else None)
        if last:
            taken, board[last[0]], board[last[1]] = board[last[1]], "", me
            print("move " + "".join(chr(65 + x) + chr(65 + y) for x, y in last), flush=True)
