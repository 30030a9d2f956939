/* See plate_columns.h. */
#include "formats/tables/plate_columns.h"

#include <ctype.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "analysis/base/arena.h"
#include "analysis/clip/contact.h"
#include "formats/base/number.h"

#define COLUMNS_MAX 4096
#define PLATES_MAX 64
#define FAR 50.0 /* m: larger positions are in mm */
#define WORD_SIZE 32

typedef enum Quantity { NO_QUANTITY, FORCE, POINT, COUPLE, QUANTITIES } Quantity;

/* What the name of a column says. */
typedef struct ColumnName {
    char plate[PLATE_NAME_SIZE]; /* remaining words, joined by '_' */
    int foot;
    Quantity quantity;
    int axis;       /* 0 to 2; -1: none */
    int is_metric;  /* 0: ends in mm or nmm */
} ColumnName;

typedef struct Columns {
    int count, time;
    struct {
        int plate; /* -1: no force */
        Quantity quantity;
        int axis;
        double scale;
    } of[COLUMNS_MAX];
    int plate_count, states_point;
    Plate plate[PLATES_MAX];
    unsigned char has[PLATES_MAX][QUANTITIES][3];
} Columns;

/* ---- Lines and cells ---- */

typedef struct Lines {
    const char *at, *end, *next;
    int number;
    char separator; /* ',', ';', '\t'; ' ': any blanks */
} Lines;

static int next_line(Lines *l)
{
    while (l->next < l->end) {
        l->at = l->next;
        const char *stop = memchr(l->at, '\n', (size_t)(l->end - l->at));
        l->next = stop ? stop + 1 : l->end;
        l->number++;
        const char *last = stop ? stop : l->end;
        while (l->at < last && isspace((unsigned char)*l->at))
            l->at++;
        if (l->at < last && *l->at != '#')
            return 1;
    }
    return 0;
}

static const char *line_end(const Lines *l)
{
    const char *end = l->next;
    while (end > l->at && isspace((unsigned char)end[-1]))
        end--;
    return end;
}

/* Returns the next cell of the line in [*at, end); NULL at its end. *size excludes blanks. */
static const char *next_cell(const Lines *l, const char **at, const char *end, size_t *size)
{
    const char *cell = *at;
    while (cell < end && (*cell == ' ' || (*cell == '\t' && l->separator == ' ')))
        cell++;
    if (cell > end || (cell == end && (l->separator == ' ' || *at > end)))
        return NULL;
    const char *stop = cell;
    while (stop < end && (l->separator == ' ' ? !isspace((unsigned char)*stop) : *stop != l->separator))
        stop++;
    *at = stop + 1;
    *size = (size_t)(stop - cell);
    while (*size && (cell[*size - 1] == ' ' || cell[*size - 1] == '"'))
        (*size)--;
    if (*size && *cell == '"')
        cell++, (*size)--;
    return cell;
}

static char find_separator(const char *at, const char *end)
{
    static const char separators[] = {',', ';', '\t'};
    for (size_t i = 0; i < sizeof separators; i++)
        if (memchr(at, separators[i], (size_t)(end - at)))
            return separators[i];
    return ' ';
}

/* ---- Names ---- */

/* Splits a name into words of letters or digits; returns the length of the next one, 0 at the end. */
static size_t next_word(const char **at, const char *end, char word[WORD_SIZE])
{
    size_t n = 0;
    while (*at < end && !isalnum((unsigned char)**at))
        (*at)++;
    if (*at == end)
        return 0;
    int digits = isdigit((unsigned char)**at) != 0;
    while (*at < end && isalnum((unsigned char)**at) && (isdigit((unsigned char)**at) != 0) == digits) {
        word[n] = (char)tolower((unsigned char)**at);
        n += n + 1 < WORD_SIZE;
        (*at)++;
    }
    word[n] = 0;
    return n;
}

static int is_one_of(const char *word, const char *const *words)
{
    while (*words && strcmp(word, *words))
        words++;
    return *words != NULL;
}

