#!/usr/bin/env python3
"""Tiaojia (挑夹棋) starter: the step that leaves it most stones after the best reply.

Check: boyi check tiaojia python3 sdk/python/tiaojia.py
Play:  boyi play tiaojia --black "python3 sdk/python/tiaojia.py" --white builtin:random
"""
import random
import sys

STEPS = [(-1, 0), (1, 0), (0, -1), (0, 1), (-1, -1), (-1, 1), (1, -1), (1, 1)]   # (row, column) of direction 0..7
START = {(2, c): 2 for c in range(4)} | {(3, c): 2 for c in range(4, 8)} \
      | {(4, c): 1 for c in range(4)} | {(5, c): 1 for c in range(4, 8)}


def after(board, row, column, direction):
    """The board after a step; captures are judged once the piece has moved."""
    board = dict(board)
    side = board.pop((row, column))
    row, column = row + STEPS[direction][0], column + STEPS[direction][1]
    board[row, column] = side
    turned = set()
    for dr, dc in STEPS[:4]:
        near, far, back = (row + dr, column + dc), (row + 2 * dr, column + 2 * dc), (row - dr, column - dc)
        if board.get(near) == 3 - side and (board.get(far) == side or board.get(back) == 3 - side):
            turned.add(near)                  # 夹: held against my other stone; 挑: one of the two I stand between
    board.update((square, side) for square in turned)
    return board


def plies(board, side):
    for (row, column), piece in board.items():
        for direction, (dr, dc) in enumerate(STEPS):
            to = row + dr, column + dc
            if piece == side and 0 <= to[0] < 8 and 0 <= to[1] < 8 and to not in board:
                yield row, column, direction


def count(board, side):
    return sum(piece == side for piece in board.values())


def value(board, ply):
    next_board = after(board, *ply)
    replies = [count(after(next_board, *reply), me) for reply in plies(next_board, 3 - me)]
    return min(replies, default=99), random.random()


board, me = {}, 1
for line in sys.stdin:                        # ends when the input is closed
    words = line.split() or [""]
    numbers = [int(word) for word in words[1:]]
    if words[0] == "START":
        board, me = START, numbers[0]
        print("DEBUG +openings")              # I can be told an opening
        print("OK", flush=True)
    elif words[0] in ("PLACE", "OPENING"):    # his move, or mine in an opening; not answered
        board = after(board, *numbers)
    elif words[0] == "TURN":
        ply = max(plies(board, me), key=lambda ply: value(board, ply))
        board = after(board, *ply)
        print(*ply, flush=True)
    elif words[0] == "END":
        break
