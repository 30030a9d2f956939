/* One step of a run (playback_state.h): loads, torques of the controller or of a fall, and the scene. */
#include "analysis/control/playback_state.h"

#include <math.h>
#include <string.h>

#include "analysis/math/elementary.h"

#define LEARNING_RATE 0.5

static Desired desired_at(const Playback *p, int frame)
{
    size_t joints = (size_t)p->motion.joint_count;
    size_t row = (size_t)playback_frame(p, frame) * joints, next = (size_t)playback_frame(p, frame + 1) * joints;
    const Kinematics *k = &p->kinematics;
    size_t taken = p->def.present_acceleration ? row : next;
    return (Desired){k->orientation + row, k->angular_velocity + row, k->angular_acceleration + taken,
                     k->acceleration[taken], k->position[row], k->velocity[row]};
}

static Vec3 up_of(const Playback *p)
{
    return vec3_norm(p->def.gravity) > 0 ? vec3_normalize(vec3_neg(p->def.gravity)) : vec3(0, 1, 0);
}

/* Releases the ball where it falls or flies to the position that the reference's COM will have at the impact. */
static Status release_ball(PlaybackState *s, int frame, Error *err)
{
    const Playback *p = s->playback;
    const BallDrop *ball = &p->def.ball;
    if (!(ball->mass > 0) || s->is_released || frame * p->def.dt < s->release)
        return STATUS_OK;
    double fall = playback_fall(p);
    int joint = p->lumped.body_of[ball->joint];
    size_t due = motion_index(&p->motion, playback_frame(p, frame + (int)lround(fall / p->def.dt)), joint);
    Vec3 arm = quat_rotate(p->kinematics.orientation[due], p->lumped.body.com[joint]);
    Vec3 position = vec3_add(p->kinematics.position[due], arm);
    Vec3 velocity = {0, 0, 0}, from = {0, ball->height, 0};
    if (ball->speed > 0) {
        Status status = push_direction(&ball->from, &p->lumped.skeleton, &s->plant.kinematics, up_of(p), &from, err);
        if (status)
            return status;
        velocity = vec3_mad(vec3_scale(from, -ball->speed), -0.5 * fall, p->def.gravity);
        from = vec3_scale(from, ball->speed * fall);
    }
    body_scene_release_ball(s->scene, vec3_add(position, from), velocity);
    s->is_released = 1;
    return STATUS_OK;
}

static int all_finite(const Vec3 *v, int count)
{
    double sum = 0;
    for (int i = 0; i < count; i++)
        sum += v[i].x + v[i].y + v[i].z;
    return isfinite(sum);
}

/* Whether a controller can continue from a state: it is finite, and nothing rotates by more than a full turn per
 * step. */
static int is_sound(const PlaybackState *s)
{
    const Kinematics *k = &s->plant.kinematics;
    double fastest = 0;
    for (int j = 0; j < k->joint_count; j++)
        fastest = fmax(fastest, vec3_norm(k->angular_velocity[j]));
    return all_finite(k->position, k->joint_count) && all_finite(k->angular_velocity, k->joint_count) &&
           fastest * s->playback->def.dt < 2 * PI;
}

static RootTarget root_at(const Playback *p, int frame)
{
    size_t at = (size_t)playback_frame(p, frame) * (size_t)p->motion.joint_count;
    const Kinematics *k = &p->kinematics;
    return (RootTarget){k->position[at], k->velocity[at], k->orientation[at], k->angular_velocity[at]};
}

static void add_wrench(JointWrench *to, Vec3 force, Vec3 moment)
{
    to->force = vec3_add(to->force, force);
    to->moment = vec3_add(to->moment, moment);
}

void playback_state_push(PlaybackState *s, int joint, JointWrench wrench)
{
    add_wrench(&s->given[joint], wrench.force, wrench.moment);
}

/* Tabulated forces at the body's present pose. */
static void apply_forces(PlaybackState *s, int frame)
{
    const Loads *l = &s->playback->forces;
    for (int i = 0; i < l->load_count && frame < l->frame_count; i++) {
        size_t at = (size_t)frame * (size_t)l->load_count + (size_t)i;
        Vec3 position = s->plant.kinematics.position[l->joint[i]];
        add_wrench(&s->push[l->joint[i]], l->force[at], vec3_sub(l->moment[at], vec3_cross(position, l->force[at])));
    }
}

