/* See mirror.h. */
#include "analysis/motion/mirror.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "analysis/base/arena.h"
#include "analysis/clip/clip.h"
#include "analysis/math/quat.h"

#define SAME_OFFSET 1e-5 /* part of the longest offset: rounding of the digits in a file */
#define SYMMETRIC 0.02   /* part of the longest offset: tolerance for a symmetric rest pose, measuring error */
#define BETTER 0.5       /* part of the misfit of the parent's reflection below which another one is chosen */
#define UNLIKE 0.6       /* cosine of half the angle between mean pose and image below which another is chosen ... */
#define ALIKE 0.8        /* ... if it is at least this with that */
#define AS_LONG 0.1      /* part of the longer offset: counterparts by the tree alone */
#define MAX_SAMPLES 64   /* frames of the mean pose */

/* Sign changes of an odd number of axes, most likely first. */
static const unsigned char flips[] = {1, 4, 2, 7};
enum { FLIPS = sizeof flips };

static Vec3 flipped(unsigned flip, Vec3 v)
{
    return vec3(flip & 1 ? -v.x : v.x, flip & 2 ? -v.y : v.y, flip & 4 ? -v.z : v.z);
}

/* ---- Pairs of joints ---- */

/* Whether b is a with `word` at some position replaced by `other`. */
static int is_exchanged(const char *a, const char *b, const char *word, const char *other)
{
    size_t length = strlen(word), into = strlen(other);
    if (strlen(a) + into != strlen(b) + length)
        return 0;
    for (const char *at = a; *at; at++) {
        size_t before = (size_t)(at - a);
        if (!strncasecmp(at, word, length) && !strncasecmp(a, b, before) && !strncasecmp(b + before, other, into) &&
            !strcasecmp(at + length, b + before + into))
            return 1;
    }
    return 0;
}

static int are_sides(const Skeleton *s, int a, int b)
{
    static const char *const words[][2] = {{"left", "right"}, {"l", "r"}};
    if (s->role[a] != ROLE_NONE || s->role[b] != ROLE_NONE)
        return s->role[b] == role_mirror(s->role[a]);
    if (!s->name[a] || !s->name[b])
        return 0;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (is_exchanged(s->name[a], s->name[b], words[i][0], words[i][1]) ||
            is_exchanged(s->name[a], s->name[b], words[i][1], words[i][0]))
            return 1;
    return 0;
}

static int named_counterpart(const Skeleton *s, int joint)
{
    for (int j = 0; j < s->joint_count; j++)
        if (j != joint && are_sides(s, joint, j))
            return j;
    return -1;
}

static int are_as_long(const Skeleton *s, int a, int b)
{
    double one = vec3_norm(s->offset[a]), other = vec3_norm(s->offset[b]);
    return fabs(one - other) <= AS_LONG * fmax(one, other);
}

/* The joint without a role that is child number `number` of `parent` among such; -1: there are fewer. */
static int child_without_role(const Skeleton *s, int parent, int number)
{
    for (int j = parent + 1; j < s->joint_count; j++)
        if (s->parent[j] == parent && s->role[j] == ROLE_NONE && number-- == 0)
            return j;
    return -1;
}

int mirror_counterpart(const Skeleton *s, int joint)
{
    int found = named_counterpart(s, joint), parent = s->parent[joint], number = 0;
    if (found >= 0 || parent < 0 || s->role[joint] != ROLE_NONE)
        return found;
    int other = mirror_counterpart(s, parent);
    for (int j = parent + 1; j < joint; j++)
        number += s->parent[j] == parent && s->role[j] == ROLE_NONE;
    found = other < 0 || other == parent ? -1 : child_without_role(s, other, number);
    return found >= 0 && are_as_long(s, joint, found) ? found : -1;
}

/* The first child of `parent` that is not yet paired and is the opposite of a; with a = -1 the first unpaired one. */
static int find_opposite(const Mirror *m, const Skeleton *s, int a, int parent)
{
    for (int j = parent + 1; j < s->joint_count; j++)
        if (s->parent[j] == parent && m->pair[j] < 0 && j != a && (a < 0 || are_sides(s, a, j)))
            return j;
    return -1;
}

static void set_pair(Mirror *m, int a, int b)
{
    m->pair[a] = b;
    m->pair[b] = a;
}

