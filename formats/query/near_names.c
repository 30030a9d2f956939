/* Optimal string alignment distance (Damerau 1964 with Wagner and Fischer's recurrence). */
#include "formats/query/near_names.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LONGEST 63
#define NEAREST 3

static int smaller(int a, int b)
{
    return a < b ? a : b;
}

/* Lower-case letters of the first LONGEST bytes; returns their number. */
static int fold(const char *text, unsigned char *folded)
{
    int n = 0;
    for (; n < LONGEST && text[n]; n++)
        folded[n] = (unsigned char)tolower((unsigned char)text[n]);
    return n;
}

int edit_distance(const char *a, const char *b)
{
    unsigned char x[LONGEST], y[LONGEST];
    int row[3][LONGEST + 1], m = fold(a, x), n = fold(b, y);
    for (int j = 0; j <= n; j++)
        row[0][j] = j;
    for (int i = 1; i <= m; i++) {
        int *now = row[i % 3], *last = row[(i + 2) % 3], *before = row[(i + 1) % 3];
        now[0] = i;
        for (int j = 1; j <= n; j++) {
            /* d(i,j) = min(d(i-1,j) + 1, d(i,j-1) + 1, d(i-1,j-1) + [x_i != y_j], swap: d(i-2,j-2) + 1) */
            now[j] = smaller(smaller(last[j], now[j - 1]) + 1, last[j - 1] + (x[i - 1] != y[j - 1]));
            if (i > 1 && j > 1 && x[i - 1] == y[j - 2] && x[i - 2] == y[j - 1])
                now[j] = smaller(now[j], before[j - 2] + 1);
        }
    }
    return row[m % 3][n];
}

/* Distance for the choice: a name that contains the wrong one is near however long it is, and one that differs from
 * it by more than a third of its letters is far. The distance is never below the difference of the lengths, which
 * settles most. */
static int strangeness(const char *wrong, const char *name)
{
    int length = (int)strnlen(wrong, LONGEST), difference = abs((int)strnlen(name, LONGEST) - length);
    int most = length / 3 + 1;
    if (length >= 3 && strcasestr(name, wrong))
        return smaller(difference, 2);
    if (difference > most)
        return LONGEST;
    int distance = edit_distance(wrong, name);
    return distance <= most ? distance : LONGEST;
}

void near_names(const char *wrong, const char *const *names, size_t count, char *text, size_t size)
{
    const char *best[NEAREST];
    int distance[NEAREST];
    size_t found = 0;
    for (size_t i = 0; i < count; i++) {
        int d = strangeness(wrong, names[i]);
        size_t place = found;
        while (place > 0 && distance[place - 1] > d)
            place--;
        if (d >= LONGEST || place >= NEAREST)
            continue;
        found = found < NEAREST ? found + 1 : NEAREST;
        for (size_t k = found - 1; k > place; k--) {
            best[k] = best[k - 1];
            distance[k] = distance[k - 1];
        }
        best[place] = names[i];
        distance[place] = d;
    }
    text[0] = 0;
    for (size_t k = 0, used = 0; k < found && used < size; k++)
        used += (size_t)snprintf(text + used, size - used, "%s%s", k ? ", " : "", best[k]);
}
