/* A take, and the clip made from it (take.h). */
#include "analysis/detect/take.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/body/roles.h"
#include "analysis/detect/import_judgements.h"
#include "analysis/detect/positions.h"
#include "analysis/detect/root_position.h"
#include "analysis/detect/world_repair.h"
#include "analysis/evidence/motion_evidence.h"
#include "analysis/math/quat.h"
#include "analysis/math/vec.h"
#include "analysis/motion/dof_root.h"

/* m: a root or bone beyond this means that the unit is wrong. */
static const double same_rate = 0.02;
static const double farthest = 1e6;

void take_free(Take *take)
{
    if (!take)
        return;
    free(take->name);
    skeleton_free(&take->skeleton);
    motion_free(&take->motion);
    body_free(&take->body);
    dofs_free(&take->dof);
    free(take->rotations);
    findings_free(&take->findings);
    if (take->free_file)
        take->free_file(take->file);
    *take = (Take){0};
}

static int differs(Vec3 a, Vec3 b, double tolerance)
{
    return fabs(a.x - b.x) > tolerance || fabs(a.y - b.y) > tolerance || fabs(a.z - b.z) > tolerance;
}

static int any_joint_translates(const Take *take)
{
    const Motion *m = &take->motion;
    for (int f = 0; m->translation && f < m->frame_count; f++)
        for (int j = 1; j < m->joint_count; j++)
            if (differs(m->translation[motion_index(m, f, j)], take->skeleton.offset[j], take->digits))
                return 1;
    return 0;
}

static void drop_idle_translation(const Take *take, Motion *m)
{
    if (any_joint_translates(take))
        return;
    free(m->translation);
    m->translation = NULL;
}

/* Values that the format or the file states apply unless an option is set. */
static ImportGuessDef with_hints(const ImportGuessDef *def, const Take *take)
{
    ImportGuessDef hinted = *def;
    if (!(hinted.meters_per_unit > 0))
        hinted.meters_per_unit = take->meters_per_unit;
    if (hinted.up == UP_AUTO)
        hinted.up = take->up;
    if (take->has_body)
        hinted.root_offset = ROOT_OFFSET_REPLACE;
    return hinted;
}

/* Adds the root's offset where it applies. An axis without values keeps the offset in any case. */
static void place_root(const Take *take, RootOffset meaning, Vec3 offset, Motion *motion)
{
    double base[3] = {offset.x, offset.y, offset.z};
    for (int axis = 0; axis < 3; axis++)
        if (meaning == ROOT_OFFSET_REPLACE && take->root_given[axis])
            base[axis] = 0;
    for (int f = 0; f < motion->frame_count; f++)
        motion->root_position[f] = vec3_add(motion->root_position[f], vec3(base[0], base[1], base[2]));
}

static void drop_first_frame(Motion *m)
{
    if (m->frame_count < 2)
        return;
    size_t frames = (size_t)--m->frame_count, joints = (size_t)m->joint_count;
    memmove(m->root_position, m->root_position + 1, frames * sizeof *m->root_position);
    memmove(m->rotation, m->rotation + joints, frames * joints * sizeof *m->rotation);
    if (m->translation)
        memmove(m->translation, m->translation + joints, frames * joints * sizeof *m->translation);
}

static Vec3 to_world(const ImportGuess *e, Vec3 v) { return vec3_scale(up_axis_rotate(e->up, v), e->meters_per_unit); }

/* With world = T file, offsets become T offset and rotations T q T*, whose vector part is T times that of q. Every
 * joint of the posed body and of the rest pose is then at T times its position in the file. */
static void rotate_and_scale(const ImportGuess *e, Skeleton *s, Motion *m)
{
    for (int j = 0; j < s->joint_count; j++)
        s->offset[j] = to_world(e, s->offset[j]);
    for (int i = 0; i < s->end_count; i++)
        s->end_offset[i] = to_world(e, s->end_offset[i]);
    size_t count = (size_t)m->frame_count * (size_t)m->joint_count;
    for (int f = 0; f < m->frame_count; f++)
        m->root_position[f] = to_world(e, m->root_position[f]);
    for (size_t i = 0; m->translation && i < count; i++)
        m->translation[i] = to_world(e, m->translation[i]);
    for (size_t i = 0; e->up != UP_Y && i < count; i++) {
        Vec3 u = up_axis_rotate(e->up, vec3(m->rotation[i].x, m->rotation[i].y, m->rotation[i].z));
        m->rotation[i] = (Quat){m->rotation[i].w, u.x, u.y, u.z};
    }
}

