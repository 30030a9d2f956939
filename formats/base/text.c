/* UTF-8 and similar names. Names are compared by optimal string alignment distance (Damerau 1964 with Wagner and
 * Fischer's recurrence). */
#include "formats/base/text.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "formats/base/number.h"

#define LONGEST 63
#define NEAREST 3

int utf8_length(const unsigned char *p, size_t size)
{
    unsigned lead = p[0];
    if (lead < 0x80)
        return 1;
    int n = lead >= 0xC2 && lead <= 0xDF ? 2 : (lead & 0xF0) == 0xE0 ? 3 : lead >= 0xF0 && lead <= 0xF4 ? 4 : 0;
    if (n == 0 || (size_t)n > size)
        return 0;
    for (int i = 1; i < n; i++)
        if ((p[i] & 0xC0) != 0x80)
            return 0;
    int overlong = (lead == 0xE0 && p[1] < 0xA0) || (lead == 0xF0 && p[1] < 0x90);
    int too_large = (lead == 0xED && p[1] > 0x9F) || (lead == 0xF4 && p[1] > 0x8F);
    return overlong || too_large ? 0 : n;
}

/* Returns the code point of a valid sequence of three bytes, or of two, at most U+07FF; others are 0. */
static unsigned short_code_point(const unsigned char *p, size_t length)
{
    if (length == 3)
        return (p[0] & 0x0fu) << 12 | (p[1] & 0x3fu) << 6 | (p[2] & 0x3fu);
    return length == 2 ? (p[0] & 0x1fu) << 6 | (p[1] & 0x3fu) : 0;
}

/* Returns 1 for the controls of the direction of text (Unicode, Annex 9), which show names in another order, and for
 * the separators of lines and paragraphs. */
static int reorders(unsigned code)
{
    return code == 0x061c || code == 0x200e || code == 0x200f || (code >= 0x2028 && code <= 0x202e) ||
           (code >= 0x2066 && code <= 0x2069);
}

int utf8_put_shown(FILE *stream, const char *text, size_t size)
{
    const unsigned char *s = (const unsigned char *)text;
    int width = 0;
    for (size_t i = 0, length; i < size; i += length) {
        length = (size_t)utf8_length(s + i, size - i);
        int is_control = length == 0 || s[i] < 0x20 || s[i] == 0x7f || (s[i] == 0xc2 && s[i + 1] < 0xa0);
        if (is_control) { /* the second byte of a two-byte control follows as an invalid byte */
            length = 1;
            width += fprintf(stream, "\\x%02x", s[i]);
        } else if (reorders(short_code_point(s + i, length))) {
            width += fprintf(stream, "\\u%04x", short_code_point(s + i, length));
        } else {
            fwrite(s + i, 1, length, stream);
            width++;
        }
    }
    return width;
}

void csv_put_text(FILE *stream, const char *text, size_t size)
{
    double value;
    int is_formula = size > 0 && strchr("=+-@\t\r", text[0]) && text[0] &&
                     number_scan(text, text + size, &value) != text + size;
    int is_quoted = 0;
    for (size_t i = 0; i < size && !is_quoted; i++)
        is_quoted = text[i] == ',' || text[i] == '"' || text[i] == '\n' || text[i] == '\r';
    fputs(is_quoted ? "\"" : "", stream);
    fputs(is_formula ? "'" : "", stream);
    for (size_t i = 0; i < size; i++) {
        if (text[i] == '"')
            putc_unlocked('"', stream);
        putc_unlocked(text[i], stream);
    }
    fputs(is_quoted ? "\"" : "", stream);
}

static int smaller(int a, int b)
{
    return a < b ? a : b;
}

/* Converts the first LONGEST bytes to lower case; returns their number. */
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

/* Distance for suggestions. A name that contains the wrong one counts as near whatever its length; one that differs in
 * more than a third of the letters counts as far. The distance is at least the difference of the lengths, which is
 * tested first. */
static int strangeness(const char *wrong, const char *name)
{
    int length = (int)strnlen(wrong, LONGEST), difference = abs((int)strnlen(name, LONGEST) - length);
    int max = length / 3 + 1;
    if (length >= 3 && strcasestr(name, wrong))
        return smaller(difference, 2);
    if (difference > max)
        return LONGEST;
    int distance = edit_distance(wrong, name);
    return distance <= max ? distance : LONGEST;
}

const char *nearest_name(const char *wrong, const char *const *names, size_t count)
{
    const char *best = NULL;
    int min = LONGEST;
    for (size_t i = 0; i < count; i++) {
        int d = strangeness(wrong, names[i]);
        best = d < min ? names[i] : best;
        min = smaller(d, min);
    }
    return best;
}

void near_names(const char *wrong, const char *const *names, size_t count, char *text, size_t size)
{
    const char *best[NEAREST] = {NULL};
    int distance[NEAREST] = {0};
    size_t found = 0;
    for (size_t i = 0; i < count; i++) {
        int d = strangeness(wrong, names[i]);
        size_t index = found;
        while (index > 0 && distance[index - 1] > d)
            index--;
        if (d >= LONGEST || index >= NEAREST)
            continue;
        found = found < NEAREST ? found + 1 : NEAREST;
        for (size_t k = found - 1; k > index; k--) {
            best[k] = best[k - 1];
            distance[k] = distance[k - 1];
        }
        best[index] = names[i];
        distance[index] = d;
    }
    while (found > 1 && distance[found - 1] > distance[0] && distance[found - 1] >= 2 * distance[0])
        found--; /* much farther than the nearest */
    text[0] = 0;
    for (size_t k = 0, used = 0; k < found && used < size; k++)
        used += (size_t)snprintf(text + used, size - used, "%s%s", k ? ", " : "", best[k]);
}

void did_you_mean(const char *wrong, const char *const *names, size_t count, char *text, size_t size)
{
    char near[512];
    near_names(wrong, names, count, near, sizeof near);
    char *last = strrchr(near, ',');
    if (last)
        *last = 0;
    snprintf(text, size, "%s%s%s%s%s", *near ? "; did you mean " : "", near, last ? " or " : "", last ? last + 2 : "",
             *near ? "?" : "");
}

void did_you_mean_role(const char *wrong, char *text, size_t size)
{
    const char *names[ROLE_COUNT];
    size_t count = 0;
    for (int r = ROLE_NONE + 1; r < ROLE_COUNT; r++)
        names[count++] = role_name((Role)r);
    did_you_mean(wrong, names, count, text, size);
}

void did_you_mean_joint(const char *wrong, const Skeleton *skeleton, char *text, size_t size)
{
    const char *names[2048];
    size_t count = 0;
    for (int j = 0; j < skeleton->joint_count && count + 2 < sizeof names / sizeof *names; j++) {
        if (skeleton->role[j] != ROLE_NONE)
            names[count++] = role_name(skeleton->role[j]);
        if (skeleton->role[j] == ROLE_NONE || strcmp(skeleton->name[j], names[count - 1]) != 0)
            names[count++] = skeleton->name[j];
    }
    did_you_mean(wrong, names, count, text, size);
}
