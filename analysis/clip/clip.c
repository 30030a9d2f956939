/* See clip.h, motion.h, anatomy.h and trust.h. */
#include "analysis/clip/clip.h"

#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/base/names.h"
#include "analysis/base/status.h"
#include "analysis/clip/anatomy.h"
#include "analysis/clip/motion.h"
#include "analysis/clip/trust.h"

/* Confidence of import's detections. */

static const struct {
    const char *name, *key; /* for messages, and as an identifier */
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

/* Tracking results. */

static const char *const names[] = {"pd", "pd-feedforward", "stable-pd", "bubble-up", "kane", "kane-feedforward",
                                    "pd-inverse"};
_Static_assert(sizeof names / sizeof *names == CONTROLLER_COUNT, "a name for every ControllerKind, in its order");

const char *controller_name(ControllerKind kind) { return (unsigned)kind < CONTROLLER_COUNT ? names[kind] : ""; }

Status tracking_motion(const Tracking *t, ControllerKind kind, const Skeleton *s, Motion *out, Error *err)
{
    const TrackingRun *run = &t->run[kind];
    size_t joints = (size_t)t->joint_count;
    *out = (Motion){0};
    if (!run->present || t->frame_count < 2)
        return error_set(err, STATUS_BAD_INPUT, "has no motion of the controller %s: run kane track first",
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

/* Retarget metrics. */

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
    if (c->provenance.warnings) { /* no newline after the last line */
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
    for (char *at = line; *at; at++) /* keep it a single line */
        *at = *at == '\n' || *at == '\r' ? ' ' : *at;
    return add_line(&c->provenance.warnings, line, err);
}

void motion_make_continuous(Motion *m)
{
    size_t joints = (size_t)m->joint_count;
    for (size_t j = 0; j < joints && m->frame_count > 0; j++)
        m->rotation[j] = quat_nearest(m->rotation[j], QUAT_IDENTITY);
    LANE_TWIN(rotations_follow, lane_width_choose(LANES_AUTO))(m->rotation, joints, (size_t)m->frame_count * joints);
}

int values_finite(const double *value, size_t count)
{
    return LANE_TWIN(values_finite, lane_width_choose(LANES_AUTO))(value, count);
}

SquareBounds rotations_bounds(const Quat *rotation, size_t count)
{
    return LANE_TWIN(rotations_bounds, lane_width_choose(LANES_AUTO))(rotation, count);
}

double rotations_length_error(const Quat *rotation, size_t count)
{
    SquareBounds bounds = rotations_bounds(rotation, count);
    double error = fmax(fabs(sqrt(bounds.least) - 1), fabs(sqrt(bounds.most) - 1));
    return isfinite(error) ? error : INFINITY;
}

/* Anatomical coordinates. */

#define NAME(name, text) text,
static const char *const coordinate_names[] = {COORDINATES(NAME)};
_Static_assert(sizeof coordinate_names / sizeof *coordinate_names == COORDINATE_COUNT, "a name for every Coordinate");

static const Role roles[] = {
    ROLE_SPINE, ROLE_CHEST, ROLE_NECK,
    ROLE_LEFT_SHOULDER, ROLE_LEFT_ELBOW, ROLE_LEFT_WRIST, ROLE_LEFT_HIP, ROLE_LEFT_KNEE, ROLE_LEFT_ANKLE,
    ROLE_RIGHT_SHOULDER, ROLE_RIGHT_ELBOW, ROLE_RIGHT_WRIST, ROLE_RIGHT_HIP, ROLE_RIGHT_KNEE, ROLE_RIGHT_ANKLE,
};
_Static_assert(sizeof roles / sizeof *roles == COORDINATE_JOINTS, "three coordinates a joint, in this order");

const char *coordinate_name(Coordinate coordinate)
{
    return coordinate >= 0 && coordinate < COORDINATE_COUNT ? coordinate_names[coordinate] : "";
}

Coordinate coordinate_from_name(const char *name)
{
    int found = name_index(coordinate_names, COORDINATE_COUNT, name);
    return found >= 0 ? (Coordinate)found : COORDINATE_NONE;
}

Role coordinate_role(Coordinate coordinate)
{
    return coordinate >= 0 && coordinate < COORDINATE_COUNT ? roles[coordinate / COORDINATES_PER_JOINT] : ROLE_NONE;
}

Coordinate coordinate_of_role(Role role)
{
    for (int i = 0; i < COORDINATE_JOINTS; i++)
        if (roles[i] == role)
            return (Coordinate)(i * COORDINATES_PER_JOINT);
    return COORDINATE_NONE;
}

int anatomy_find(const Anatomy *a, Coordinate coordinate)
{
    for (int i = 0; i < a->coordinate_count; i++)
        if (a->coordinate[i] == coordinate)
            return i;
    return -1;
}

int anatomy_of_joint(const Anatomy *a, int joint)
{
    for (int i = 0; i < a->coordinate_count; i++)
        if (a->joint[i] == joint)
            return i;
    return -1;
}

Vec3 anatomy_vector(const Anatomy *a, int frame, int first, const double moment[COORDINATES_PER_JOINT])
{
    const Vec3 *e = a->axis + anatomy_index(a, frame, first);
    Vec3 dual[COORDINATES_PER_JOINT] = {vec3_cross(e[1], e[2]), vec3_cross(e[2], e[0]), vec3_cross(e[0], e[1])};
    Vec3 sum = vec3(0, 0, 0);
    for (int i = 0; i < COORDINATES_PER_JOINT; i++)
        sum = vec3_mad(sum, moment[i], dual[i]);
    return vec3_scale(sum, 1 / vec3_dot(e[0], dual[0]));
}

double anatomy_joint_use(const Anatomy *a, int frame, int joint)
{
    double most = NAN;
    for (int i = 0; a->utilization && i < a->coordinate_count; i++)
        if (a->joint[i] == joint)
            most = fmax(most, a->utilization[anatomy_index(a, frame, i)]);
    return most;
}

static const char *const reason_names[] = {
    "edge",             "teleport",     "flip",             "frozen",       "interpolated",
    "unexplained",      "lost_contact", "airborne_support", "no_root_path", "adjacent_joint",
    "presumed_support", "off_plates",   "plates_doubted",   "flicker",      "drift",
    "sliding",          "swapped",      "repeated",         "uncertain",
};
_Static_assert(sizeof reason_names / sizeof *reason_names == TRUST_REASON_COUNT, "every reason has its name");
_Static_assert(TRUST_UNCERTAIN == 1 << (TRUST_REASON_COUNT - 1), "names stand in the order of their bits");

const char *trust_reason_name(int number)
{
    return number >= 0 && number < TRUST_REASON_COUNT ? reason_names[number] : "";
}

static int is_seen(const Trust *t, int frame)
{
    return !(t->reason[frame] & TRUST_OFF_PLATES);
}

int trust_seen_frames(const Trust *t)
{
    int seen = 0;
    for (int f = 0; f < t->frame_count; f++)
        seen += is_seen(t, f);
    return seen;
}

double trust_fraction(const Trust *t)
{
    int trusted = 0, seen = trust_seen_frames(t);
    for (int f = 0; f < t->frame_count; f++)
        trusted += t->trusted[f];
    return seen > 0 ? (double)trusted / seen : t->frame_count == 0;
}

const char *trust_commonest_reason(const Trust *t)
{
    int count[TRUST_REASON_COUNT] = {0}, most = 0, any_seen = trust_seen_frames(t) > 0;
    for (int f = 0; f < t->frame_count; f++)
        for (int i = 0; i < TRUST_REASON_COUNT && is_seen(t, f) == any_seen; i++)
            count[i] += t->reason[f] >> i & 1;
    for (int i = 1; i < TRUST_REASON_COUNT; i++)
        most = count[i] > (most > 0 ? count[most] : 0) ? i : most;
    return count[most] > 0 ? trust_reason_name(most) : "";
}

void trust_clear(Trust *t, uint32_t bits)
{
    size_t count = t->joint_reason ? (size_t)t->frame_count * (size_t)t->joint_count : 0;
    for (int f = 0; f < t->frame_count; f++)
        t->reason[f] &= ~bits;
    for (size_t i = 0; i < count; i++)
        t->joint_reason[i] &= ~bits;
}

void trust_settle(Trust *t)
{
    for (int f = 0; f < t->frame_count; f++)
        t->trusted[f] = t->reason[f] == 0;
}
