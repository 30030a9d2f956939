/* List, description and marking of artifacts (artifacts.h). */
#include "analysis/quality/artifacts.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "analysis/base/arena.h"
#include "analysis/math/elementary.h"
#include "analysis/math/quat.h"
#include "analysis/quality/artifacts_internal.h"
#include "analysis/quality/trust_limits.h"

/* A joint without a role that carries at most this part of the body's volume is light: an eye, the end of a tail. */
static const double light = 0.01;

Status artifacts_add(Artifacts *f, Artifact artifact, Error *err)
{
    if (f->count == f->capacity) {
        int room = f->capacity ? 2 * f->capacity : 16;
        Artifact *grown = realloc(f->artifact, (size_t)room * sizeof *grown);
        if (!grown)
            return error_no_memory(err);
        f->artifact = grown;
        f->capacity = room;
    }
    f->artifact[f->count++] = artifact;
    return STATUS_OK;
}

void artifacts_free(Artifacts *f)
{
    if (!f)
        return;
    free(f->artifact);
    *f = (Artifacts){0};
}

double artifact_body_size(const Skeleton *s)
{
    double longest = skeleton_longest_chain(s);
    return longest > 0 ? longest : 1;
}

static int repeats_rotation(Quat a, Quat b)
{
    return fabs(a.w - b.w) <= trust_limits.quantum && fabs(a.x - b.x) <= trust_limits.quantum &&
           fabs(a.y - b.y) <= trust_limits.quantum && fabs(a.z - b.z) <= trust_limits.quantum;
}

int artifact_repeats_position(Vec3 a, Vec3 b, double size)
{
    double min = trust_limits.quantum * size;
    return fabs(a.x - b.x) <= min && fabs(a.y - b.y) <= min && fabs(a.z - b.z) <= min;
}

int artifact_repeats_joint(const Motion *m, int joint, int f, double size)
{
    if (joint == m->joint_count)
        return artifact_repeats_position(m->root_position[f], m->root_position[f - 1], size);
    size_t now = motion_index(m, f, joint), last = motion_index(m, f - 1, joint);
    return repeats_rotation(m->rotation[now], m->rotation[last]) &&
           (!m->translation || artifact_repeats_position(m->translation[now], m->translation[last], size));
}

/* Returns the top joint of the limb with which the artifact's limb is swapped; -1 for artifacts of other kinds. */
static int artifact_other_limb(const Skeleton *s, const Artifact *f)
{
    return f->kind == TRUST_SWAPPED ? skeleton_find_role(s, role_mirror(s->role[f->joint])) : -1;
}

/* ---- Description ---- */

static void describe_step(const char *joint, const Artifact *f, int row, char *text, size_t size)
{
    int frames = f->last - f->first + 1, is_rotation = f->kind == TRUST_FLIP;
    char duration[40] = "and stays there";
    if (!f->stays)
        snprintf(duration, sizeof duration, "for %d frame%s", frames, frames == 1 ? "" : "s");
    snprintf(text, size, "frame %d: %.60s %s %.3g %s, %s", row, joint, is_rotation ? "turns by" : "jumps by",
             is_rotation ? f->size * 180 / PI : f->size, is_rotation ? "degrees" : "m", duration);
}

static void describe_straight(const Artifact *f, char *text, size_t size)
{
    if (f->size > 0)
        snprintf(text, size, "moves on straight lines between rows of %.4g fps", f->size);
    else
        snprintf(text, size, "moves on a straight line");
}

static void describe_repeated(const Artifact *f, double rate, char *text, size_t size)
{
    int is_whole = fabs(f->size - rint(f->size)) < 0.02;
    snprintf(text, size, "is repeated %.*f times%s: true rate %.4g fps, or %.4g if the take is too long",
             is_whole ? 0 : 2, f->size, is_whole ? "" : " on average", rate / f->size, rate);
}

/* Describes an artifact that lasts, without frames and joint. */
static void describe_lasting(const Skeleton *s, const Motion *m, const Artifact *f, char *text, size_t size)
{
    int other = artifact_other_limb(s, f);
    double rate = 1 / m->frame_time;
    if (f->kind == TRUST_FROZEN)
        snprintf(text, size, "is frozen");
    else if (f->kind == TRUST_INTERPOLATED)
        describe_straight(f, text, size);
    else if (f->kind == TRUST_FLICKER)
        snprintf(text, size, "flickers by %.2g degrees (RMS)", f->size * 180 / PI);
    else if (f->kind == TRUST_DRIFT)
        snprintf(text, size, "drifts %s at %.2g m/s together with the feet", f->size > 0 ? "up" : "down",
                 fabs(f->size));
    else if (f->kind == TRUST_SLIDING)
        snprintf(text, size, "slides at %.2g m/s with the feet in contact", f->size);
    else if (f->kind == TRUST_SWAPPED)
        snprintf(text, size, "and \"%.40s\" are swapped, with their limbs", s->name[other]);
    else
        describe_repeated(f, rate, text, size);
}

