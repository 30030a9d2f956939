/* The groups of a clip (skeleton.h, motion.h, anatomy.h, trust.h, clip.h): names, searches, copies, and checks of what
 * files state. clip_groups.c has their memory. */
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
#include "analysis/clip/skeleton.h"
#include "analysis/clip/trust.h"
#include "analysis/math/passes.h"
#include "analysis/math/quat.h"

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

static const char *const role_names[] = {
    "", "hips", "spine", "chest", "neck", "head",
    "left_clavicle", "left_shoulder", "left_elbow", "left_wrist", "left_hip", "left_knee", "left_ankle", "left_toe",
    "right_clavicle", "right_shoulder", "right_elbow", "right_wrist", "right_hip", "right_knee", "right_ankle",
    "right_toe",
};
_Static_assert(sizeof role_names / sizeof *role_names == ROLE_COUNT, "a name for every Role, in its order");

const char *role_name(Role role)
{
    return (unsigned)role < ROLE_COUNT ? role_names[role] : "";
}

Role role_from_name(const char *name)
{
    for (int r = 1; r < ROLE_COUNT; r++)
        if (strcmp(name, role_names[r]) == 0)
            return (Role)r;
    return ROLE_NONE;
}

Role role_mirror(Role role)
{
    const int pair = ROLE_RIGHT_CLAVICLE - ROLE_LEFT_CLAVICLE;
    if (role >= ROLE_LEFT_CLAVICLE && role <= ROLE_LEFT_TOE)
        return (Role)(role + pair);
    if (role >= ROLE_RIGHT_CLAVICLE && role <= ROLE_RIGHT_TOE)
        return (Role)(role - pair);
    return role;
}

int skeleton_position_channels(const Skeleton *s, int joint)
{
    enum { LAST_POSITION = 3 }; /* digits 1 to 3: positions, others: rotations */
    int count = 0;
    for (int rest = s->channels ? s->channels[joint] : 0; rest > 0; rest /= 10)
        count += rest % 10 <= LAST_POSITION;
    return count;
}

Status skeleton_set_name(Skeleton *s, int joint, const char *name, Error *err)
{
    char *copy = strdup(name);
    if (!copy)
        return error_no_memory(err);
    free(s->name[joint]);
    s->name[joint] = copy;
    return STATUS_OK;
}

int skeleton_is_below(const Skeleton *s, int joint, int above)
{
    while (joint > above)
        joint = s->parent[joint];
    return joint == above;
}

double skeleton_distance(const Skeleton *s, int from, int to)
{
    double distance = 0;
    for (int j = to; j > from; j = s->parent[j])
        distance += vec3_norm(s->offset[j]);
    return distance;
}

double skeleton_longest_offset(const Skeleton *s)
{
    return vec3_longest(s->offset + 1, s->joint_count - 1);
}

double skeleton_offset_sum(const Skeleton *s)
{
    double sum = 0;
    for (int j = 1; j < s->joint_count; j++)
        sum += vec3_norm(s->offset[j]);
    return sum;
}

int skeleton_find(const Skeleton *s, const char *name)
{
    for (int j = 0; j < s->joint_count; j++)
        if (strcmp(s->name[j], name) == 0)
            return j;
    return -1;
}

int skeleton_find_role(const Skeleton *s, Role role)
{
    for (int j = 0; role != ROLE_NONE && j < s->joint_count; j++)
        if (s->role[j] == role)
            return j;
    return -1;
}

int skeleton_find_name_or_role(const Skeleton *s, const char *name)
{
    int joint = skeleton_find(s, name);
    return joint < 0 ? skeleton_find_role(s, role_from_name(name)) : joint;
}

void skeleton_rest_positions(const Skeleton *s, Vec3 *rest)
{
    for (int j = 0; j < s->joint_count; j++)
        rest[j] = s->parent[j] < 0 ? s->offset[j] : vec3_add(rest[s->parent[j]], s->offset[j]);
}

void skeleton_reach(const Skeleton *s, double *reach)
{
    memset(reach, 0, (size_t)s->joint_count * sizeof *reach);
    for (int e = 0; e < s->end_count; e++)
        reach[s->end_parent[e]] = fmax(reach[s->end_parent[e]], vec3_norm(s->end_offset[e]));
    for (int j = s->joint_count - 1; j > 0; j--)
        reach[s->parent[j]] = fmax(reach[s->parent[j]], vec3_norm(s->offset[j]) + reach[j]);
}

double skeleton_longest_chain(const Skeleton *s)
{
    double longest = 0;
    for (int j = 1; j < s->joint_count; j++)
        longest = fmax(longest, skeleton_distance(s, 0, j));
    return longest;
}