/* Quantity and axis in one word: vx, px, mx, fx, copx, tx. */
static int is_component(const char *word, ColumnName *out)
{
    static const struct {
        const char *prefix;
        Quantity quantity;
    } kinds[] = {{"v", FORCE}, {"f", FORCE}, {"p", POINT}, {"cop", POINT}, {"m", COUPLE}, {"t", COUPLE}};
    size_t length = strlen(word);
    const char *axis = length ? strchr("xyz", word[length - 1]) : NULL;
    for (size_t i = 0; axis && i < sizeof kinds / sizeof *kinds; i++)
        if (strlen(kinds[i].prefix) == length - 1 && !strncmp(word, kinds[i].prefix, length - 1)) {
            out->quantity = kinds[i].quantity;
            out->axis = word[length - 1] - 'x';
            return 1;
        }
    return 0;
}

static void add_to_plate(ColumnName *out, const char *word)
{
    size_t used = strlen(out->plate);
    snprintf(out->plate + used, sizeof out->plate - used, "%s%s", used ? "_" : "", word);
}

/* f1_1, p1_1, m1_1: quantity, plate and component. */
static int is_indexed(const char *at, const char *end, ColumnName *out)
{
    static const char letters[] = "fpmt";
    static const Quantity quantities[] = {FORCE, POINT, COUPLE, COUPLE};
    char word[WORD_SIZE], plate[WORD_SIZE], axis[WORD_SIZE];
    if (next_word(&at, end, word) != 1 || !strchr(letters, word[0]) || !next_word(&at, end, plate) ||
        !isdigit((unsigned char)plate[0]) || next_word(&at, end, axis) != 1 || axis[0] < '1' || axis[0] > '3' ||
        at != end)
        return 0;
    out->quantity = quantities[strchr(letters, word[0]) - letters];
    out->axis = axis[0] - '1';
    add_to_plate(out, plate);
    return 1;
}

static void read_word(const char *word, ColumnName *out)
{
    static const char *const fillers[] = {"ground", "world", "grf", "foot", "reaction", "free", "centre", "center",
                                          "of", "n", "m", "nm", "calcn", NULL};
    static const char *const couples[] = {"torque", "moment", NULL}, *const points[] = {"pressure", "cop", "point",
                                                                                        "position", "joint", NULL};
    static const char *const left[] = {"l", "left", NULL}, *const right[] = {"r", "right", NULL};
    if (is_one_of(word, couples))
        out->quantity = COUPLE;
    else if (is_one_of(word, points))
        out->quantity = POINT;
    else if (!strcmp(word, "force"))
        out->quantity = out->quantity ? out->quantity : FORCE;
    else if (!strcmp(word, "mm") || !strcmp(word, "nmm"))
        out->is_metric = 0;
    else if (strchr("xyz", word[0]) && !word[1])
        out->axis = word[0] - 'x';
    else if (!is_component(word, out) && !is_one_of(word, fillers)) {
        int side = is_one_of(word, left) ? FOOT_LEFT : is_one_of(word, right) ? FOOT_RIGHT : FOOT_COUNT;
        out->foot = *out->plate ? FOOT_COUNT : side; /* the side alone names a foot: not that of a hand */
        add_to_plate(out, word);
    }
}

/* Returns 0 for a column that is not a component of a load. */
static int read_name(const char *at, size_t size, ColumnName *out)
{
    const char *end = at + size;
    char word[WORD_SIZE];
    *out = (ColumnName){.foot = FOOT_COUNT, .axis = -1, .is_metric = 1};
    if (is_indexed(at, end, out))
        return 1;
    while (next_word(&at, end, word))
        read_word(word, out);
    return out->quantity && out->axis >= 0;
}

/* ---- Header ---- */

static int find_plate(Columns *c, const ColumnName *name)
{
    int p = 0;
    while (p < c->plate_count && strcmp(c->plate[p].name, name->plate))
        p++;
    if (p == PLATES_MAX)
        return -1;
    if (p == c->plate_count) {
        c->plate_count++;
        snprintf(c->plate[p].name, sizeof c->plate[p].name, "%s", name->plate);
        c->plate[p].foot = name->foot;
    }
    return p;
}

static int is_time(const char *cell, size_t size)
{
    return size >= 4 && !strncasecmp(cell, "time", 4);
}

