/* Roles proposed by the parts of a name (role_name.h). */
#include "analysis/body/role_name.h"

#include <ctype.h>
#include <string.h>

enum { TEXT_SIZE = 160, PART_COUNT = 24, KEY_SIZE = 96 };

/* A name split into parts: "Bip01 L Thigh" is bip 01 l thigh. */
typedef struct Parts {
    int count;
    const char *part[PART_COUNT];
    char text[TEXT_SIZE];
} Parts;

typedef enum Side { SIDE_NONE, SIDE_LEFT, SIDE_RIGHT } Side;

/* Bytes above ASCII are letters of other scripts. */
static int is_letter(unsigned char c) { return isalpha(c) || c >= 0x80; }
static int is_word(unsigned char c) { return is_letter(c) || isdigit(c); }

/* Whether a part starts at position `at`: between letters and digits, at a capital after a lower case letter, and at
 * the last of several capitals ("LHipJoint" is l hip joint). */
static int part_starts(const char *name, size_t at)
{
    unsigned char before = (unsigned char)name[at - 1], here = (unsigned char)name[at],
                  next = (unsigned char)name[at + 1];
    if (!is_word(before) || isdigit(before) != isdigit(here))
        return 1;
    return isupper(here) && (!isupper(before) || islower(next));
}

/* The name without `namespace:` and `path|`. */
static const char *local_name(const char *name)
{
    for (const char *c = name; *c; c++)
        if ((*c == ':' || *c == '|') && c[1])
            name = c + 1;
    return name;
}

static void split(const char *name, Parts *out)
{
    size_t used = 0;
    *out = (Parts){0};
    name = local_name(name);
    for (size_t i = 0; name[i] && used + 2 < TEXT_SIZE; i++) {
        if (!is_word((unsigned char)name[i]))
            continue;
        if (i == 0 || part_starts(name, i)) {
            if (out->count == PART_COUNT)
                return;
            used += out->count > 0; /* keeps the terminator of the part before */
            out->part[out->count++] = out->text + used;
        }
        out->text[used++] = (char)tolower((unsigned char)name[i]);
    }
}

int role_name_has_part(const char *name, const char *word)
{
    Parts parts;
    split(name, &parts);
    for (int i = 0; i < parts.count; i++)
        if (!strcmp(parts.part[i], word))
            return 1;
    return 0;
}

static int is_number(const char *part) { return isdigit((unsigned char)part[0]); }