static const char *const dof_kinds[] = {"", "hinge", "slide", "ball", "free", "custom"};
_Static_assert(sizeof dof_kinds / sizeof *dof_kinds == DOF_KIND_COUNT, "a name for every DofKind, in its order");

const char *dof_kind_name(DofKind kind) { return (unsigned)kind < DOF_KIND_COUNT ? dof_kinds[kind] : ""; }

int dof_kind_from_name(const char *name, DofKind *kind)
{
    int found = name_index(dof_kinds, DOF_KIND_COUNT, name);
    if (found >= 0)
        *kind = (DofKind)found;
    return found >= 0;
}

void dofs_set_defaults(Dofs *d)
{
    for (int i = 0; i < d->count; i++) {
        d->rest_rotation[i] = QUAT_IDENTITY;
        d->speed_limit[i] = NAN;
        d->coupled_to[i] = -1;
        for (int k = 0; k < DOF_BOUNDS; k++)
            d->range[DOF_BOUNDS * i + k] = d->effort_limit[DOF_BOUNDS * i + k] = NAN;
    }
}

Status dofs_set_name(Dofs *d, int row, const char *name, Error *err)
{
    char *copy = strdup(name);
    if (!copy)
        return error_no_memory(err);
    free(d->name[row]);
    d->name[row] = copy;
    return STATUS_OK;
}

int dofs_first(const Dofs *d, int row)
{
    while (row > 0 && d->joint[row - 1] == d->joint[row])
        row--;
    return row;
}

int dofs_end(const Dofs *d, int row)
{
    int joint = d->joint[row];
    while (row < d->count && d->joint[row] == joint)
        row++;
    return row;
}

int dofs_is_rotation(const Dofs *d, int row)
{
    if (d->kind[row] == DOF_FREE)
        return row - dofs_first(d, row) >= DOFS_PER_BALL;
    return d->kind[row] != DOF_SLIDE;
}

/* ---- Consistency ---- */

static Status bad(const Dofs *d, int row, const char *what, Error *err)
{
    return error_set(err, STATUS_BAD_INPUT, "/dof: \"%.60s\" (row %d) %s", d->name[row] ? d->name[row] : "", row, what);
}

static Status check_joint(const Dofs *d, int row, int joint_count, Error *err)
{
    int is_new = row == 0 || d->joint[row - 1] != d->joint[row];
    if (d->joint[row] < 0 || d->joint[row] >= joint_count)
        return bad(d, row, "moves no joint of the clip", err);
    for (int i = 0; is_new && i < row; i++)
        if (d->joint[i] == d->joint[row])
            return bad(d, row, "does not stand beside the others of its joint", err);
    if (is_new && d->kind[row] != DOF_UNKNOWN && dofs_end(d, row) - row > DOFS_PER_JOINT)
        return bad(d, row, "is one of more than six of its joint", err);
    return STATUS_OK;
}

/* A ball joint has three rows, a free joint exactly six. */
static Status check_kind(const Dofs *d, int row, Error *err)
{
    int first = dofs_first(d, row), end = dofs_end(d, row), of_kind = 0;
    DofKind kind = d->kind[row];
    for (int i = first; i < end; i++)
        of_kind += d->kind[i] == kind;
    if ((unsigned)kind >= DOF_KIND_COUNT)
        return bad(d, row, "is of no kind", err);
    if (kind == DOF_BALL && of_kind != DOFS_PER_BALL)
        return bad(d, row, "is one of a ball, which has three rows", err);
    if (kind == DOF_FREE && (of_kind != DOFS_PER_FREE || end - first != DOFS_PER_FREE))
        return bad(d, row, "is one of a free joint, which has six rows and no others", err);
    if ((kind == DOF_CUSTOM || kind == DOF_UNKNOWN) && of_kind != end - first)
        return bad(d, row, "has another kind on the same joint", err);
    return STATUS_OK;
}

static Status check_axis(const Dofs *d, int row, Error *err)
{
    Quat rest = d->rest_rotation[row];
    int first = dofs_first(d, row);
    int is_fixed = d->kind[row] == DOF_HINGE || d->kind[row] == DOF_SLIDE;
    if (is_fixed && !(fabs(vec3_norm(d->axis[row]) - 1) <= 1e-5))
        return bad(d, row, "has an axis that is not of unit length", err);
    if (!(fabs(quat_dot(rest, rest) - 1) <= 1e-5))
        return bad(d, row, "has a rest rotation that is no unit quaternion", err);
    if (!(fabs(quat_dot(rest, d->rest_rotation[first])) >= 1 - 1e-5))
        return bad(d, row, "has another rest rotation than the first of its joint", err);
    return d->kind[row] == DOF_CUSTOM && !d->moving_axis ? bad(d, row, "is custom and has no moving axis", err)
                                                         : STATUS_OK;
}