static Status check_reach(const Skeleton *s, const Motion *m, Error *err)
{
    for (int j = 0; j < s->joint_count; j++)
        if (vec3_norm(s->offset[j]) > farthest)
            return error_set(err, STATUS_BAD_INPUT, "joint \"%.60s\" is %g m from its parent: check --unit",
                             s->name[j], vec3_norm(s->offset[j]));
    for (int f = 0; f < m->frame_count; f++)
        if (vec3_norm(m->root_position[f]) > farthest)
            return error_set(err, STATUS_BAD_INPUT, "frame %d: the root is %g m from the origin: check --unit", f,
                             vec3_norm(m->root_position[f]));
    return STATUS_OK;
}

static Status decide(const Take *take, const ImportGuessDef *def, Skeleton *s, Motion *m, ImportGuess *e, Error *err)
{
    PositionDecision positions;
    ImportGuessDef hinted = with_hints(def, take);
    RoleSigns roles;
    int has_root_path = take->root_given[0] || take->root_given[1] || take->root_given[2];
    Status status = roles_assign_moving(s, m, &roles, err);
    if (!status && def->roles)
        status = role_map_apply(def->roles, s, &roles, err);
    if (!status && def->known)
        return import_guess_recall(def, s, m, e, err);
    if (status || (status = import_guess_settle_positions(&hinted, s, m, &positions, err)) ||
        (status = import_guess_decide(&hinted, s, m, has_root_path, e, err)))
        return status;
    e->roles = roles;
    e->positions = positions.meaning;
    e->positions_confidence = positions.confidence;
    e->overruled_positions = positions.is_overruled;
    return STATUS_OK;
}

static void set_times(const ImportGuess *e, double start, Motion *m)
{
    m->frame_time = e->frame_time;
    for (int f = 0; f < m->frame_count; f++)
        m->time[f] = start + (f + e->drop_first_frame) * e->frame_time;
}

/* Log odds that left and right are right before the motion is seen. */
static double sides_prior(const RoleSigns *roles)
{
    static const double feet_at_rest = 2;
    return roles->sides_are_named ? FACING_NAMES : roles->sides_are_shown ? feet_at_rest : 0;
}

/* m is in world axes and m. A rate that the user states is doubted like the file's, unless it confirms that. */
static Status weigh_motion(const ImportGuessDef *def, const Skeleton *s, const Motion *m, ImportGuess *e, Error *err)
{
    BodyTrack track;
    MotionEvidenceDef evidence = {.up = vec3(0, 1, 0), .metre = e->unit_confidence >= DECISION_UNSURE ? 1 : 0,
                                  .rate_is_given = e->rate_is_confirmed || e->rate_is_unstated,
                                  .sides = sides_prior(&e->roles)};
    Status status = body_track_init(&track, s, m, 0, err);
    if (!status)
        status = motion_evidence_judge(s, &track, &evidence, &e->motion, err);
    body_track_free(&track);
    if (!status && e->motion.rate.is_contradicted && !(def->fps > 0))
        e->fps_confidence = fmin(e->fps_confidence, e->motion.rate.evidence.confidence);
    return status;
}

static void exchange_roles(Skeleton *s)
{
    for (int j = 0; j < s->joint_count; j++) {
        s->role[j] = role_mirror(s->role[j]);
        s->segment[j] = role_mirror(s->segment[j]);
    }
}

/* Exchanges left and right of the roles where names do not state them and the motion shows them the other way. */
static Status find_sides(const ImportGuessDef *def, Skeleton *s, const Motion *m, ImportGuess *e, Error *err)
{
    Status status = weigh_motion(def, s, m, e, err);
    e->flipped_sides = !status && !e->roles.sides_are_named && e->motion.facing.evidence.confidence < 0.5;
    if (!e->flipped_sides)
        return status;
    exchange_roles(s);
    e->roles.sides_are_shown = 0; /* they are otherwise */
    return weigh_motion(def, s, m, e, err);
}

/* The same where names state them and the motion contradicts them. The judgement stays that on the names. Sides that
 * the user states do not give way, and are certain. */
static void follow_body(Skeleton *s, ImportGuess *e)
{
    double sides = e->motion.facing.evidence.confidence;
    int gives_way = e->roles.sides_are_named && !e->roles.sides_are_stated && e->motion.facing.is_contradicted;
    if (gives_way) {
        exchange_roles(s);
        e->flipped_sides = 1;
    }
    sides = e->roles.sides_are_stated ? 1 : gives_way ? 1 - sides : sides;
    e->role_judgement = role_evidence_judge(s, &e->roles, &e->motion.facing, sides);
}