/* Pairs the children of a joint with those of its pair. */
static Status pair_children(Mirror *m, const Skeleton *s, int joint, Error *err)
{
    int other = m->pair[joint];
    for (int j = joint + 1; j < s->joint_count; j++) {
        int found = s->parent[j] == joint && m->pair[j] < 0 ? find_opposite(m, s, j, other) : -1;
        if (found >= 0)
            set_pair(m, j, found);
    }
    for (int j = joint + 1; j < s->joint_count; j++) {
        if (s->parent[j] != joint || m->pair[j] >= 0)
            continue;
        int found = joint == other ? j : find_opposite(m, s, -1, other);
        if (found < 0)
            return error_set(err, STATUS_BAD_INPUT, "joint \"%.60s\" has no counterpart on the other side", s->name[j]);
        set_pair(m, j, found);
    }
    return STATUS_OK;
}

static Status pair_joints(Mirror *m, const Skeleton *s, Error *err)
{
    Status status = STATUS_OK;
    for (int j = 0; j < s->joint_count; j++)
        m->pair[j] = -1;
    set_pair(m, 0, 0);
    for (int j = 0; j < s->joint_count && !status; j++)
        status = pair_children(m, s, j, err);
    return status;
}

/* ---- Reflection of axes ---- */

/* The end site of `joint` with the index that `end` has within its own joint; -1 if there is none. */
static int same_end(const Skeleton *s, int end, int joint)
{
    int point = 0;
    for (int e = 0; e < end; e++)
        point += s->end_parent[e] == s->end_parent[end];
    for (int e = 0; e < s->end_count; e++)
        if (s->end_parent[e] == joint && point-- == 0)
            return e;
    return -1;
}

/* The largest distance of the offsets of a joint's children from the reflected ones of its pair, m. */
static double child_misfit(const Mirror *m, const Skeleton *s, int joint, unsigned flip)
{
    double max = 0;
    for (int j = joint + 1; j < s->joint_count; j++)
        if (s->parent[j] == joint)
            max = fmax(max, vec3_distance(s->offset[j], flipped(flip, s->offset[m->pair[j]])));
    return max;
}

/* The same with ends. */
static double misfit(const Mirror *m, const Skeleton *s, int joint, unsigned flip)
{
    double max = child_misfit(m, s, joint, flip);
    for (int e = 0; e < s->end_count; e++) {
        int other = s->end_parent[e] == joint ? same_end(s, e, m->pair[joint]) : -1;
        if (other >= 0)
            max = fmax(max, vec3_distance(s->end_offset[e], flipped(flip, s->end_offset[other])));
    }
    return max;
}

/* The reflection common to all joints of a rest pose that is symmetric about a plane of the world; 0 if there is
 * none. */
static unsigned common_flip(const Mirror *m, const Skeleton *s, double tolerance)
{
    unsigned best = 0;
    double min = tolerance;
    for (int i = 0; i < 2; i++) {
        double worst = 0;
        for (int j = 0; j < s->joint_count; j++)
            worst = fmax(worst, misfit(m, s, j, flips[i]));
        if (worst < min) {
            min = worst;
            best = flips[i];
        }
    }
    return best;
}

/* The rotation P R O with the reflections P of the parent's axes and O of the joint's own: P R P negates the vector
 * part and flips it; P O is the identity or a half turn about the axis that both or neither flip. */
static Quat reflected(Quat q, unsigned parent, unsigned own)
{
    static const Quat half[] = {[0] = {1, 0, 0, 0}, [3] = {0, 0, 0, 1}, [5] = {0, 0, 1, 0}, [6] = {0, 1, 0, 0}};
    Vec3 v = vec3_neg(flipped(parent, vec3(q.x, q.y, q.z)));
    return quat_mul((Quat){q.w, v.x, v.y, v.z}, half[parent ^ own]);
}

/* The mean rotation of each joint to its parent over the motion. mean: [joint], zeroed. */
static void find_mean_pose(const Motion *motion, Quat *mean)
{
    int step = motion->frame_count / MAX_SAMPLES + 1;
    for (int f = 0; f < motion->frame_count; f += step)
        for (int j = 0; j < motion->joint_count; j++) {
            Quat q = quat_nearest(motion->rotation[motion_index(motion, f, j)], mean[j]);
            mean[j] = (Quat){mean[j].w + q.w, mean[j].x + q.x, mean[j].y + q.y, mean[j].z + q.z};
        }
    for (int j = 0; j < motion->joint_count; j++)
        mean[j] = quat_normalize(mean[j]);
}

