#include "analysis/quality/artifact.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "analysis/math/elementary.h"

Status faults_add(Artifacts *f, Artifact fault, Error *err)
{
    if (f->count == f->capacity) {
        int room = f->capacity ? 2 * f->capacity : 16;
        Artifact *grown = realloc(f->fault, (size_t)room * sizeof *grown);
        if (!grown)
            return error_no_memory(err);
        f->fault = grown;
        f->capacity = room;
    }
    f->fault[f->count++] = fault;
    return STATUS_OK;
}

void faults_free(Artifacts *f)
{
    if (!f)
        return;
    free(f->fault);
    *f = (Artifacts){0};
}

double artifact_body_size(const Skeleton *s)
{
    double longest = skeleton_longest_chain(s);
    return longest > 0 ? longest : 1;
}

static int repeats_turn(Quat a, Quat b)
{
    return fabs(a.w - b.w) <= trust_limits.quantum && fabs(a.x - b.x) <= trust_limits.quantum &&
           fabs(a.y - b.y) <= trust_limits.quantum && fabs(a.z - b.z) <= trust_limits.quantum;
}

int artifact_repeats_place(Vec3 a, Vec3 b, double size)
{
    double least = trust_limits.quantum * size;
    return fabs(a.x - b.x) <= least && fabs(a.y - b.y) <= least && fabs(a.z - b.z) <= least;
}

int artifact_repeats_joint(const Motion *m, int joint, int f, double size)
{
    if (joint == m->joint_count)
        return artifact_repeats_place(m->root_position[f], m->root_position[f - 1], size);
    size_t now = motion_index(m, f, joint), last = motion_index(m, f - 1, joint);
    return repeats_turn(m->rotation[now], m->rotation[last]) &&
           (!m->translation || artifact_repeats_place(m->translation[now], m->translation[last], size));
}

int artifact_other_limb(const Skeleton *s, const Artifact *f)
{
    return f->kind == TRUST_SWAPPED ? skeleton_find_role(s, role_mirror(s->role[f->joint])) : -1;
}

/* ---- In words ---- */

static void describe_step(const char *joint, const Artifact *f, int row, char *text, size_t size)
{
    int frames = f->last - f->first + 1, turns = f->kind == TRUST_FLIP;
    char duration[40] = "and stays there";
    if (!f->stays)
        snprintf(duration, sizeof duration, "for %d frame%s", frames, frames == 1 ? "" : "s");
    snprintf(text, size, "frame %d: joint \"%.60s\" %s %.3g %s, %s", row, joint, turns ? "turns by" : "jumps by",
             turns ? f->size * 180 / PI : f->size, turns ? "degrees" : "m", duration);
}

/* What a fault that lasts is; where it says nothing of a joint, of the body. */
static void describe_lasting(const Skeleton *s, const Motion *m, const Artifact *f, char *text, size_t size)
{
    int other = artifact_other_limb(s, f);
    double rate = 1 / m->frame_time;
    if (f->kind == TRUST_HELD)
        snprintf(text, size, "is held");
    else if (f->kind == TRUST_INTERPOLATED)
        snprintf(text, size, "moves on a straight line");
    else if (f->kind == TRUST_FLICKER)
        snprintf(text, size, "flickers by %.2g degrees (RMS)", f->size * 180 / PI);
    else if (f->kind == TRUST_DRIFT)
        snprintf(text, size, "drifts %s at %.2g m/s, the feet with it", f->size > 0 ? "up" : "down", fabs(f->size));
    else if (f->kind == TRUST_SLIDING)
        snprintf(text, size, "slides at %.2g m/s while the feet stand", f->size);
    else if (f->kind == TRUST_SWAPPED)
        snprintf(text, size, "and \"%.40s\" are exchanged, with their limbs", s->name[other]);
    else
        snprintf(text, size, "stands %.0f times: %.4g frames/s, or %.4g if the take lasts too long", f->size,
                 rate / f->size, rate);
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
