#!/usr/bin/env python3
"""Junqi (军棋) starter, protocol 1.0: a sensible set-up, then it attacks; bombs go for what has beaten one of its pieces.

Check: boyi check junqi python3 sdk/python/junqi.py
Play:  boyi play junqi --black "python3 sdk/python/junqi.py" --white builtin:random
"""
import random
import sys

ARRAY = "dgbgcfkaefkecgdhjihijljhi"           # rows G to L without the camps; a 司令 … i 工兵, j 地雷, k 炸弹, l 军旗
SQUARES = [row + column for row in "ABCDEFGHIJKL" for column in "01234"]
CAMPS = "C1 C3 D2 E1 E3 H1 H3 I2 J1 J3".split()
HEADQUARTERS = "A1 A3 L1 L3".split()
RAILS = [[row + column for column in "01234"] for row in "BFGK"] + [["F2", "G2"]] \
      + [[row + column for row in "BCDEFGHIJK"] for column in "04"]


def neighbours(square, steps):
    row, column = ord(square[0]), int(square[1])
    names = {chr(row + dr) + str(column + dc) for dr, dc in steps}
    return names & set(SQUARES) - {{"F1": "G1", "G1": "F1", "F3": "G3", "G3": "F3"}.get(square)}


STRAIGHT, DIAGONAL = [(0, 1), (0, -1), (1, 0), (-1, 0)], [(1, 1), (1, -1), (-1, 1), (-1, -1)]
ROADS = {square: neighbours(square, STRAIGHT) | {
    to for to in neighbours(square, DIAGONAL) if square in CAMPS or to in CAMPS} for square in SQUARES}


def along_rails(start, turns):
    """Where railways lead: straight on, or around corners too for an engineer; up to the first piece of each way."""
    found, todo = set(), [(start, None)]
    for square, came_on in todo:
        for rail in RAILS:
            if square in rail and (turns or came_on in (None, rail)):
                i = rail.index(square)
                for step in (-1, 1):
                    j = i + step
                    while 0 <= j < len(rail) and rail[j] not in found:
                        found.add(rail[j])
                        if rail[j] in mine or rail[j] in his:
                            break
                        if turns:
                            todo.append((rail[j], rail))
                        j += step
    return found - {start}


def moves():
    for start, rank in mine.items():
        if rank in "jl" or start in HEADQUARTERS:
            continue                          # mines, the flag and pieces in headquarters stay
        for to in ROADS[start] | along_rails(start, rank == "i"):
            if to not in mine and not (to in his and to in CAMPS):
                yield start, to


def value(move):
    start, to = move
    rank, enemy = mine[start], his.get(to)
    if enemy is None:                         # onwards, the bold ones first
        return (ord(start[0]) - ord(to[0])) * (rank in "abcdefg") / 5 + random.random()
    if to == flag:
        return 99
    if enemy == "strong":
        return 5 if rank == "k" else -5
    return {"k": -2, "i": 3 if to[0] in "AB" else -1}.get(rank, 2) + random.random()


def apply(movers, others, move, result):
    """0 the mover is gone, 1 it took what stood there, 2 both are gone, 3 it only moved."""
    start, to = move[:2], move[2:]
    piece = movers.pop(start)
    if result in ("1", "2"):
        others.pop(to, None)
    if result in ("1", "3"):
        movers[to] = "strong" if movers is his and result == "1" else piece
    elif result == "0" and others is his:
        his[to] = "strong"


mine, his, flag, last = {}, {}, "00", ""
for line in sys.stdin:                        # ends when the input is closed
    command, *words = line.split() or [""]
    told = command == "OPENING"               # part of an opening: taken note of, not answered
    if told:
        command, *words = words or [""]
    if command.startswith("INFO"):
        print("NAME junqi-starter+openings", flush=True)
    elif command == "START":
        mine = dict(zip([s for s in SQUARES[30:] if s not in CAMPS], ARRAY))
        his = {square: "?" for square in SQUARES[:30] if square not in CAMPS}
        flag = "00"                           # where his flag is, once his commander is gone
        if not told:
            print("ARRAY " + ARRAY, flush=True)
    elif command == "ARRAY":                  # in an opening: my set-up
        mine = dict(zip(mine, words[0]))
    elif command == "BESTMOVE":               # in an opening: my move, and RESULT follows
        last = words[0]
    elif command == "RESULT":                 # what became of my last move
        apply(mine, his, last, words[0])
        flag = words[1]
    elif command == "GO":                     # his move, then it is my turn; 0000 when I begin
        if words[0] != "0000":
            apply(his, mine, words[0], words[1])
            flag = words[2]
        choices = [] if told else list(moves())
        if choices:                           # without a move I have lost, and END is on its way
            last = "".join(max(choices, key=value))
            print("BESTMOVE " + last, flush=True)