/* Cosine of half the angle between the mean rotation of a joint and its image. */
static double likeness(const Mirror *m, const Skeleton *s, const Quat *mean, int joint, unsigned flip)
{
    Quat image = reflected(mean[m->pair[joint]], m->flip[s->parent[joint]], flip);
    return fabs(quat_dot(image, mean[joint]));
}

/* The reflection that fits the offsets of child joints (ends may point anywhere) and under which the mean pose
 * resembles its image, if the pose does not under `chosen`; otherwise that. */
static unsigned choose_by_pose(const Mirror *m, const Skeleton *s, const Quat *mean, int joint, unsigned chosen)
{
    double max = fmax(likeness(m, s, mean, joint, chosen), ALIKE);
    double fit = fmax(child_misfit(m, s, joint, chosen), SYMMETRIC * skeleton_longest_offset(s));
    unsigned best = chosen;
    if (likeness(m, s, mean, joint, chosen) >= UNLIKE)
        return chosen;
    for (int i = 0; i < FLIPS; i++) {
        double each = likeness(m, s, mean, joint, flips[i]);
        if (each > max && child_misfit(m, s, joint, flips[i]) <= fit &&
            child_misfit(m, s, m->pair[joint], flips[i]) <= fit) {
            max = each;
            best = flips[i];
        }
    }
    return best;
}

/* Chooses each joint's reflection: its parent's, unless that does not fit and another one fits much better. In a spine
 * measured slightly askew another may fit marginally better, but would not mirror the rest pose. A pair shares one
 * reflection. mean: the mean pose, or NULL. */
static void choose_flips(Mirror *m, const Skeleton *s, const Quat *mean)
{
    double symmetric = SYMMETRIC * skeleton_longest_offset(s);
    unsigned common = common_flip(m, s, symmetric);
    m->world = common ? common : 1;
    for (int j = 0; j < s->joint_count; j++) {
        unsigned best = j > 0 ? m->flip[s->parent[j]] : m->world;
        double min = fmax(misfit(m, s, j, best), misfit(m, s, m->pair[j], best));
        int fits = common || min <= symmetric;
        min *= BETTER;
        for (int i = 0; i < FLIPS && !fits; i++) {
            double each = fmax(misfit(m, s, j, flips[i]), misfit(m, s, m->pair[j], flips[i]));
            if (each < min) {
                min = each;
                best = flips[i];
            }
        }
        if (mean && j > 0 && m->pair[j] >= j)
            best = choose_by_pose(m, s, mean, j, best);
        m->flip[j] = m->pair[j] < j ? m->flip[m->pair[j]] : (unsigned char)best;
    }
}

static void measure_asymmetry(Mirror *m, const Skeleton *s, double tolerance)
{
    for (int j = 0; j < s->joint_count; j++) {
        double off = misfit(m, s, j, m->flip[j]);
        if (off > m->asymmetry) {
            m->asymmetry = off;
            m->asymmetric_joint = j;
        }
    }
    if (m->asymmetry <= tolerance)
        m->asymmetry = 0;
}

Status mirror_init(Mirror *out, const Skeleton *s, const Motion *motion, Error *err)
{
    size_t joints = (size_t)s->joint_count;
    int failed = 0;
    Arena arena = {0};
    *out = (Mirror){.joint_count = s->joint_count, .pair = array_try(&failed, joints, 1, sizeof *out->pair),
                    .flip = array_try(&failed, joints, 1, sizeof *out->flip)};
    Quat *mean = motion && motion->frame_count > 0 ? arena_array(&arena, joints, 1, sizeof *mean) : NULL;
    Status status = failed || arena.failed ? error_no_memory(err) : pair_joints(out, s, err);
    if (!status) {
        if (mean)
            find_mean_pose(motion, mean);
        choose_flips(out, s, mean);
        measure_asymmetry(out, s, SAME_OFFSET * skeleton_longest_offset(s));
    } else {
        mirror_free(out);
    }
    arena_free(&arena);
    return status;
}

void mirror_free(Mirror *m)
{
    if (!m)
        return;
    free(m->pair);
    free(m->flip);
    *m = (Mirror){0};
}

/* ---- The image ---- */

