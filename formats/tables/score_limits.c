#include "formats/tables/score_limits.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "formats/base/table.h"

#define FIGURE(name) {#name, offsetof(RetargetScore, name)},
static const struct {
    const char *name;
    size_t offset;
} figures[] = {RETARGET_FIGURES(FIGURE)};
enum { FIGURES = sizeof figures / sizeof *figures };

static double value_of(const RetargetScore *score, int figure)
{
    return *(const double *)((const char *)score + figures[figure].offset);
}

/* The figure of a cell; FIGURES where there is none of that name. */
static int find_figure(const char *name)
{
    int i = 0;
    while (i < FIGURES && strcmp(figures[i].name, name))
        i++;
    return i;
}

/* The worst frame stands behind its figure in the list. */
static Status beyond(const RetargetScore *score, int figure, double most, Error *err)
{
    size_t length = figure + 1 < FIGURES ? strlen(figures[figure + 1].name) : 0;
    char worst[48] = "";
    if (length > 6 && !strcmp(figures[figure + 1].name + length - 6, "_frame"))
        snprintf(worst, sizeof worst, ", worst in frame %.0f", value_of(score, figure + 1));
    return error_set(err, STATUS_BAD_INPUT, "%s is %.4g, more than %.4g%s", figures[figure].name,
                     value_of(score, figure), most, worst);
}

Status score_limits_check(const char *path, const RetargetScore *score, Error *err)
{
    static const char *const names[] = {"figure", "most"};
    Table table = {0};
    int column[2], worst = -1;
    double most = 0, bound = 0;
    Status status = table_read_path(path, &table, err);
    if (!status)
        status = table_require_all(&table, names, 2, column, err);
    for (int row = 0; row < table.row_count && !status; row++) {
        int figure = find_figure(table_cell(&table, row, column[0]));
        status = figure < FIGURES ? table_number(&table, row, column[1], &most, err)
                                  : table_error(&table, row, column[0], err, "there is no figure \"%s\" in /retarget",
                                                table_cell(&table, row, column[0]));
        if (!status && worst < 0 && value_of(score, figure) > most) {
            worst = figure;
            bound = most;
        }
    }
    table_free(&table);
    if (status)
        return error_of_file(err, path, status);
    return worst < 0 ? STATUS_OK : beyond(score, worst, bound, err);
}
