#!/usr/bin/env python3
"""Amazons (亚马逊棋) starter, SAU protocol. Of a handful of random plies it takes the one that leaves it most room.

Check: boyi check amazons python3 sdk/python/amazons.py
Play:  boyi play amazons --black "python3 sdk/python/amazons.py" --white builtin:random
"""
import random
import sys

DIRECTIONS = [(dx, dy) for dx in (-1, 0, 1) for dy in (-1, 0, 1) if dx or dy]
START = {"white": "AD DA GA JD", "black": "AG DJ GJ JG"}


def point(text):
    return ord(text[0]) - 65, ord(text[1]) - 65


def reach(x, y):
    """The squares a queen on (x, y) can go to."""
    for dx, dy in DIRECTIONS:
        to = x + dx, y + dy
        while board.get(to) == "empty":       # off the board there is None
            yield to
            to = to[0] + dx, to[1] + dy


def play(ply, side):
    start, to, arrow = ply
    board[start], board[to], board[arrow] = "empty", side, "arrow"   # the arrow may hit the square just left


def undo(ply, side):
    start, to, arrow = ply
    board[arrow], board[to], board[start] = "empty", "empty", side


def plies(side):
    for start in [square for square, piece in board.items() if piece == side]:
        board[start] = "empty"                # out of its own way
        for to in list(reach(*start)):
            for arrow in reach(*to):
                yield start, to, arrow
        board[start] = side


def room(side):
    return sum(1 for square, piece in board.items() if piece == side for _ in reach(*square))


def choose(me, enemy, refused):
    legal = list(plies(me))
    best, best_value = None, None             # None: the game is lost, `end` is on its way
    for ply in random.sample(legal, min(len(legal), 150)):
        play(ply, me)
        value = room(me) - room(enemy)
        undo(ply, me)
        if ply != refused and (best_value is None or value > best_value):
            best, best_value = ply, value
    return best


board, me, enemy, last = {}, "black", "white", None
for line in sys.stdin:                        # ends when the input is closed
    command, *words = line.split() or [""]
    told = command == "opening"               # part of an opening: taken note of, not answered
    if told:
        command, *words = words or [""]
    if command == "name?":
        print("name amazons-starter+openings", flush=True)
    elif command == "new":
        me, enemy = ("black", "white") if words == ["black"] else ("white", "black")
        board = {(x, y): "empty" for x in range(10) for y in range(10)}
        board.update({point(name): side for side in START for name in START[side].split()})
    elif command in ("move", "played") and words:         # played: by me, in an opening
        play([point(words[0][i:i + 2]) for i in (0, 2, 4)], enemy if command == "move" else me)
    elif command == "error" and last:         # my last move was not accepted: take it back
        undo(last, me)
    elif command == "quit":
        break
    if command == "go" or not told and (command in ("move", "error") or command == "new" and me == "black"):
        last = choose(me, enemy, last if command == "error" else None)
        if last:
            play(last, me)
            print("move " + "".join(chr(65 + x) + chr(65 + y) for x, y in last), flush=True)
