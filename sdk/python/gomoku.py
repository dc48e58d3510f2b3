#!/usr/bin/env python3
"""Gomoku (五子棋) starter, Gomocup protocol: any board, swap2, and as Black in renju it keeps away from forbidden points.

Check: boyi check gomoku python3 sdk/python/gomoku.py
       boyi check gomoku --variant rule=renju python3 sdk/python/gomoku.py
Play:  boyi play gomoku --black "python3 sdk/python/gomoku.py" --white builtin:random
"""
import random
import sys

OWN = [1, 10, 100, 1000, 1000000]             # what five points in a row with so many of my stones are worth
ENEMY = [0, 6, 60, 600, 100000]
DIRECTIONS = [(1, 0), (0, 1), (1, 1), (1, -1)]
width = height = 20
stones, rule, black = {}, 0, True             # (x, y) -> 1 mine, 2 his, 3 a line that has scored


def line(x, y, dx, dy, most):
    return [(x + dx * i, y + dy * i) for i in range(-most, most + 1)]


def maybe_forbidden(point):
    """Too careful, but never wrong: two lines with two of my stones near, or one with four, may be a foul."""
    rows = ["".join("x" if stones.get(p) == 1 else "." for p in line(*point, *d, 5)) for d in DIRECTIONS]
    if any(10 - len(row[:5].rstrip("x")) - len(row[6:].lstrip("x")) == 4 for row in rows):
        return False                          # exactly five in a row: that wins, whatever else it makes
    near = [row.count("x") for row in rows]
    return sum(count >= 2 for count in near) > 1 or max(near) > 3


def value(point):
    total = random.random() - abs(point[0] - width // 2) / 9 - abs(point[1] - height // 2) / 9
    for dx, dy in DIRECTIONS:
        row = line(*point, dx, dy, 4)
        for i in range(5):                    # the five windows of five that hold the point
            window = row[i:i + 5]
            if all(0 <= x < width and 0 <= y < height for x, y in window):
                mine, his = (sum(stones.get(p) == who for p in window) for who in (1, 2))
                if not (mine and his) and not any(stones.get(p) == 3 for p in window):
                    total += ENEMY[his] if his else OWN[mine]
    return total


def play():
    points = [(x, y) for x in range(width) for y in range(height) if (x, y) not in stones]
    if rule & 4 and black:
        points = [p for p in points if not maybe_forbidden(p)] or points
    if not points:
        return                                # the board is full
    best = max(points, key=value)
    stones[best] = 1
    print(f"{best[0]},{best[1]}", flush=True)


def lines_until_done():
    """The numbers of each line up to DONE."""
    for text in iter(sys.stdin.readline, ""):
        if text.strip().upper() == "DONE":
            return
        yield [int(number) for number in text.replace(",", " ").split()]


for text in iter(sys.stdin.readline, ""):     # ends when the input is closed
    command, *words = text.replace(",", " ").split() or [""]
    command = command.upper()
    if command in ("START", "RECTSTART", "RESTART"):
        if words:
            width, height = int(words[0]), int(words[-1])
        stones, black = {}, True
        print("OK", flush=True)
    elif command == "INFO":                   # never answered
        if words[:1] == ["rule"]:
            rule = int(words[1])
    elif command == "BEGIN":
        play()
    elif command == "TURN":
        black = bool(stones) and black        # an empty board and his stone first: I am White
        stones[int(words[0]), int(words[1])] = 2
        play()
    elif command == "BOARD":
        stones = {(x, y): field for x, y, field in lines_until_done()}
        black = len(stones) % 2 == 0
        play()
    elif command == "SWAP2BOARD":             # three stones to begin with; later the other colour is as good
        count = len(list(lines_until_done()))
        x, y = width // 2, height // 2
        print("SWAP" if count else f"{x},{y} {x + 1},{y} {x - 1},{y + 2}", flush=True)
    elif command == "TAKEBACK":
        stones.pop((int(words[0]), int(words[1])), None)
        print("OK", flush=True)
    elif command == "ABOUT":
        print('name="gomoku-starter", version="1.0", author="you", country="CN"', flush=True)
    elif command == "END":
        break
    elif command:
        print("UNKNOWN command", flush=True)