static void add_column(Columns *c, const char *cell, size_t size)
{
    ColumnName name;
    int column = c->count++, is_load = read_name(cell, size, &name);
    if (is_time(cell, size) && c->time < 0) {
        c->time = column;
        is_load = 0;
    }
    c->of[column].plate = is_load ? find_plate(c, &name) : -1;
    if (c->of[column].plate < 0)
        return;
    c->of[column].quantity = name.quantity;
    c->of[column].axis = name.axis;
    c->of[column].scale = name.is_metric || name.quantity == FORCE ? 1 : 1e-3;
    c->has[c->of[column].plate][name.quantity][name.axis] = 1;
    c->states_point |= name.quantity == POINT;
}

/* Moves to the row of column names: the first after `endheader`, else the first line. */
static int find_header(Lines *l, const char *text, size_t size)
{
    *l = (Lines){.next = text, .end = text + size};
    const char *mark = memmem(text, size, "endheader", 9);
    int more = next_line(l);
    while (more && mark && l->at <= mark)
        more = next_line(l);
    if (more)
        l->separator = find_separator(l->at, line_end(l));
    return more;
}

static Status read_header(Lines *l, const char *text, size_t size, Columns *c, Error *err)
{
    size_t length;
    c->time = -1;
    if (!find_header(l, text, size))
        return error_set(err, STATUS_BAD_INPUT, "the table has no row of column names");
    const char *at = l->at, *end = line_end(l), *cell;
    while ((cell = next_cell(l, &at, end, &length))) {
        if (c->count == COLUMNS_MAX)
            return error_set_at(err, STATUS_LIMIT, l->number, 0, "more than %d columns", COLUMNS_MAX);
        add_column(c, cell, length);
    }
    if (c->time < 0)
        return error_set_at(err, STATUS_BAD_INPUT, l->number, 0, "no column \"time\"");
    if (!c->plate_count)
        return error_set_at(err, STATUS_BAD_INPUT, l->number, 0, "no columns of forces, such as ground_force_r_vx, "
                            "ground_force_r_px, ground_torque_r_x");
    for (int p = 0; p < c->plate_count; p++)
        for (int axis = 0; axis < 3; axis++)
            if (!c->has[p][FORCE][axis] || (c->states_point && !c->has[p][POINT][axis]))
                return error_set_at(err, STATUS_BAD_INPUT, l->number, 0, "no column with the %c %s of \"%s\"",
                                    'x' + axis, c->has[p][FORCE][axis] ? "pressure centre" : "force",
                                    c->plate[p].name);
    return STATUS_OK;
}

int plate_columns_begin(const char *front, size_t size)
{
    static const char joint[] = "joint";
    Lines l;
    size_t length;
    if (!size || memchr(front, 0, size) || !find_header(&l, front, size))
        return 0;
    const char *at = l.at, *end = line_end(&l), *cell;
    int loads = 0;
    while ((cell = next_cell(&l, &at, end, &length))) {
        ColumnName name;
        if (length == sizeof joint - 1 && !strncasecmp(cell, joint, length))
            return 0;
        loads += read_name(cell, length, &name);
    }
    return loads > 3;
}

/* ---- Rows ---- */

/* The loads of a row, as they are in the file. */
typedef struct Row {
    double time, value[PLATES_MAX][QUANTITIES][3];
} Row;

/* NaN stands for an unloaded foot's centre of pressure. */
static int read_number(const char *cell, size_t size, double *out)
{
    *out = NAN;
    if (!size || (size == 3 && !strncasecmp(cell, "nan", 3)))
        return 1;
    return number_scan(cell, cell + size, out) == cell + size && isfinite(*out);
}

