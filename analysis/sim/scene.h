/* A scene that moves: a Model under gravity, drives, springs, contacts and constraints, in its own coordinates.
 *
 * The speeds are Kane's generalised speeds of the model's joints, so that joints cannot drift and axes, slides,
 * armatures and couplings need no rows; M v' = M v + h f + G' lambda + N' z with the rows of connects, welds and
 * couplings in G (docs/sources.md, notes 0.6) and those of limits and contacts in N (0.7, 0.10). Steps keep the
 * momenta (scene_momentum.h), or are those of scene_step.h, all four, with the Jacobians of the acceleration by
 * differences, but for springs and tendons, which have their own. The mass is dense; contacts and limits are solved by
 * islands (scene_islands.h).
 *
 * Axes of the model, SI. */
#ifndef KANE_SIM_SCENE_H
#define KANE_SIM_SCENE_H

#include "analysis/model/model_motion.h"
#include "analysis/sim/scene_def.h"
#include "analysis/solve/mixed_lcp.h"

SceneDef scene_default_def(void);


/* At rest in the model's reference configuration; the model outlives the scene. STATUS_BAD_INPUT naming the joint that
 * nothing resists. */
Status scene_create(const Model *model, const SceneDef *def, Scene **out, Error *err);
void scene_destroy(Scene *s);

/* Coordinates, speeds and controls, each NULL: as they are. Attached bodies are held as they lie then. */
void scene_set_state(Scene *s, const double *q, const double *v, const double *control);

/* Where given joint i (of SceneDef.given) is to be at the end of the next step, rad or m, and how fast then. One that
 * is not driven stands still. */
void scene_give(Scene *s, int given, double place, double speed);

/* What a drive of SceneDef.controller acts on now: its coordinate or angle (of a rotation: what is left of it), rad or
 * m, and its effort: Nm or N in x, of a ball Nm in axes of its body. */
void scene_drive_state(const Scene *s, int controller, double *position, Vec3 *effort);

/* What drove it during the last step, Nm or N. */
double scene_given_force(const Scene *s, int given);

/* For the next step alone: a force at a body's COM and a couple, world axes. They add up. */
void scene_apply(Scene *s, int body, Vec3 force, Vec3 couple);

/* The same, with the force at the origin of the body's frame as it stands. */
void scene_apply_at(Scene *s, int body, Vec3 force, Vec3 couple);

/* Momentum of a body and its angular momentum about its COM on the way of the last step, or of the last part of one
 * (SCENE_VARIATIONAL): as the displacement has them. */
void scene_kept_momentum(const Scene *s, int body, Vec3 *linear, Vec3 *angular);

/* A body on a free joint that waits: it stays where it is, and nothing meets it. */
void scene_set_waiting(Scene *s, int body, int waits);

/* Sets collides[geom] of those that may collide with another: by pairs of the file, or by their bits and bodies. */
void scene_find_colliders(const Model *model, char *collides);

/* What there is in a scene for options to act on. */
typedef struct SceneFeatures {
    int collides; /* some geoms may meet */
    int rubs;     /* with friction */
    int limits;   /* some joint has limits */
    int drives;   /* some joint has a drive of positions */
    int moves;    /* bodies have speeds, or there are particles */
} SceneFeatures;
SceneFeatures scene_features(const Scene *s);

/* `body "bob"`, or `body 3` where it has no name, in text; returns text. */
const char *scene_body_name(const Model *m, int body, char *text, size_t size);

/* Moves the bodies apart where they overlap, and joints into their ranges, by the least motion in the metric of the
 * mass that equalities allow, and leaves the speeds. To be called before the first step: within steps overlap is pushed
 * out with speed. Where contacts give way (SceneDef.softness) overlap is theirs: it is only reported. */
Status scene_part_overlaps(Scene *s, SceneOverlap *out, Error *err);

/* STATUS_NO_RESULT where the scene flies apart, naming body, time and reason: it is then as it was. */
Status scene_step(Scene *s, Error *err);

SceneSolves scene_solves(const Scene *s);

/* Solves of contacts and limits by sweeps that did not settle. */
const UnsettledSweeps *scene_unsettled(const Scene *s);

double scene_time(const Scene *s);
double scene_step_size(const Scene *s);
const double *scene_q(const Scene *s);
const double *scene_v(const Scene *s);

/* Mean acceleration of the last step, [v_count]. */
const double *scene_a(const Scene *s);

/* Poses and velocities as they are, and accelerations as scene_a; valid until the next step. */
const ModelMotion *scene_motion(Scene *s);

/* Sums over the last step: contact force on a body, and its moment about the world's origin. */
Vec3 scene_contact_force(const Scene *s, int body);
Vec3 scene_contact_moment(const Scene *s, int body);

/* Force of connect or weld number i on its second body during the last step, N, and its couple, Nm (of a coupling: the
 * force on its first joint in x). Behind the model's equalities: of the attachments, on the attached body, about the
 * origin of its frame; then of the paths, on the driven body: of a hinge the couple about its axis, of a slide the
 * force along it, of a body both about the origin of its frame; behind these of
 * SceneDef.rolling, at the edge or the rim. */
Vec3 scene_equality_force(const Scene *s, int equality);
Vec3 scene_equality_couple(const Scene *s, int equality);

typedef struct SceneEnergy {
    double kinetic, potential, springs; /* J: of motion; of gravity and joint springs; of springs, bushings,
                                           tendons and particles */
} SceneEnergy;
SceneEnergy scene_energy(Scene *s);

#endif
