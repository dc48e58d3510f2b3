/* Tiaojia (挑夹棋) starter: a plain search three plies deep for the most stones.
 *
 * Build: gcc -O2 -o tiaojia sdk/c/tiaojia.c
 * Check: boyi check tiaojia ./tiaojia
 * Play:  boyi play tiaojia --black ./tiaojia --white builtin:random
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

typedef struct { int at[8][8]; } Board; /* 0 empty, 1 black, 2 white */
static const int DR[8] = { -1, 1, 0, 0, -1, -1, 1, 1 }, DC[8] = { 0, 0, -1, 1, -1, 1, -1, 1 };

static int get(const Board *b, int r, int c) { return r >= 0 && r < 8 && c >= 0 && c < 8 ? b->at[r][c] : -1; }

/* Plays a step; all captures are judged on the board after it. */
static Board after(Board b, int r, int c, int d) {
    int side = b.at[r][c], enemy = 3 - side, turn[4];
    b.at[r][c] = 0;
    r += DR[d], c += DC[d];
    b.at[r][c] = side;
    for (int i = 0; i < 4; i++) { /* up, down, left, right */
        int beyond = get(&b, r + 2 * DR[i], c + 2 * DC[i]), behind = get(&b, r - DR[i], c - DC[i]);
        turn[i] = get(&b, r + DR[i], c + DC[i]) == enemy && (beyond == side /* 夹 */ || behind == enemy /* 挑 */);
    }
    for (int i = 0; i < 4; i++)
        if (turn[i]) b.at[r + DR[i]][c + DC[i]] = side;
    return b;
}

/* Finds the best step for `side`: most stones more than the enemy after `depth` plies. */
static int search(const Board *b, int side, int depth, int *best) {
    int best_value = -100, ties = 0;
    for (int i = 0; i < 512; i++) {
        int r = i / 64, c = i / 8 % 8, d = i % 8, reply;
        if (b->at[r][c] != side || get(b, r + DR[d], c + DC[d]) != 0) continue;
        Board next = after(*b, r, c, d);
        int value = 0;
        for (int j = 0; j < 64; j++) {
            int piece = next.at[j / 8][j % 8];
            value += (piece == side) - (piece == 3 - side);
        }
        if (depth > 1) value = -search(&next, 3 - side, depth - 1, &reply);
        if (value > best_value) best_value = value, ties = 0;
        if (value == best_value && rand() % ++ties == 0) *best = i;
    }
    return best_value;
}

int main(void) {
    static const char *START[8] = { "00000000", "00000000", "22220000", "00002222",
                                    "11110000", "00001111", "00000000", "00000000" };
    Board board = { { { 0 } } };
    char line[256];
    int me = 1, r, c, d, best = 0;
    srand((unsigned)time(NULL));
    while (fgets(line, sizeof line, stdin)) { /* ends when the input is closed */
        if (sscanf(line, "START %d", &me) == 1) {
            for (int i = 0; i < 64; i++) board.at[i / 8][i % 8] = START[i / 8][i % 8] - '0';
            printf("DEBUG +openings\nOK\n"); /* I can be told an opening */
        } else if (sscanf(line, "PLACE %d %d %d", &r, &c, &d) == 3 ||    /* his move, */
                   sscanf(line, "OPENING %d %d %d", &r, &c, &d) == 3) { /* or mine in an opening; not answered */
            board = after(board, r, c, d);
        } else if (!strncmp(line, "TURN", 4)) {
            search(&board, me, 3, &best);
            r = best / 64, c = best / 8 % 8, d = best % 8;
            board = after(board, r, c, d);
            printf("%d %d %d\n", r, c, d);
        } else if (!strncmp(line, "END", 3)) {
            break;
        }
        fflush(stdout); /* without this the answer stays in the buffer */
    }
    return 0;
}
