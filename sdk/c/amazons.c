/* Amazons (亚马逊棋) starter, SAU protocol. Of a few hundred random plies it takes the one that leaves it most room.
 *
 * Build: gcc -O2 -o amazons sdk/c/amazons.c
 * Check: boyi check amazons ./amazons
 * Play:  boyi play amazons --black ./amazons --white builtin:random
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { EMPTY, BLACK, WHITE, ARROW };
typedef struct { int from, to, arrow; } Ply; /* a square is (y + 1) * 12 + x + 1: a border of arrows stops every run */

static int board[144];
static const int STEPS[8] = { -13, -12, -11, -1, 1, 11, 12, 13 };

static int square(const char *name) { return (name[1] - 'A' + 1) * 12 + name[0] - 'A' + 1; }

static void new_game(void) {
    const char *starts[2] = { "AGDJGJJG", "ADDAGAJD" };
    for (int i = 0; i < 144; i++)
        board[i] = i / 12 % 11 && i % 12 % 11 ? EMPTY : ARROW;
    for (int i = 0; i < 4; i++) {
        board[square(starts[0] + 2 * i)] = BLACK;
        board[square(starts[1] + 2 * i)] = WHITE;
    }
}

static void play(Ply p, int side) { board[p.from] = EMPTY; board[p.to] = side; board[p.arrow] = ARROW; }
static void undo(Ply p, int side) { board[p.arrow] = EMPTY; board[p.to] = EMPTY; board[p.from] = side; }

/* How many squares a side's amazons reach. */
static int room(int side) {
    int count = 0;
    for (int from = 0; from < 144; from++)
        for (int d = 0; d < 8 && board[from] == side; d++)
            for (int to = from + STEPS[d]; board[to] == EMPTY; to += STEPS[d])
                count++;
    return count;
}

static Ply list[4 * 35 * 35]; /* a queen reaches 35 squares at most */
static int list_plies(int side) {
    int count = 0;
    for (int from = 0; from < 144; from++) {
        if (board[from] != side) continue;
        board[from] = EMPTY; /* an amazon is not in its own way */
        for (int d = 0; d < 8; d++)
            for (int to = from + STEPS[d]; board[to] == EMPTY; to += STEPS[d])
                for (int e = 0; e < 8; e++)
                    for (int arrow = to + STEPS[e]; board[arrow] == EMPTY; arrow += STEPS[e])
                        list[count++] = (Ply){ from, to, arrow };
        board[from] = side;
    }
    return count;
}

/* False when there is no ply: then the game is lost, and `end` is on its way. */
static int choose(int side, Ply *best) {
    int count = list_plies(side), best_value = -1000;
    if (count == 0) return 0;
    for (int i = 0; i < 300; i++) {
        Ply ply = list[rand() % count];
        play(ply, side);
        int value = room(side) - room(BLACK + WHITE - side);
        undo(ply, side);
        if (value > best_value) { best_value = value; *best = ply; }
    }
    return 1;
}

int main(void) {
    char line[256], command[16], word[240];
    int me = BLACK, have_last = 0;
    Ply last = { 0, 0, 0 };
    srand((unsigned)time(NULL));
    while (fgets(line, sizeof line, stdin)) { /* ends when the input is closed */
        int told = !strncmp(line, "opening ", 8); /* part of an opening: taken note of, not answered */
        int words = sscanf(line + (told ? 8 : 0), "%15s %239s", command, word), think = 0;
        if (words < 1) continue;
        if (!strcmp(command, "name?")) {
            printf("name amazons-starter-c+openings\n");
        } else if (!strcmp(command, "new")) {
            new_game();
            me = words == 2 && !strcmp(word, "white") ? WHITE : BLACK;
            have_last = 0;
            think = me == BLACK && !told;
        } else if (!strcmp(command, "move") || !strcmp(command, "played")) { /* played: by me, in an opening */
            if (words == 2 && strlen(word) == 6)
                play((Ply){ square(word), square(word + 2), square(word + 4) }, *command == 'm' ? BLACK + WHITE - me : me);
            think = !told;
        } else if (!strcmp(command, "go")) { /* the opening is over: my turn */
            think = 1;
        } else if (!strcmp(command, "error") && have_last) { /* my last move was not accepted: take it back */
            undo(last, me);
            think = 1;
        } else if (!strcmp(command, "quit")) {
            break;
        }
        if (think && choose(me, &last)) {
            have_last = 1;
            play(last, me);
            int s[3] = { last.from, last.to, last.arrow };
            printf("move ");
            for (int i = 0; i < 3; i++) printf("%c%c", 'A' + s[i] % 12 - 1, 'A' + s[i] / 12 - 1);
            printf("\n");
        }
        fflush(stdout); /* without this the answer stays in the buffer */
    }
    return 0;
}