Status mirror_skeleton(const Mirror *m, Skeleton *s, Error *err)
{
    Skeleton old;
    Status status = skeleton_copy(&old, s, err);
    if (status)
        return status;
    s->offset[0] = flipped(m->world, old.offset[0]);
    for (int j = 1; j < s->joint_count && m->asymmetry > 0; j++)
        s->offset[j] = flipped(m->flip[s->parent[j]], old.offset[m->pair[j]]);
    for (int e = 0; e < s->end_count && m->asymmetry > 0; e++) {
        int joint = s->end_parent[e], other = same_end(&old, e, m->pair[joint]);
        if (other >= 0)
            s->end_offset[e] = flipped(m->flip[joint], old.end_offset[other]);
    }
    for (int j = 0; j < s->joint_count && s->standing; j++)
        s->standing[j] = mirror_rotation(m, s, old.standing, j);
    skeleton_free(&old);
    return STATUS_OK;
}

Quat mirror_rotation(const Mirror *m, const Skeleton *s, const Quat *rotation, int joint)
{
    unsigned above = joint > 0 ? m->flip[s->parent[joint]] : m->world;
    return reflected(rotation[m->pair[joint]], above, m->flip[joint]);
}

Status mirror_motion(const Mirror *m, const Skeleton *s, const Motion *motion, Motion *out, Error *err)
{
    Status status = motion_init(out, motion->frame_count, motion->joint_count, motion->frame_time,
                                motion->translation != NULL, err);
    for (int f = 0; f < motion->frame_count && !status; f++) {
        out->time[f] = motion->time[f];
        out->root_position[f] = flipped(m->world, motion->root_position[f]);
        for (int j = 0; j < motion->joint_count; j++) {
            size_t to = motion_index(out, f, j), from = motion_index(out, f, m->pair[j]);
            out->rotation[to] = mirror_rotation(m, s, motion->rotation + motion_index(motion, f, 0), j);
            if (motion->translation && j > 0)
                out->translation[to] = flipped(m->flip[s->parent[j]], motion->translation[from]);
        }
    }
    if (!status)
        motion_make_continuous(out);
    return status;
}

Vec3 mirror_local(const Mirror *m, int joint, Vec3 point) { return flipped(m->flip[joint], point); }

Vec3 mirror_point(const Mirror *m, Vec3 point) { return flipped(m->world, point); }

/* Angular velocities are axial: their image is the negated reflection. */
static Vec3 mirror_rate(const Mirror *m, Vec3 rate) { return vec3_neg(flipped(m->world, rate)); }

Status mirror_kinematics(const Mirror *m, const Kinematics *k, Kinematics *out, Error *err)
{
    Status status = kinematics_init(out, k->frame_count, k->joint_count, 0, err);
    for (int f = 0; f < k->frame_count && !status; f++) {
        out->valid[f] = k->valid[f];
        for (int j = 0; j < k->joint_count; j++) {
            size_t row = (size_t)f * (size_t)k->joint_count, to = row + (size_t)j, from = row + (size_t)m->pair[j];
            out->position[to] = mirror_point(m, k->position[from]);
            out->velocity[to] = mirror_point(m, k->velocity[from]);
            out->acceleration[to] = mirror_point(m, k->acceleration[from]);
            out->orientation[to] = reflected(k->orientation[from], m->world, m->flip[j]);
            out->angular_velocity[to] = mirror_rate(m, k->angular_velocity[from]);
            out->angular_acceleration[to] = mirror_rate(m, k->angular_acceleration[from]);
        }
    }
    return status;
}

/* ---- The mirror image of quantities computed from a motion ---- */

static double flip_sign(unsigned flip, int axis) { return flip >> axis & 1 ? -1 : 1; }

static Vec3 polar(unsigned flip, Vec3 v)
{
    return vec3(flip_sign(flip, 0) * v.x, flip_sign(flip, 1) * v.y, flip_sign(flip, 2) * v.z);
}

static void reflect(unsigned flip, int is_axial, Vec3 *v, size_t count)
{
    for (size_t i = 0; v && i < count; i++)
        v[i] = is_axial ? vec3_neg(polar(flip, v[i])) : polar(flip, v[i]);
}

