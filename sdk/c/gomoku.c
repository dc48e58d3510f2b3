/* Gomoku (五子棋) starter, Gomocup protocol. It counts the stones in every five points; as Black in renju it keeps away
 * from points that may be forbidden.
 *
 * Build: gcc -O2 -o pbrain-starter sdk/c/gomoku.c
 * Check: boyi check gomoku ./pbrain-starter
 *        boyi check gomoku --variant rule=renju ./pbrain-starter
 * Play:  boyi play gomoku --black ./pbrain-starter --white builtin:random
 */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { MOST = 32 };
static int width = 20, height = 20, rule, black = 1;
static int at[MOST][MOST]; /* [x][y]: 0 empty, 1 mine, 2 his, 3 a line that has scored */
static const int DX[4] = { 1, 0, 1, 1 }, DY[4] = { 0, 1, 1, -1 };
static const double OWN[6] = { 1, 10, 100, 1000, 1000000, 0 }, ENEMY[6] = { 0, 6, 60, 600, 100000, 0 };

static int get(int x, int y) { return x >= 0 && x < width && y >= 0 && y < height ? at[x][y] : 3; }

/* Too careful, but never wrong: two lines with two of my stones near, or one with four, may be a foul. */
static int maybe_forbidden(int x, int y) {
    int lines = 0, most = 0;
    for (int d = 0; d < 4; d++) {
        int near = 0, run = 0;
        for (int i = -5; i <= 5; i++) near += get(x + DX[d] * i, y + DY[d] * i) == 1;
        for (int sign = -1; sign <= 1; sign += 2)
            for (int i = sign; get(x + DX[d] * i, y + DY[d] * i) == 1; i += sign) run++;
        if (run == 4) return 0; /* exactly five in a row: that wins, whatever else it makes */
        lines += near >= 2;
        most = near > most ? near : most;
    }
    return lines > 1 || most > 3;
}

static double value(int x, int y) {
    double total = rand() / (RAND_MAX + 1.0) - abs(x - width / 2) / 9.0 - abs(y - height / 2) / 9.0;
    for (int d = 0; d < 4; d++)
        for (int first = -4; first <= 0; first++) { /* the five windows of five that hold the point */
            int mine = 0, his = 0, blocked = 0;
            for (int i = first; i < first + 5; i++) {
                int stone = get(x + DX[d] * i, y + DY[d] * i);
                mine += stone == 1, his += stone == 2, blocked += stone == 3;
            }
            if (!blocked && !(mine && his)) total += his ? ENEMY[his] : OWN[mine];
        }
    return total;
}

static void play(void) {
    double best = -1e9;
    int best_x = -1, best_y = -1;
    for (int careful = rule & 4 && black; best_x < 0 && careful >= 0; careful--)
        for (int x = 0; x < width; x++)
            for (int y = 0; y < height; y++)
                if (!at[x][y] && !(careful && maybe_forbidden(x, y)) && value(x, y) > best) {
                    best = value(x, y);
                    best_x = x, best_y = y;
                }
    if (best_x < 0) return; /* the board is full */
    at[best_x][best_y] = 1;
    printf("%d,%d\n", best_x, best_y);
}

int main(void) {
    char line[512], command[32];
    int x, y, field;
    srand((unsigned)time(NULL));
    while (fgets(line, sizeof line, stdin)) { /* ends when the input is closed */
        if (sscanf(line, "%31s", command) != 1) continue;
        for (char *p = command; *p; p++) *p = (char)toupper((unsigned char)*p);
        if (!strcmp(command, "START") || !strcmp(command, "RECTSTART") || !strcmp(command, "RESTART")) {
            if (sscanf(line, "%*s %d,%d", &x, &y) == 2) width = x, height = y;
            else if (sscanf(line, "%*s %d", &x) == 1) width = height = x;
            memset(at, 0, sizeof at);
            black = 1;
            if (width <= MOST && height <= MOST) printf("OK\n");
            else printf("ERROR the board is too large\n");
        } else if (!strcmp(command, "INFO")) { /* never answered */
            sscanf(line, "%*s rule %d", &rule);
        } else if (!strcmp(command, "BEGIN")) {
            play();
        } else if (!strcmp(command, "TURN") && sscanf(line, "%*s %d ,%d", &x, &y) == 2) {
            int stones = 0;
            for (int i = 0; i < width * height; i++) stones += at[i % width][i / width] != 0;
            if (!stones) black = 0; /* his stone came first: I am White */
            at[x][y] = 2;
            play();
        } else if (!strcmp(command, "BOARD") || !strcmp(command, "SWAP2BOARD")) {
            int stones = 0, opening = command[0] == 'S';
            if (!opening) memset(at, 0, sizeof at);
            while (fgets(line, sizeof line, stdin) && strncmp(line, "DONE", 4)) {
                if (!opening && sscanf(line, "%d,%d,%d", &x, &y, &field) == 3) at[x][y] = field;
                stones++;
            }
            black = stones % 2 == 0;
            if (!opening) play();
            else if (stones) printf("SWAP\n"); /* the other colour is as good */
            else printf("%d,%d %d,%d %d,%d\n", width / 2, height / 2, width / 2 + 1, height / 2, width / 2 - 1, height / 2 + 2);
        } else if (!strcmp(command, "TAKEBACK") && sscanf(line, "%*s %d ,%d", &x, &y) == 2) {
            at[x][y] = 0;
            printf("OK\n");
        } else if (!strcmp(command, "ABOUT")) {
            printf("name=\"gomoku-starter-c\", version=\"1.0\", author=\"you\", country=\"CN\"\n");
        } else if (!strcmp(command, "END")) {
            break;
        } else {
            printf("UNKNOWN command\n");
        }
        fflush(stdout); /* without this the answer stays in the buffer */
    }
    return 0;
}