/* Pushes that act in a step: the mean of their force over the step, at the body's present pose. */
static Status apply_pushes(PlaybackState *s, int frame, Error *err)
{
    const Playback *p = s->playback;
    const Kinematics *now = &s->plant.kinematics;
    for (int i = 0; i < p->pushes.count; i++) {
        const Push *push = &p->pushes.push[i];
        double share = push_share(push, p->motion.time[0] + frame * p->def.dt, p->def.dt);
        Vec3 *direction = &s->push_direction[i];
        Status status = STATUS_OK;
        if (!(share > 0))
            continue;
        if (!(vec3_norm(*direction) > 0))
            status = push_direction(&push->direction, &p->lumped.skeleton, now, up_of(p), direction, err);
        if (status)
            return status;
        Vec3 force = vec3_scale(*direction, share * push->force);
        Vec3 arm = quat_rotate(now->orientation[push->joint], push->point);
        add_wrench(&s->push[push->joint], force, vec3_cross(arm, force));
    }
    return STATUS_OK;
}

/* Moves from one frame to the next under the torques; the scene halves its step if something rotates fast. */
static Status advance(PlaybackState *s, int frame, Error *err)
{
    const Playback *p = s->playback;
    RootTarget end = root_at(p, frame + 1);
    body_scene_drive(s->scene, &end);
    memcpy(s->push, s->given, (size_t)p->motion.joint_count * sizeof *s->push);
    memset(s->given, 0, (size_t)p->motion.joint_count * sizeof *s->given);
    apply_forces(s, frame);
    Status status = apply_pushes(s, frame, err);
    if (status)
        return status;
    for (int j = 0; j < p->motion.joint_count; j++) {
        size_t at = (size_t)frame * (size_t)p->motion.joint_count + (size_t)j;
        body_scene_apply_torque(s->scene, j, s->torque[j]);
        body_scene_apply_force(s->scene, j, s->push[j].force, s->push[j].moment);
        if (p->load_force && p->def.root == ROOT_LOADS)
            body_scene_apply_force(s->scene, j, p->load_force[at], p->load_moment[at]);
    }
    status = body_scene_step(s->scene, err);
    for (int j = 0; j < p->motion.joint_count; j++)
        s->contact[j].force = body_scene_contact(s->scene, j, s->plant.kinematics.position[j], &s->contact[j].moment);
    return status;
}

static void read_pose(PlaybackState *s) { body_scene_read(s->scene, 0, &s->plant.motion, &s->plant.kinematics); }

/* Wrench of the springs on the root in its present state. */
static void foresee_root(PlaybackState *s, int frame)
{
    const Kinematics *k = &s->plant.kinematics;
    Loads *l = &s->plant.loads;
    RootTarget to = root_at(s->playback, frame);
    Vec3 force, torque;
    body_scene_root_springs(&s->springs, &to, k, &force, &torque);
    l->force[0] = vec3_add(l->force[0], force);
    l->moment[0] = vec3_add(l->moment[0], vec3_add(torque, vec3_cross(k->position[0], force)));
}

/* Loads known before the step: the clip's, and those of the springs in the present state. */
static void foresee_loads(PlaybackState *s, int frame)
{
    const Playback *p = s->playback;
    const Kinematics *k = &s->plant.kinematics;
    Loads *l = &s->plant.loads;
    size_t joints = (size_t)p->motion.joint_count, row = (size_t)playback_frame(p, frame) * joints;
    memset(l->force, 0, joints * sizeof *l->force);
    memset(l->moment, 0, joints * sizeof *l->moment);
    int expects = p->load_force && !(playback_is_loose(p) && controller_balances(s->controller.def.kind));
    for (size_t j = 0; expects && j < joints; j++) {
        l->force[j] = p->load_force[row + j];
        l->moment[j] = vec3_add(p->load_moment[row + j], vec3_cross(k->position[j], l->force[j]));
    }
    const Loads *forces = &p->forces;
    for (int i = 0; p->def.forces_known && frame < forces->frame_count && i < forces->load_count; i++) {
        size_t at = (size_t)frame * (size_t)forces->load_count + (size_t)i;
        int j = forces->joint[i];
        l->force[j] = vec3_add(l->force[j], forces->force[at]);
        l->moment[j] = vec3_add(l->moment[j], forces->moment[at]);
    }
    foresee_root(s, frame);
    if (p->springs.count)
        springs_add(&p->springs, &(SpringPose){k->position, k->orientation, k->velocity, k->angular_velocity},
                    l->force, l->moment);
}

/* Gain change after a hit: immediate, then decaying linearly. */
static void respond_to_hit(PlaybackState *s, double now)
{
    ControllerDef *def = &s->controller.def;
    if (!(def->hit_stiffness > 0))
        return;
    if (body_scene_ball_hits(s->scene))
        s->hit = now;
    double left = def->hit_time > 0 ? fmax(0, 1 - (now - s->hit) / def->hit_time) : 0;
    def->gains.change = left * (def->hit_stiffness - 1);
}

