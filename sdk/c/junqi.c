/* Junqi (军棋) starter, protocol 1.0: a sensible set-up, then it attacks; bombs go for what has beaten one of its pieces.
 *
 * Build: gcc -O2 -o junqi sdk/c/junqi.c
 * Check: boyi check junqi ./junqi
 * Play:  boyi play junqi --black ./junqi --white builtin:random
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* Rows G to L without the camps; a 司令 b 军长 c 师长 d 旅长 e 团长 f 营长 g 连长 h 排长 i 工兵 j 地雷 k 炸弹 l 军旗. */
static const char ARRAY[] = "dgbgcfkaefkecgdhjihijljhi";
/* The sixty stations, row by row: C a camp, H headquarters. */
static const char KIND[] = ".H.H." "....." ".C.C." "..C.." ".C.C." "....." "....." ".C.C." "..C.." ".C.C." "....." ".H.H.";
static char mine[60], his[60]; /* 0 or a letter; of his only '!' is known: it has beaten a piece of mine */
static int flag = -1;          /* where his flag is, once his commander is gone */

static int is_rail(int a, int b) { /* neighbours on a railway? */
    int r = a / 5, c = a % 5, s = b / 5;
    if (r == s) return r == 1 || r == 5 || r == 6 || r == 10;
    if ((r == 5 && s == 6) || (r == 6 && s == 5)) return c == 0 || c == 2 || c == 4;
    return (c == 0 || c == 4) && r >= 1 && r <= 10 && s >= 1 && s <= 10;
}

static int is_road(int a, int b) { /* neighbours at all? */
    int dr = abs(a / 5 - b / 5), dc = abs(a % 5 - b % 5);
    if (dr + dc == 1) return !(dr == 1 && a / 5 + b / 5 == 11 && (a % 5 == 1 || a % 5 == 3));
    return dr == 1 && dc == 1 && (KIND[a] == 'C' || KIND[b] == 'C');
}

/* Marks where railways lead from `at`: one direction for most pieces, around corners for an engineer. */
static void ride(int at, int dr, int dc, int turns, char *seen) {
    static const int R[4] = { 0, 0, 1, -1 }, C[4] = { 1, -1, 0, 0 };
    for (int i = 0; i < 4; i++) {
        int r = at / 5 + R[i], c = at % 5 + C[i], to = r * 5 + c;
        if (!turns && (dr || dc) && (R[i] != dr || C[i] != dc)) continue;
        if (r < 0 || r > 11 || c < 0 || c > 4 || seen[to] || !is_rail(at, to)) continue;
        seen[to] = 1;
        if (!mine[to] && !his[to]) ride(to, R[i], C[i], turns, seen);
    }
}

static int list_moves(int moves[][2]) {
    int count = 0;
    for (int from = 0; from < 60; from++) {
        char seen[60] = { 0 };
        if (!mine[from] || mine[from] == 'j' || mine[from] == 'l' || KIND[from] == 'H') continue;
        ride(from, 0, 0, mine[from] == 'i', seen);
        for (int to = 0; to < 60; to++)
            if ((seen[to] || is_road(from, to)) && !mine[to] && !(his[to] && KIND[to] == 'C')) {
                moves[count][0] = from;
                moves[count++][1] = to;
            }
    }
    return count;
}

/* 0 the mover is gone, 1 it took what stood there, 2 both are gone, 3 it only moved. */
static void apply(char *movers, char *others, int from, int to, int result) {
    char piece = movers[from];
    movers[from] = 0;
    if (result == 1 || result == 2) others[to] = 0;
    if (result == 1 || result == 3) movers[to] = movers == his && result == 1 ? '!' : piece;
    if (result == 0 && others == his) his[to] = '!';
}

static double value(int from, int to) {
    double luck = rand() / (RAND_MAX + 1.0);
    if (!his[to]) return luck + (mine[from] < 'h' ? (from / 5 - to / 5) / 5.0 : 0); /* onwards, the bold ones first */
    if (to == flag) return 99;
    if (his[to] == '!') return mine[from] == 'k' ? 5 : -5;
    return luck + (mine[from] == 'k' ? -2 : mine[from] != 'i' ? 2 : to < 10 ? 3 : -1);
}

static int station(const char *name) { return (name[0] - 'A') * 5 + name[1] - '0'; }

static void set_up(const char *next) {
    for (int i = 0; i < 60; i++) {
        mine[i] = i >= 30 && KIND[i] != 'C' ? *next++ : 0;
        his[i] = i < 30 && KIND[i] != 'C' ? '?' : 0;
    }
}

int main(void) {
    char whole[256], word[64], place[8];
    int moves[2000][2], last[2] = { 0, 0 }, result;
    srand((unsigned)time(NULL));
    while (fgets(whole, sizeof whole, stdin)) { /* ends when the input is closed */
        int told = !strncmp(whole, "OPENING ", 8); /* part of an opening: taken note of, not answered */
        const char *line = whole + (told ? 8 : 0);
        if (!strncmp(line, "INFO", 4)) {
            printf("NAME junqi-starter-c+openings\n");
        } else if (!strncmp(line, "START", 5)) {
            set_up(ARRAY);
            if (!told) printf("ARRAY %s\n", ARRAY);
        } else if (sscanf(line, "ARRAY %63s", word) == 1 && strlen(word) == 25) { /* in an opening: my set-up */
            set_up(word);
        } else if (sscanf(line, "BESTMOVE %63s", word) == 1) { /* in an opening: my move, and RESULT follows */
            last[0] = station(word);
            last[1] = station(word + 2);
        } else if (sscanf(line, "RESULT %d %7s", &result, place) == 2) { /* what became of my last move */
            apply(mine, his, last[0], last[1], result);
            flag = station(place);
        } else if (sscanf(line, "GO %63s %d %7s", word, &result, place) == 3) { /* his move, then mine; 0000: I begin */
            if (strcmp(word, "0000")) apply(his, mine, station(word), station(word + 2), result);
            int count = told ? 0 : list_moves(moves);
            double best = -100;
            flag = station(place); /* 00 is no station */
            if (count == 0) continue; /* told only, or I have lost and END is on its way */
            for (int i = 0; i < count; i++) {
                double worth = value(moves[i][0], moves[i][1]);
                if (worth > best) best = worth, memcpy(last, moves[i], sizeof last);
            }
            printf("BESTMOVE %c%d%c%d\n", 'A' + last[0] / 5, last[0] % 5, 'A' + last[1] / 5, last[1] % 5);
        }
        fflush(stdout); /* without this the answer stays in the buffer */
    }
    return 0;
}
