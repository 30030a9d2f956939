/* A scene in motion: a Model under gravity, drives, springs, contacts and constraints, in generalised coordinates.
 *
 * The speeds are Kane's generalised speeds of the model's joints. Joints cannot drift; axes, slides and armatures need
 * no constraint rows. M v' = M v + h f + G' lambda + N' z, with the rows of connects, welds and couplings in G
 * (docs/sources.md, notes 0.6) and those of limits and contacts in N (0.7, 0.10). A step conserves momenta
 * (scene_system.h) or is one of the four of scene_def.h. The implicit ones use analytic Jacobians for springs and
 * tendons and central differences for the rest. The mass matrix is dense; contacts and limits are solved island by
 * island (island.h).
 *
 * Model axes, SI units. */
#ifndef KANE_SIM_SCENE_H
#define KANE_SIM_SCENE_H

#include "analysis/model/model_motion.h"
#include "analysis/sim/scene_def.h"
#include "analysis/solve/gauss_seidel.h"

SceneDef scene_default_def(void);

/* Creates a scene at rest in the model's reference configuration; the model must outlive it. STATUS_BAD_INPUT naming
 * the joint if a speed has no inertia. */
Status scene_create(const Model *model, const SceneDef *def, Scene **out, Error *err);
void scene_destroy(Scene *s);

/* Sets coordinates, speeds and controls; NULL leaves one unchanged. Attached bodies are fixed to their carriers in this
 * pose. */
void scene_set_state(Scene *s, const double *q, const double *v, const double *control);

/* Sets the position, rad or m, and speed of given joint i (of SceneDef.given) at the end of the next step. A given
 * joint without a call stays at rest. */
void scene_give(Scene *s, int given, double place, double speed);

/* Present state of a drive of SceneDef.controller. *position: its coordinate or angle, rad or m; of a rotation drive
 * the remaining angle. *effort: N m or N in x; of a ball N m in axes of its body. */
void scene_drive_state(const Scene *s, int controller, double *position, Vec3 *effort);

/* Force that drove a given joint during the last step, N m or N. */
double scene_given_force(const Scene *s, int given);

/* Applies a force at a body's COM and a couple, world axes, for the next step alone. Calls add up. */
void scene_apply(Scene *s, int body, Vec3 force, Vec3 couple);

/* The same with the force at the present origin of the body's frame. */
void scene_apply_at(Scene *s, int body, Vec3 force, Vec3 couple);

/* Linear momentum of a body, and its angular momentum about its COM, over the last step or its last part
 * (SCENE_VARIATIONAL), computed from the displacement. */
void scene_kept_momentum(const Scene *s, int body, Vec3 *linear, Vec3 *angular);

/* Suspends a body on a free joint: it keeps its position and collides with nothing. */
void scene_set_waiting(Scene *s, int body, int waits);

/* Sets collides[geom] for geoms that may collide with another one, by contact pairs of the file or by their bits and
 * bodies. */
void scene_find_colliders(const Model *model, char *collides);

/* Features of a scene that options act on. */
typedef struct SceneFeatures {
    int collides; /* some geoms may meet */
    int rubs;     /* with friction */
    int limits;   /* some joint has limits */
    int drives;   /* some joint has a position drive */
    int moves;    /* the scene has speeds or particles */
} SceneFeatures;
SceneFeatures scene_features(const Scene *s);

/* Writes `body "bob"`, or `body 3` for a body without a name, into text; returns text. */
const char *scene_body_name(const Model *m, int body, char *text, size_t size);

/* Separates overlapping bodies and moves joints into their ranges, by the smallest motion in the metric of the mass
 * matrix that equalities allow. Speeds stay. Call it before the first step: within a step, overlap is pushed out with
 * speed. If contacts are compliant (SceneDef.softness), overlap is part of their model and is only reported.
 * STATUS_LIMIT for more than SCENE_OVERLAPS_MAX contacts that overlap. */
enum { SCENE_OVERLAPS_MAX = 20000 };
Status scene_part_overlaps(Scene *s, SceneOverlap *out, Error *err);

/* Takes one step. STATUS_NO_RESULT naming body, time and reason if the scene diverges; the scene is then unchanged. */
Status scene_step(Scene *s, Error *err);

SceneSolves scene_solves(const Scene *s);

/* Solves of contacts and limits whose Gauss-Seidel sweeps did not converge. */
const UnsettledSweeps *scene_unsettled(const Scene *s);

double scene_time(const Scene *s);
double scene_step_size(const Scene *s);
const double *scene_q(const Scene *s);
const double *scene_v(const Scene *s);

/* Present poses and velocities, and mean accelerations of the last step; valid until the next step. */
const ModelMotion *scene_motion(Scene *s);

/* Contact force on a body over the last step, and its moment about the world's origin. */
Vec3 scene_contact_force(const Scene *s, int body);
Vec3 scene_contact_moment(const Scene *s, int body);

/* Constraint force during the last step, N, and couple, N m. Index order: the model's equalities (connect, weld: on the
 * second body; coupling: force on its first joint in x); then attachments, on the attached body about the origin of its
 * frame; then paths, on the driven body (hinge: couple about its axis; slide: force along it; body: both, about the
 * origin of its frame); then SceneDef.rolling, at the edge or rim. */
Vec3 scene_equality_force(const Scene *s, int equality);
Vec3 scene_equality_couple(const Scene *s, int equality);

typedef struct SceneEnergy {
    double kinetic, potential, springs; /* J: of motion; of gravity and joint springs; of springs, bushings, tendons
                                           and particles */
} SceneEnergy;
SceneEnergy scene_energy(Scene *s);

#endif
