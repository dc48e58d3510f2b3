/* NoGo over the SAU protocol: the first free point. */
#include <stdio.h>
#include <string.h>

int main(void) {
    char line[64], taken[9][9] = {{0}};
    int black = 0;
    while (fgets(line, sizeof line, stdin)) {
        if (!strncmp(line, "name?", 5)) {
            printf("name starter\n");
            fflush(stdout);
            continue;
        }
        if (!strncmp(line, "quit", 4)) break;
        if (!strncmp(line, "new", 3)) {
            memset(taken, 0, sizeof taken);
            black = !strncmp(line + 4, "black", 5);
            if (!black) continue;
        } else if (!strncmp(line, "move", 4)) {
            taken[line[5] - 'A'][line[6] - 'A'] = 1;
        } else {
            continue;
        }
        for (int i = 0; i < 81; i++) {
            if (!taken[i / 9][i % 9]) {
                taken[i / 9][i % 9] = 1;
                printf("move %c%c\n", 'A' + i / 9, 'A' + i % 9);
                fflush(stdout);
                break;
            }
        }
    }
    return 0;
}
