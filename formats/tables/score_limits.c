/* See score_limits.h. */
#include "formats/tables/score_limits.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "analysis/clip/clip_schema.h"
#include "formats/base/table.h"

#define METRIC(name) {#name, offsetof(RetargetScore, name), -1},
#define FRAMED(name) {#name, offsetof(RetargetScore, name), WORST_##name},
static const struct {
    const char *name;
    size_t offset;
    int worst; /* index of its frame; -1: none */
} metrics[] = {RETARGET_METRICS(METRIC, FRAMED)};
enum { METRICS = sizeof metrics / sizeof *metrics };

static double metric_value(const RetargetScore *score, int metric)
{
    return *(const double *)((const char *)score + metrics[metric].offset);
}

/* Returns 1 for metrics that require forces or a second run. */
static int needs_all(int metric)
{
    return !strcmp(metrics[metric].name, "mirror_cm") || !strncmp(metrics[metric].name, "residual_", 9);
}

/* Returns 1 if a metric has this name, or had it in an earlier version. */
static int is_name(const char *metric, const char *name)
{
    const char *old = schema_old_name(metric);
    return !strcmp(metric, name) || (old && !strcmp(old, name));
}

/* Returns the metric of this name, FIGURES if there is none. */
static int find_metric(const char *name)
{
    int i = 0;
    while (i < METRICS && !is_name(metrics[i].name, name))
        i++;
    return i;
}

static Status beyond(const RetargetScore *score, int metric, double max, Error *err)
{
    char worst[48] = "";
    if (metrics[metric].worst >= 0)
        snprintf(worst, sizeof worst, ", worst in frame %.0f", score->worst_frame[metrics[metric].worst]);
    return error_set(err, STATUS_BAD_INPUT, "%s is %.4g, more than %.4g%s", metrics[metric].name,
                     metric_value(score, metric), max, worst);
}

Status score_limits_check(const char *path, const RetargetScore *score, int is_whole, Error *err)
{
    static const char *const names[] = {"metric", "max"}, *const older[] = {"figure", "most"};
    Table table = {0};
    int column[2], worst = -1;
    double max = 0, bound = 0;
    Status status = table_read_path(path, &table, err);
    if (!status)
        status = table_require_all(&table, table_find(&table, older[0]) < 0 ? names : older, 2, column, err);
    for (int row = 0; row < table.row_count && !status; row++) {
        int metric = find_metric(table_cell(&table, row, column[0]));
        status = metric < METRICS ? table_number(&table, row, column[1], &max, err)
                                  : table_error(&table, row, column[0], err, "unknown metric \"%s\" of /retarget",
                                                table_cell(&table, row, column[0]));
        if (!status && !is_whole && needs_all(metric))
            status = table_error(&table, row, column[0], err, "%s is measured with --score all alone",
                                 metrics[metric].name);
        if (!status && worst < 0 && metric_value(score, metric) > max) {
            worst = metric;
            bound = max;
        }
    }
    table_free(&table);
    if (status)
        return error_of_file(err, path, status);
    return worst < 0 ? STATUS_OK : beyond(score, worst, bound, err);
}