/* A row that others follow must not be coupled itself. */
static Status check_coupling(const Dofs *d, int row, Error *err)
{
    int to = d->coupled_to[row];
    if (to < -1 || to >= d->count)
        return bad(d, row, "is coupled to a row that is not there", err);
    return to >= 0 && d->coupled_to[to] >= 0 ? bad(d, row, "is coupled to one that is coupled itself", err) : STATUS_OK;
}

Status dofs_check(const Dofs *d, int joint_count, Error *err)
{
    Status status = STATUS_OK;
    for (int i = 0; i < d->count && !status; i++)
        if (!(status = check_joint(d, i, joint_count, err)) && !(status = check_kind(d, i, err)) &&
            !(status = check_axis(d, i, err)))
            status = check_coupling(d, i, err);
    return status;
}

static const char *const shape_kinds[] = {"sphere", "capsule", "cylinder", "box", "ellipsoid",
                                         "plane", "mesh", "spring", "tendon"};
_Static_assert(sizeof shape_kinds / sizeof *shape_kinds == SHAPE_KIND_COUNT,
               "a name for every ShapeKind, in its order");

const char *shape_kind_name(ShapeKind kind) { return (unsigned)kind < SHAPE_KIND_COUNT ? shape_kinds[kind] : ""; }

int shape_kind_from_name(const char *name, ShapeKind *kind)
{
    int found = name_index(shape_kinds, SHAPE_KIND_COUNT, name);
    if (found >= 0)
        *kind = (ShapeKind)found;
    return found >= 0;
}

void shapes_set_defaults(Shapes *s)
{
    for (int i = 0; i < s->count; i++)
        s->orientation[i] = QUAT_IDENTITY;
    for (int p = 0; p < s->point_count; p++)
        s->point_joint[p] = s->point_particle[p] = -1;
}

static int is_within(int start, int count, int all) { return start >= 0 && count >= 0 && start <= all - count; }

static Status check_shape(const Shapes *s, int i, int joint_count, Error *err)
{
    const double *color = s->color + 4 * (size_t)i;
    double length = quat_dot(s->orientation[i], s->orientation[i]);
    if ((unsigned)s->kind[i] >= SHAPE_KIND_COUNT)
        return error_set(err, STATUS_BAD_INPUT, "/shapes/kind: shape %d has a kind that is not known", i);
    if (s->joint[i] < 0 || s->joint[i] >= joint_count)
        return error_set(err, STATUS_BAD_INPUT, "/shapes/joint: shape %d has joint %d", i, s->joint[i]);
    if (s->size[i].x < 0 || s->size[i].y < 0 || s->size[i].z < 0)
        return error_set(err, STATUS_BAD_INPUT, "/shapes/size: shape %d has a negative size", i);
    if (!(fabs(length - 1) <= 1e-5))
        return error_set(err, STATUS_BAD_INPUT, "/shapes/orientation: shape %d has no unit quaternion", i);
    for (int k = 0; k < 4; k++)
        if (!(color[k] >= 0 && color[k] <= 1))
            return error_set(err, STATUS_BAD_INPUT, "/shapes/color: shape %d has %g", i, color[k]);
    if (!is_within(s->point_start[i], s->points[i], s->point_count))
        return error_set(err, STATUS_BAD_INPUT, "/shapes/points: shape %d has %d points from %d", i, s->points[i],
                         s->point_start[i]);
    if (!is_within(s->face_start[i], s->faces[i], s->face_count))
        return error_set(err, STATUS_BAD_INPUT, "/shapes/faces: shape %d has %d faces from %d", i, s->faces[i],
                         s->face_start[i]);
    for (size_t k = 0; k < 3 * (size_t)s->faces[i]; k++) {
        int point = s->face[3 * (size_t)s->face_start[i] + k];
        if (point < 0 || point >= s->points[i])
            return error_set(err, STATUS_BAD_INPUT, "/shapes/face: shape %d has no point %d", i, point);
    }
    return STATUS_OK;
}

Status shapes_check(const Shapes *s, int joint_count, int particle_count, Error *err)
{
    Status status = STATUS_OK;
    for (int i = 0; i < s->count && !status; i++)
        status = check_shape(s, i, joint_count, err);
    for (int p = 0; p < s->point_count && !status; p++)
        if (s->point_joint[p] < -1 || s->point_joint[p] >= joint_count)
            status = error_set(err, STATUS_BAD_INPUT, "/shapes/point_joint: point %d has joint %d", p,
                               s->point_joint[p]);
        else if (s->point_particle[p] < -1 || (particle_count >= 0 && s->point_particle[p] >= particle_count))
            status = error_set(err, STATUS_BAD_INPUT, "/shapes/point_particle: point %d has particle %d", p,
                               s->point_particle[p]);
    return status;
}