static Status read_row(const Lines *l, const Columns *c, Row *row, Error *err)
{
    const char *at = l->at, *end = line_end(l), *cell;
    size_t length;
    int column = 0;
    memset(row, 0, sizeof *row);
    for (; column < c->count && (cell = next_cell(l, &at, end, &length)); column++) {
        double value;
        int plate = c->of[column].plate;
        if (plate < 0 && column != c->time)
            continue;
        if (!read_number(cell, length, &value))
            return error_set_at(err, STATUS_BAD_INPUT, l->number, (int)(cell - l->at) + 1,
                                "expected a number, found \"%.*s\"%s", (int)(length < 40 ? length : 40), cell,
                                number_hint(cell, length));
        if (column == c->time)
            row->time = value;
        else
            row->value[plate][c->of[column].quantity][c->of[column].axis] = value * c->of[column].scale;
    }
    if (column < c->count || !isfinite(row->time))
        return error_set_at(err, STATUS_BAD_INPUT, l->number, 0, column < c->count ? "%d of %d columns" : "no time",
                            column, c->count);
    return STATUS_OK;
}

/* An unloaded plate may have no numbers. */
static int is_unloaded(double v[QUANTITIES][3])
{
    int is_zero = 1;
    for (int axis = 0; axis < 3; axis++)
        is_zero &= isnan(v[FORCE][axis]) || v[FORCE][axis] == 0;
    return is_zero;
}

/* Moments stay per file unit until that is known. */
static Status keep_row(const Lines *l, const Columns *c, Row *row, PlateRecord *out, Vec3 *point, Error *err)
{
    int sample = out->sample_count++;
    out->time[sample] = row->time;
    if (sample && !(row->time > out->time[sample - 1]))
        return error_set_at(err, STATUS_BAD_INPUT, l->number, 0, "time %g comes after %g", row->time,
                            out->time[sample - 1]);
    for (int p = 0; p < c->plate_count; p++) {
        double(*v)[3] = row->value[p];
        size_t at = plate_index(out, sample, p);
        if (is_unloaded(v))
            continue;
        for (int i = FORCE; i < QUANTITIES; i++)
            for (int axis = 0; axis < 3; axis++)
                if (isnan(v[i][axis]))
                    return error_set_at(err, STATUS_BAD_INPUT, l->number, 0,
                                        "\"%s\" is loaded, but its %s is no number",
                                        c->plate[p].name, i == FORCE ? "force" : i == POINT ? "point" : "moment");
        out->force[at] = vec3_load(v[FORCE]);
        out->moment[at] = vec3_load(v[COUPLE]);
        point[at] = vec3_load(v[POINT]);
    }
    return STATUS_OK;
}

/* Moments about the origin. Positions above 50 m are in mm, and then moments in N mm. */
static void settle(PlateRecord *out, const Vec3 *point)
{
    size_t count = (size_t)out->sample_count * (size_t)out->plate_count;
    double farthest = vec3_longest(point, (int)fmin((double)count, INT_MAX));
    double unit = farthest > FAR ? 1e-3 : 1;
    for (size_t at = 0; at < count; at++)
        out->moment[at] = vec3_scale(vec3_add(out->moment[at], vec3_cross(point[at], out->force[at])), unit);
}

static int count_lines(Lines l)
{
    double count = 0;
    while (next_line(&l))
        count++;
    return (int)fmin(count, INT_MAX);
}

static Status read_rows(Lines *l, const Columns *c, PlateRecord *out, Error *err)
{
    int rows = count_lines(*l);
    Row *row = malloc(sizeof *row);
    Vec3 *point = array_new((size_t)rows, (size_t)c->plate_count, sizeof *point);
    Status status = row && point ? plate_record_init(out, c->plate_count, rows, err) : error_no_memory(err);
    if (!status) {
        memcpy(out->plate, c->plate, (size_t)c->plate_count * sizeof *out->plate);
        out->sample_count = 0;
    }
    while (!status && next_line(l))
        if (!(status = read_row(l, c, row, err)))
            status = keep_row(l, c, row, out, point, err);
    if (!status && !out->sample_count)
        status = error_set(err, STATUS_BAD_INPUT, "the table has no rows");
    if (!status)
        settle(out, point);
    else
        plate_record_free(out);
    free(row);
    free(point);
    return status;
}

Status plate_columns_parse(const char *text, size_t size, PlateRecord *out, Error *err)
{
    Lines lines;
    *out = (PlateRecord){0};
    Columns *columns = calloc(1, sizeof *columns);
    Status status = columns ? read_header(&lines, text, size, columns, err) : error_no_memory(err);
    if (!status)
        status = read_rows(&lines, columns, out, err);
    free(columns);
    return status;
}
