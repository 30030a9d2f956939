/* See clip.h. */
#include "analysis/clip/clip.h"

#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/base/status.h"

/* How surely import decided what a file does not say. */

static const struct {
    const char *name, *key; /* for a person and as a word */
    size_t offset;
} decisions[] = {
    {"unit", "unit", offsetof(Decisions, unit)},
    {"up axis", "up_axis", offsetof(Decisions, up_axis)},
    {"frame rate", "frame_rate", offsetof(Decisions, frame_rate)},
    {"root offset", "root_offset", offsetof(Decisions, root_offset)},
    {"positions", "positions", offsetof(Decisions, positions)},
    {"first frame", "first_frame", offsetof(Decisions, first_frame)},
};
_Static_assert(sizeof decisions / sizeof *decisions == DECISION_COUNT, "a decision has no name");

double decision_value(const Decisions *d, int i) { return *(const double *)((const char *)d + decisions[i].offset); }

const char *decision_name(int i) { return decisions[i].key; }

static int is_known(const Decisions *d)
{
    for (int i = 0; i < DECISION_COUNT; i++)
        if (decision_value(d, i) > 0)
            return 1;
    return 0;
}

double decisions_least(const Decisions *d)
{
    double least = 1;
    for (int i = 0; i < DECISION_COUNT; i++)
        least = fmin(least, decision_value(d, i));
    return is_known(d) ? least : NAN;
}

void decisions_unsure(const Decisions *d, char text[DECISIONS_TEXT_SIZE])
{
    text[0] = 0;
    for (int i = 0; i < DECISION_COUNT && is_known(d); i++)
        if (decision_value(d, i) < DECISION_UNSURE) {
            strcat(text, *text ? ", " : "");
            strcat(text, decisions[i].name);
        }
}

/* A motion played forward by controllers. */

static const char *const names[] = {"pd", "pd-feedforward", "stable-pd", "bubble-up", "kane", "kane-feedforward"};
_Static_assert(sizeof names / sizeof *names == CONTROLLER_COUNT, "a name for every ControllerKind, in its order");

const char *controller_name(ControllerKind kind) { return (unsigned)kind < CONTROLLER_COUNT ? names[kind] : ""; }

Status tracking_motion(const Tracking *t, ControllerKind kind, const Skeleton *s, Motion *out, Error *err)
{
    const TrackingRun *run = &t->run[kind];
    size_t joints = (size_t)t->joint_count;
    *out = (Motion){0};
    if (!run->present || t->frame_count < 2)
        return error_set(err, STATUS_BAD_INPUT, "holds no motion of the controller %s: kane track makes it",
                         controller_name(kind));
    double step = (t->time[t->frame_count - 1] - t->time[0]) / (t->frame_count - 1);
    Status status = motion_init(out, t->frame_count, t->joint_count, step, 0, err);
    for (int f = 0; !status && f < t->frame_count; f++) {
        const Quat *world = run->orientation + (size_t)f * joints;
        out->time[f] = t->time[f];
        out->root_position[f] = run->root_position[f];
        for (int j = 0; j < t->joint_count; j++)
            out->rotation[motion_index(out, f, j)] =
                s->parent[j] < 0 ? world[j] : quat_mul(quat_conjugate(world[s->parent[j]]), world[j]);
    }
    if (!status)
        motion_make_continuous(out);
    return status;
}

/* How well a motion was put on another skeleton. */

void retarget_score_move_frames(RetargetScore *score, int first, double ratio, int frame_count)
{
    double *moved[RETARGET_FRAMES + 1] = {&score->source_rest_frame};
    for (int i = 0; i < RETARGET_FRAMES; i++)
        moved[i + 1] = &score->worst_frame[i];
    for (int i = 0; i <= RETARGET_FRAMES; i++) {
        if (!(*moved[i] >= 0))
            continue;
        *moved[i] = rint((*moved[i] - first) * ratio);
        if (*moved[i] < 0 || *moved[i] >= frame_count)
            *moved[i] = NAN;
    }
}

Status clip_set_source(Clip *c, const char *path, Error *err)
{
    const char *base = base_name(path);
    const char *dot = strrchr(base, '.');
    size_t length = dot && dot != base ? (size_t)(dot - base) : strlen(base);
    char *source = strdup(base), *title = strndup(base, length);
    if (!source || !title) {
        free(source);
        free(title);
        return error_no_memory(err);
    }
    free(c->provenance.source);
    free(c->provenance.title);
    c->provenance.source = source;
    c->provenance.title = title;
    return STATUS_OK;
}

/* Appends a line to a text that may be NULL. */
static Status add_line(char **text, const char *line, Error *err)
{
    const char *old = *text ? *text : "";
    size_t size = strlen(old) + strlen(line) + 2;
    char *joined = malloc(size);
    if (!joined)
        return error_no_memory(err);
    snprintf(joined, size, "%s%s%s", old, *old ? "\n" : "", line);
    free(*text);
    *text = joined;
    return STATUS_OK;
}

Status clip_add_history(Clip *c, const char *line, Error *err)
{
    return add_line(&c->provenance.history, line, err);
}

static int is_of_kind(const char *line, const char *kind)
{
    size_t length = strlen(kind);
    return strncmp(line, kind, length) == 0 && strncmp(line + length, ": ", 2) == 0;
}

int clip_has_warning(const Clip *c, const char *kind, const char *text)
{
    size_t length = strlen(text);
    for (const char *line = c->provenance.warnings; line; line = strchr(line, '\n') ? strchr(line, '\n') + 1 : NULL) {
        const char *words = line + strlen(kind) + 2;
        if (is_of_kind(line, kind) && !strncmp(words, text, length) && (!words[length] || words[length] == '\n'))
            return 1;
    }
    return 0;
}

void clip_drop_warnings(Clip *c, const char *kind)
{
    char *line = c->provenance.warnings;
    while (line && *line) {
        char *next = line + strcspn(line, "\n");
        next += *next == '\n';
        if (is_of_kind(line, kind))
            memmove(line, next, strlen(next) + 1);
        else
            line = next;
    }
    if (c->provenance.warnings) { /* no line end behind the last */
        size_t length = strlen(c->provenance.warnings);
        if (length > 0 && c->provenance.warnings[length - 1] == '\n')
            c->provenance.warnings[length - 1] = 0;
    }
}

static int count_lines_of(const char *text, const char *kind)
{
    int count = 0;
    for (const char *line = text; line; line = strchr(line, '\n') ? strchr(line, '\n') + 1 : NULL)
        count += is_of_kind(line, kind);
    return count;
}

Status clip_add_warning(Clip *c, const char *kind, const char *text, Error *err)
{
    char line[512];
    int before = count_lines_of(c->provenance.warnings, kind);
    if (before > WARNINGS_OF_A_KIND)
        return STATUS_OK;
    snprintf(line, sizeof line, "%s: %s", kind, before < WARNINGS_OF_A_KIND ? text : "and more of this kind");
    for (char *at = line; *at; at++) /* a line stays one */
        *at = *at == '\n' || *at == '\r' ? ' ' : *at;
    return add_line(&c->provenance.warnings, line, err);
}
