/* The rows of a scene's constraints, for what solves them. */
#ifndef KANE_SIM_SCENE_ROWS_H
#define KANE_SIM_SCENE_ROWS_H

#include "analysis/sim/scene_state.h"

typedef struct SceneRowsAsk {
    const double *q;
    const ContactRule *rule;
    int contact_rows;   /* of contact_rows.h: cone, box, sweeps; 1: normals alone; 0: none */
    const char *leave_out; /* [body] 1: the base does without it; NULL: without none */
    const double *most; /* [contact] of the box; NULL for the others */
} SceneRowsAsk;

/* The base of s->rows, in scratch memory; the motion is set and the contacts are found. */
Status scene_build_base(Scene *s, const SceneRowsAsk *ask, Error *err);

/* Relative velocity of a contact's point, second body minus first, of speeds of the base; and what an impulse on the
 * second body, and its reaction on the first, adds to those along the base. */
Vec3 scene_contact_speed(const SceneContact *c, const double *base_speed);
void scene_contact_push(const SceneContact *c, Vec3 impulse, double *base_impulse);

/* The six speeds of a body's COM in the base, row[6][v_count] or of a part of the speeds from `start` on, [6][size]. */
void scene_put_body(const Scene *s, int body, int start, int size, double *row);

/* Arms from the COMs of the bodies to the points of the contacts. */
void scene_put_arms(Scene *s);

/* How far a contact gives way along its normal and along each direction of its friction, and the least speed. */
typedef struct ContactLaw {
    double normal, tangent, least;
} ContactLaw;
ContactLaw scene_contact_law(const Scene *s, const SceneContact *c);

/* The slip of a contact whose point moves so without contacts. */
void scene_set_slip(SceneContact *c, Vec3 speed);

/* How far row i of dry friction gives way. */
double scene_dry_compliance(const SceneRows *r, int i);

/* The rows on it, in scratch memory. */
Status scene_build_rows(Scene *s, const SceneRowsAsk *ask, Error *err);

/* Largest impulse of a joint's dry friction during the part of the step that is taken; 0: none. */
double scene_dry_impulse(const Scene *s, const ModelJoint *j);

/* How far a limited joint is from the nearer end of its range, rad or m; below 0: beyond it. */
double scene_limit_gap(const ModelJoint *j, const double *q);

/* Two sides of each joint, then six of each SceneDef.angle_limits. */
int scene_limit_sides(const Scene *s);

/* The same of a ball with limits by roll, pitch and yaw, rad. */
double scene_angle_gap(const Scene *s, const SceneAngleLimits *a, const double *q);

int scene_equality_rows(const ModelEquality *e);
int scene_equality_row_count(const Scene *s);

/* The rows of a connect or weld, row[rows][v_count], zeroed before, and its error phi[rows]; own_axes: along those of
 * its first body. */
void scene_put_joint_like(const Scene *s, const ModelEquality *e, int own_axes, double *row, double *phi);

/* row[rows][v_count], zeroed before, and target[rows] of all equalities; they close within `ahead`, 0: they only hold
 * their speed. */
void scene_put_equalities(const Scene *s, const double *q, double ahead, double *row, double *target);

/* Rows of equalities that give way as springs and dampers do (0.11), or, where they close within no time, hold nothing;
 * nor do driven joints then under laws of controllers (SceneDef.kicks_once), whose momenta are kept as they are.
 * soft[rows] is the compliance of those alone. */
void scene_soften_equalities(const Scene *s, double ahead, double *soft, double *target);

/* Adds the impulses lambda of the equalities to their forces over the step. */
void scene_note_equalities(Scene *s, const double *lambda);

#endif