/* Swaps two elements of a row. */
static void exchange(void *row, size_t size, int a, int b)
{
    char *left = (char *)row + (size_t)a * size, *right = (char *)row + (size_t)b * size;
    for (size_t i = 0; i < size; i++) {
        char kept = left[i];
        left[i] = right[i];
        right[i] = kept;
    }
}

/* Rows of elements in which each is moved to its pair. */
typedef struct Pairs {
    const int *pair;
    int width;
} Pairs;

static void exchange_rows(Pairs p, void *array, size_t size, int rows)
{
    for (int f = 0; array && f < rows; f++)
        for (int i = 0; i < p.width; i++)
            if (p.pair[i] > i)
                exchange((char *)array + (size_t)f * (size_t)p.width * size, size, i, p.pair[i]);
}

static void mirror_vectors(const Mirror *m, int is_axial, Vec3 *v, int frames)
{
    exchange_rows((Pairs){m->pair, m->joint_count}, v, sizeof *v, frames);
    reflect(m->world, is_axial, v, v ? (size_t)frames * (size_t)m->joint_count : 0);
}

static void mirror_body(const Mirror *m, Body *b)
{
    Pairs joints = {m->pair, m->joint_count};
    exchange_rows(joints, b->mass, sizeof *b->mass, 1);
    exchange_rows(joints, b->com, sizeof *b->com, 1);
    exchange_rows(joints, b->inertia, sizeof *b->inertia, 1);
    for (int j = 0; j < m->joint_count; j++) {
        unsigned flip = m->flip[j];
        Sym3 *i = &b->inertia[j];
        b->com[j] = polar(flip, b->com[j]);
        i->xy *= flip_sign(flip, 0) * flip_sign(flip, 1);
        i->xz *= flip_sign(flip, 0) * flip_sign(flip, 2);
        i->yz *= flip_sign(flip, 1) * flip_sign(flip, 2);
    }
}

static Status mirror_moved(const Mirror *m, Kinematics *k, Error *err)
{
    Kinematics image;
    Status status = mirror_kinematics(m, k, &image, err);
    if (status)
        return status;
    image.com = k->com;
    k->com = NULL;
    reflect(m->world, 0, image.com, (size_t)image.frame_count);
    kinematics_free(k);
    *k = image;
    return STATUS_OK;
}

static void mirror_contact(const Mirror *m, Contact *c)
{
    static const int feet[] = {FOOT_RIGHT, FOOT_LEFT};
    Pairs sides = {feet, FOOT_COUNT};
    size_t forces = (size_t)c->frame_count * (size_t)c->point_count, loads = (size_t)c->frame_count * FOOT_COUNT;
    for (int i = 0; i < c->point_count; i++) {
        c->point_joint[i] = m->pair[c->point_joint[i]];
        c->point_position[i] = polar(m->flip[c->point_joint[i]], c->point_position[i]);
    }
    reflect(m->world, 0, c->force, forces);
    reflect(m->world, 1, c->moment, forces);
    exchange_rows(sides, c->foot_force, sizeof *c->foot_force, c->frame_count);
    exchange_rows(sides, c->foot_cop, sizeof *c->foot_cop, c->frame_count);
    exchange_rows(sides, c->foot_free_moment, sizeof *c->foot_free_moment, c->frame_count);
    reflect(m->world, 0, c->foot_force, loads);
    reflect(m->world, 0, c->foot_cop, loads);
    reflect(m->world, 1, c->foot_free_moment, loads);
    c->ground_normal = polar(m->world, c->ground_normal);
}

static void mirror_dynamics(const Mirror *m, Dynamics *d)
{
    Pairs joints = {m->pair, m->joint_count};
    size_t count = (size_t)d->frame_count * (size_t)d->joint_count;
    mirror_vectors(m, 1, d->torque, d->frame_count);
    mirror_vectors(m, 0, d->force, d->frame_count);
    exchange_rows(joints, d->power, sizeof *d->power, d->frame_count);
    reflect(m->world, 0, d->residual_force, (size_t)d->frame_count);
    reflect(m->world, 1, d->residual_torque, (size_t)d->frame_count);
    exchange_rows(joints, d->torque_sd, sizeof *d->torque_sd, d->frame_count);
    exchange_rows(joints, d->torque_correlation, sizeof *d->torque_correlation, d->frame_count);
    for (size_t i = 0; d->torque_correlation && i < count; i++) { /* of x and y, x and z, y and z */
        Vec3 *c = &d->torque_correlation[i];
        c->x *= flip_sign(m->world, 0) * flip_sign(m->world, 1);
        c->y *= flip_sign(m->world, 0) * flip_sign(m->world, 2);
        c->z *= flip_sign(m->world, 1) * flip_sign(m->world, 2);
    }
}