static Status settle_sides(const ImportGuessDef *def, Skeleton *s, Motion *m, ImportGuess *e, Error *err)
{
    if (def->handedness == HANDEDNESS_LEFT)
        world_reflect(s, m);
    Status status = find_sides(def, s, m, e, err);
    if (!status && def->swap_sides) {
        status = skeleton_exchange_sides(s, err);
        status = status ? status : weigh_motion(def, s, m, e, err);
    }
    if (!status)
        follow_body(s, e);
    return status;
}

static void use_evidence(const ImportGuessDef *def, Motion *m, ImportGuess *e)
{
    e->belt_is_off = !def->keep_belt && e->motion.locomotion.kind == LOCOMOTION_TREADMILL;
    e->is_levelled = def->level == LEVEL_AUTO && e->motion.lean.is_leaning;
    if (e->belt_is_off)
        motion_take_off_belt(m, e->motion.locomotion.belt);
    if (e->is_levelled)
        world_level(e->motion.lean.up, m);
}

static Status settle(const Take *take, const ImportGuessDef *def, Skeleton *s, Motion *m, ImportGuess *e, Error *err)
{
    Status status = decide(take, def, s, m, e, err);
    if (status)
        return status;
    place_root(take, e->root_offset, s->offset[0], m);
    if (e->drop_first_frame)
        drop_first_frame(m);
    rotate_and_scale(e, s, m);
    status = check_reach(s, m, err);
    if (status)
        return status;
    e->rate_is_confirmed = def->fps > 0 && m->frame_time > 0 && fabs(def->fps * m->frame_time - 1) < same_rate;
    set_times(e, take->start, m);
    if ((status = settle_sides(def, s, m, e, err)))
        return status;
    use_evidence(def, m, e);
    motion_make_continuous(m);
    return STATUS_OK;
}

static Status set_provenance(const ImportGuess *e, Provenance *p, Error *err)
{
    p->frame_time = e->frame_time;
    p->meters_per_unit = e->meters_per_unit;
    strcpy(p->up_axis, up_axis_name(e->up));
    p->confidence = import_guess_confidence(e);
    return import_judgements_record(e, p, err);
}

/* What a model states is in metres and +Y up, and its joints are not mirrored. */
static Status check_model(const Take *take, const ImportGuessDef *def, Error *err)
{
    int is_changed = (def->meters_per_unit > 0 && def->meters_per_unit != 1) || (def->up != UP_AUTO && def->up != UP_Y);
    int is_mirrored = def->handedness == HANDEDNESS_LEFT || def->swap_sides;
    if ((!take->has_body && !take->has_dof) || (!is_changed && !is_mirrored))
        return STATUS_OK;
    return error_set(err, STATUS_USAGE, "%s: the motion has a model, which states them",
                     is_changed ? "--unit, --up" : "--handedness, --swap-sides");
}

/* Moves masses and degrees of freedom into the clip. */
static void give_model(const ImportGuess *e, Take *take, Clip *out)
{
    out->body = take->body;
    out->has_body = take->has_body;
    out->dof = take->dof;
    out->has_dof = take->has_dof;
    take->body = (Body){0};
    take->dof = (Dofs){0};
    take->has_body = take->has_dof = 0;
    if (out->has_dof && e->drop_first_frame)
        dofs_drop_first_frame(&out->dof);
    for (int f = 0; out->has_dof && e->belt_is_off && f < out->motion.frame_count; f++)
        dofs_move_root(&out->dof, f, vec3_scale(e->motion.locomotion.belt, -f * out->motion.frame_time));
}

Status clip_settle(Take *take, const ImportGuessDef *def, Clip *out, ImportGuess *decision, Error *err)
{
    ImportGuess e = {0};
    if (take->skeleton.joint_count < 1)
        return error_set(err, STATUS_BAD_INPUT, "no joints");
    Status status = check_model(take, def, err);
    if (status)
        return status;
    drop_idle_translation(take, &take->motion);
    Skeleton skeleton = take->skeleton;
    Motion motion = take->motion;
    take->skeleton = (Skeleton){0};
    take->motion = (Motion){0};
    status = settle(take, def, &skeleton, &motion, &e, err);
    if (status) {
        skeleton_free(&skeleton);
        motion_free(&motion);
        return status;
    }
    out->skeleton = skeleton;
    out->motion = motion;
    give_model(&e, take, out);
    if (decision)
        *decision = e;
    return set_provenance(&e, &out->provenance, err);
}