static int has_mark(const char *word, RoleMarkKind kind)
{
    int low = 0, high = role_marks_count;
    while (low < high) {
        int middle = (low + high) / 2;
        if (strcmp(role_marks[middle].word, word) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    for (; low < role_marks_count && strcmp(role_marks[low].word, word) == 0; low++)
        if (role_marks[low].kind == kind)
            return 1;
    return 0;
}

static void remove_part(Parts *p, int at)
{
    p->count--;
    for (int i = at; i < p->count; i++)
        p->part[i] = p->part[i + 1];
}

/* Removes prefixes with their numbers ("Bip01", "Character1") and suffixes. One part always remains. */
static void strip_affixes(Parts *p)
{
    while (p->count > 1 && has_mark(p->part[0], MARK_PREFIX)) {
        int number = is_number(p->part[1]);
        if (number && p->count == 2)
            break;
        remove_part(p, 0);
        if (number)
            remove_part(p, 0);
    }
    while (p->count > 1 && has_mark(p->part[p->count - 1], MARK_SUFFIX))
        p->count--;
}

static Side part_side(const char *part)
{
    if (has_mark(part, MARK_LEFT))
        return SIDE_LEFT;
    return has_mark(part, MARK_RIGHT) ? SIDE_RIGHT : SIDE_NONE;
}

/* Removes the side mark: the first long one ("left"), otherwise a letter at the front, at the end, or anywhere. */
static Side take_side(Parts *p)
{
    int found = -1;
    for (int i = 0; i < p->count && found < 0; i++)
        if (strlen(p->part[i]) > 2 && part_side(p->part[i]))
            found = i;
    if (found < 0 && p->count > 1 && part_side(p->part[0]))
        found = 0;
    for (int i = p->count - 1; i > 0 && found < 0; i--)
        if (part_side(p->part[i]))
            found = i;
    if (found < 0)
        return SIDE_NONE;
    Side side = part_side(p->part[found]);
    remove_part(p, found);
    return side;
}

/* Joins all parts, or all but trailing numbers, into one word. Returns 0 if it is too long or, without numbers, if
 * there are none to drop. */
static int join(const Parts *p, int with_number, char key[KEY_SIZE])
{
    int count = p->count;
    while (!with_number && count > 1 && is_number(p->part[count - 1]))
        count--;
    if (!with_number && count == p->count)
        return 0;
    size_t used = 0;
    for (int i = 0; i < count; i++) {
        size_t length = strlen(p->part[i]);
        if (used + length >= KEY_SIZE)
            return 0;
        memcpy(key + used, p->part[i], length);
        used += length;
    }
    key[used] = 0;
    return used > 0;
}

/* Finds the table's rows for key: paired roles if there is a side, others if not. weight is reduced by `doubt`, to no
 * less than 1. */
static int look_up(const char *key, Side side, int doubt, RoleGuess guess[ROLE_GUESSES])
{
    int low = 0, high = role_words_count, count = 0;
    while (low < high) {
        int middle = (low + high) / 2;
        if (strcmp(role_words[middle].name, key) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    for (; low < role_words_count && strcmp(role_words[low].name, key) == 0 && count < ROLE_GUESSES; low++) {
        Role role = role_words[low].role;
        int paired = role_mirror(role) != role, weight = role_words[low].weight - doubt;
        if (paired == (side != SIDE_NONE))
            guess[count++] = (RoleGuess){side == SIDE_RIGHT ? role_mirror(role) : role, weight > 1 ? weight : 1};
    }
    return count;
}

static int look_up_parts(const Parts *p, Side side, RoleGuess guess[ROLE_GUESSES])
{
    char key[KEY_SIZE];
    int count = 0;
    if (p->count > 0 && join(p, 1, key))
        count = look_up(key, side, 0, guess);
    if (p->count > 0 && !count && join(p, 0, key))
        count = look_up(key, side, 1, guess);
    return count;
}

/* Looks up names with the side mark attached: "lhip", "leftfoot", "footl", "左足". */
static int look_up_glued(const Parts *p, RoleGuess guess[ROLE_GUESSES])
{
    char key[KEY_SIZE];
    if (p->count == 0 || (!join(p, 0, key) && !join(p, 1, key)))
        return 0;
    size_t length = strlen(key);
    for (int i = 0; i < role_marks_count; i++) {
        size_t word = strlen(role_marks[i].word);
        Side side = role_marks[i].kind == MARK_LEFT    ? SIDE_LEFT
                    : role_marks[i].kind == MARK_RIGHT ? SIDE_RIGHT
                                                       : SIDE_NONE;
        if (side == SIDE_NONE || word >= length)
            continue;
        int count = 0;
        if (memcmp(key, role_marks[i].word, word) == 0)
            count = look_up(key + word, side, 0, guess);
        if (!count && memcmp(key + length - word, role_marks[i].word, word) == 0) {
            char core[KEY_SIZE];
            memcpy(core, key, length - word);
            core[length - word] = 0;
            count = look_up(core, side, 0, guess);
        }
        if (count)
            return count;
    }
    return 0;
}

int role_name_guess(const char *name, RoleGuess guess[ROLE_GUESSES])
{
    Parts p;
    int count;
    /* MakeHuman's "__UpLeg_L" only positions the joint after it. */
    if (strncmp(local_name(name), "__", 2) == 0)
        return 0;
    split(name, &p);
    if ((count = look_up_parts(&p, SIDE_NONE, guess))) /* whole name: Xsens' "L5" has no side */
        return count;
    Parts whole = p;
    Side side = take_side(&whole); /* whole name without the side: CMU's "LHipJoint" */
    if (side && (count = look_up_parts(&whole, side, guess)))
        return count;
    strip_affixes(&p);
    if ((count = look_up_parts(&p, SIDE_NONE, guess)))
        return count;
    side = take_side(&p);
    strip_affixes(&p);
    if (side)
        return look_up_parts(&p, side, guess);
    if ((count = look_up_parts(&p, SIDE_NONE, guess)))
        return count;
    return look_up_glued(&p, guess);
}

/* A long or non-Latin mark at the front or the end of a word: "左大腿", "linkebein". */
static Side glued_side(const char *word)
{
    size_t length = strlen(word);
    for (int i = 0; i < role_marks_count; i++) {
        const RoleMark *mark = &role_marks[i];
        size_t size = strlen(mark->word);
        int is_side = mark->kind == MARK_LEFT || mark->kind == MARK_RIGHT;
        if (is_side && (size > 3 || mark->word[0] & 0x80) && size < length &&
            (memcmp(word, mark->word, size) == 0 || memcmp(word + length - size, mark->word, size) == 0))
            return mark->kind == MARK_LEFT ? SIDE_LEFT : SIDE_RIGHT;
    }
    return SIDE_NONE;
}

int role_name_side(const char *name)
{
    Parts p;
    split(name, &p);
    Side side = take_side(&p);
    for (int i = 0; i < p.count && !side; i++)
        side = glued_side(p.part[i]);
    return side == SIDE_LEFT ? -1 : side == SIDE_RIGHT;
}

const char *role_name_creature_word(const char *name)
{
    Parts p;
    split(name, &p);
    for (int i = 0; i < p.count; i++)
        for (int k = 0; k < role_marks_count; k++)
            if (role_marks[k].kind == MARK_CREATURE && p.part[i][0] == role_marks[k].word[0] &&
                strcmp(p.part[i], role_marks[k].word) == 0)
                return role_marks[k].word;
    return NULL;
}