/* ---- JointAngles ---- */

/* -1 for lateral bending and rotation of the trunk, which change direction. Coordinates of a side keep their sign on
 * the other side. */
static double sign_of_coordinate(Coordinate c)
{
    Role role = coordinate_role(c);
    return role_mirror(role) == role && c % COORDINATES_PER_JOINT > 0 ? -1 : 1;
}

/* Fills pair[]; returns 0 if a coordinate has no counterpart. */
static int pair_coordinates(const Mirror *m, const JointAngles *a, int pair[COORDINATE_COUNT])
{
    for (int i = 0; i < a->coordinate_count; i++) {
        Coordinate first = coordinate_of_role(role_mirror(coordinate_role(a->coordinate[i])));
        pair[i] = joint_angles_find(a, (Coordinate)((int)first + (int)a->coordinate[i] % COORDINATES_PER_JOINT));
        if (pair[i] < 0 || a->joint[pair[i]] != m->pair[a->joint[i]])
            return 0;
    }
    return 1;
}

static void apply_signs(const JointAngles *a, double *value)
{
    for (int f = 0; value && f < a->frame_count; f++)
        for (int i = 0; i < a->coordinate_count; i++)
            value[joint_angles_index(a, f, i)] *= sign_of_coordinate(a->coordinate[i]);
}

/* Swaps "left" and "right" in a text that names the knees. */
static void exchange_sides(char text[ANGLES_TEXT_SIZE])
{
    char out[2 * ANGLES_TEXT_SIZE] = "";
    size_t used = 0;
    for (const char *at = text; *at;) {
        int is_left = !strncmp(at, "left", 4), is_right = !strncmp(at, "right", 5);
        used += (size_t)snprintf(out + used, sizeof out - used, "%.*s", is_left ? 5 : is_right ? 4 : 1,
                                 is_left ? "right" : is_right ? "left" : at);
        at += is_left ? 4 : is_right ? 5 : 1;
    }
    if (used < ANGLES_TEXT_SIZE)
        memcpy(text, out, used + 1);
}

static void mirror_angles(const Mirror *m, const int *pair, JointAngles *a)
{
    Pairs columns = {pair, a->coordinate_count};
    double *const of_side[] = {a->angle, a->velocity, a->moment, a->passive};
    double *const plain[] = {a->power, a->moment_sd, a->capacity, a->utilization, a->utilization_sd};
    for (size_t i = 0; i < sizeof of_side / sizeof *of_side; i++) {
        exchange_rows(columns, of_side[i], sizeof(double), a->frame_count);
        apply_signs(a, of_side[i]);
    }
    for (size_t i = 0; i < sizeof plain / sizeof *plain; i++)
        exchange_rows(columns, plain[i], sizeof(double), a->frame_count);
    exchange_rows(columns, a->singular, sizeof *a->singular, a->frame_count);
    exchange_rows(columns, a->axis, sizeof *a->axis, a->frame_count);
    for (int f = 0; a->axis && f < a->frame_count; f++)
        for (int i = 0; i < a->coordinate_count; i++) {
            Vec3 *axis = &a->axis[joint_angles_index(a, f, i)];
            *axis = vec3_scale(polar(m->world, *axis), -sign_of_coordinate(a->coordinate[i]));
        }
    exchange_sides(a->knee_axis);
}

Status mirror_computed(const Mirror *m, Clip *clip, Error *err)
{
    int pair[COORDINATE_COUNT];
    Status status = clip->has_kinematics ? mirror_moved(m, &clip->kinematics, err) : STATUS_OK;
    if (status)
        return status;
    if (clip->has_body)
        mirror_body(m, &clip->body);
    if (clip->has_contact)
        mirror_contact(m, &clip->contact);
    if (clip->has_dynamics)
        mirror_dynamics(m, &clip->dynamics);
    if (clip->has_angles && pair_coordinates(m, &clip->angles, pair))
        mirror_angles(m, pair, &clip->angles);
    else
        clip_drop(clip, CLIP_ANGLES);
    return STATUS_OK;
}