static Vec3 *learned_at(const PlaybackState *s, int frame)
{
    Vec3 *all = s->controller.def.learned;
    return all ? all + (size_t)frame * (size_t)s->playback->motion.joint_count : NULL;
}

/* Feedback in a step responds to errors that the torques of the step before left, and is learned for that step. */
static void learn(PlaybackState *s, int frame)
{
    Vec3 *to = frame > 0 ? learned_at(s, frame - 1) : NULL;
    for (int j = 0; to && j < s->playback->motion.joint_count; j++)
        to[j] = vec3_mad(to[j], LEARNING_RATE, controller_feedback(&s->controller, &s->plant, j, s->torque[j]));
}

static void set_goal(PlaybackState *s, int frame)
{
    s->goal = balance_aim_goal(&s->aim, &s->plant, frame);
    s->plant.goal = &s->goal;
}

/* The motors also move the tissue of the joints, at the speed that a controller which balances expects at the end of
 * the step, or at the present one. */
static void move_tissue(PlaybackState *s)
{
    const Kinematics *k = &s->plant.kinematics;
    double ahead = playback_state_balances(s) ? s->plant.dt : 0;
    if (!playback_state_balances(s))
        return;
    for (int j = 1; j < k->joint_count; j++) {
        int up = s->plant.skeleton->parent[j];
        Vec3 speed = vec3_sub(k->angular_velocity[j], k->angular_velocity[up]);
        speed = vec3_mad(speed, ahead, vec3_sub(k->angular_acceleration[j], k->angular_acceleration[up]));
        s->torque[j] = vec3_mad(s->torque[j], s->playback->damping[j], speed);
    }
    controller_bound(&s->controller.def.gains, &s->plant, s->torque);
}

/* Torques of the controller, or of a fall. */
static Status choose_torques(PlaybackState *s, int frame, Error *err)
{
    const Playback *p = s->playback;
    Desired now = desired_at(p, frame), next = desired_at(p, frame + 1);
    if (playback_is_loose(p))
        reaction_watch(&s->reaction, &s->plant, &p->kinematics, playback_frame(p, frame), frame * p->def.dt, s->torque);
    if (playback_is_loose(p) && reaction_falls(&s->reaction)) {
        Status status = reaction_torques(&s->reaction, &s->plant, s->torque, err);
        controller_bound(&s->controller.def.gains, &s->plant, s->torque);
        return status;
    }
    if (playback_state_balances(s))
        set_goal(s, playback_frame(p, frame));
    Status status = controller_torques(&s->controller, &s->plant, &now, &next, s->torque, err);
    if (status == STATUS_NO_RESULT && playback_is_loose(p) && p->def.on_fall != FALL_TRACK) {
        reaction_lose(&s->reaction, &s->plant, frame * p->def.dt, s->torque);
        return choose_torques(s, frame, err);
    }
    if (!status)
        learn(s, frame);
    if (!status)
        move_tissue(s);
    return status;
}

Status playback_step(PlaybackState *s, int frame, Error *err)
{
    const Playback *p = s->playback;
    int joints = p->motion.joint_count;
    Status status = release_ball(s, frame, err);
    if (status)
        return status;
    foresee_loads(s, frame);
    respond_to_hit(s, frame * p->def.dt);
    s->controller.learned = learned_at(s, frame);
    status = choose_torques(s, frame, err);
    if (status || !all_finite(s->torque, joints))
        return status ? status : STATUS_NO_RESULT;
    if (playback_is_loose(p))
        s->torque[0] = vec3(0, 0, 0);
    status = advance(s, frame, err);
    if (status)
        return status;
    read_pose(s);
    return is_sound(s) ? STATUS_OK : STATUS_NO_RESULT;
}

int playback_is_over(const PlaybackState *s, int frame)
{
    const Playback *p = s->playback;
    if (!playback_is_loose(p) || !reaction_falls(&s->reaction))
        return frame >= p->motion.frame_count;
    return reaction_ends(&s->reaction, frame * p->def.dt);
}

TrackingOutcome playback_outcome(const PlaybackState *s)
{
    return !playback_is_loose(s->playback) ? OUTCOME_HELD
           : !isnan(s->reaction.lost)      ? OUTCOME_FALLS
           : s->aim.steps.count            ? OUTCOME_STEPS : OUTCOME_STANDS;
}