void artifact_describe(const Skeleton *s, const Motion *m, const Artifact *f, int row, char *text, size_t size)
{
    const char *joint = f->joint >= 0 ? s->name[f->joint] : NULL;
    char words[100];
    if (f->kind == TRUST_TELEPORT || f->kind == TRUST_FLIP) {
        describe_step(joint, f, row, text, size);
        return;
    }
    describe_lasting(s, m, f, words, sizeof words);
    snprintf(text, size, "frames %d to %d: %s%.60s%s %s", row, row + f->last - f->first, joint ? "joint \"" : "",
             joint ? joint : f->kind == TRUST_REPEATED ? "each row" : "the pose", joint ? "\"" : "", words);
}

int artifact_affects(const Skeleton *s, const Artifact *artifact, int joint)
{
    if (artifact->kind == TRUST_SWAPPED)
        return skeleton_is_below(s, joint, artifact->joint) ||
               skeleton_is_below(s, joint, artifact_other_limb(s, artifact));
    return artifact->joint == ARTIFACT_WHOLE_POSE || joint == artifact->joint;
}

/* The part of the body's volume carried by each joint, with similar bones: volume = length^3. Bones from the root are
 * excluded: from a root on the ground the first one is no bone. */
static void volumes(const Skeleton *s, double *part)
{
    for (int j = 1; j < s->joint_count; j++) {
        if (s->parent[j] == 0)
            continue;
        double length = vec3_norm(s->offset[j]);
        part[s->parent[j]] += length * length * length;
    }
    for (int e = 0; e < s->end_count; e++) {
        double length = vec3_norm(s->end_offset[e]);
        part[s->end_parent[e]] += length * length * length;
    }
    for (int j = s->joint_count - 1; j > 0; j--)
        part[s->parent[j]] += part[j];
    for (int j = s->joint_count - 1; j >= 0; j--)
        part[j] = part[0] > 0 ? part[j] / part[0] : 1;
}

/* Whether a joint carries only a hand or toes, under 1 % of the body's mass (de Leva 1996), or less. Feet are excluded
 * because they support the body. */
static int is_light(const Skeleton *s, const double *part, int joint)
{
    Role segment = s->segment[joint];
    return segment == ROLE_LEFT_WRIST || segment == ROLE_RIGHT_WRIST || segment == ROLE_LEFT_TOE ||
           segment == ROLE_RIGHT_TOE || (joint > 0 && s->role[joint] == ROLE_NONE && part[joint] <= light);
}

static void mark_light(const Skeleton *s, const Artifact *artifact, Trust *trust)
{
    for (int j = 0; j < s->joint_count; j++) {
        uint32_t bit = j == artifact->joint ? artifact->kind : TRUST_ADJACENT_JOINT;
        if (!skeleton_is_below(s, j, artifact->joint) && !skeleton_is_below(s, artifact->joint, j))
            continue;
        for (int f = artifact->first; f <= artifact->last; f++)
            trust->joint_reason[(size_t)f * (size_t)trust->joint_count + (size_t)j] |= bit;
    }
}

static void mark_frames(const Skeleton *s, const Artifact *artifact, Trust *trust)
{
    for (int f = artifact->first; f <= artifact->last; f++) {
        uint32_t *joint = trust->joint_reason + (size_t)f * (size_t)trust->joint_count;
        trust->reason[f] |= artifact->kind;
        for (int j = 0; j < trust->joint_count; j++)
            joint[j] |= artifact_affects(s, artifact, j) ? artifact->kind : 0;
    }
}

Status artifacts_mark(const Skeleton *skeleton, const Artifacts *artifacts, Trust *trust, Error *err)
{
    Arena arena = {0};
    double *part = arena_array(&arena, (size_t)skeleton->joint_count, 1, sizeof *part);
    Status status = arena.failed ? error_no_memory(err) : STATUS_OK;
    if (!status && artifacts->count > 0)
        status = trust_add_joints(trust, err);
    if (!status)
        volumes(skeleton, part);
    for (int i = 0; i < artifacts->count && !status; i++) {
        const Artifact *artifact = &artifacts->artifact[i];
        if (artifact->joint > 0 && is_light(skeleton, part, artifact->joint))
            mark_light(skeleton, artifact, trust);
        else
            mark_frames(skeleton, artifact, trust);
    }
    trust_settle(trust);
    arena_free(&arena);
    return status;
}
