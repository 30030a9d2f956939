/* The rows of a scene's constraints, for its solvers. */
#ifndef KANE_SIM_SCENE_ROWS_H
#define KANE_SIM_SCENE_ROWS_H

#include "analysis/sim/scene_state.h"

typedef struct SceneRowsAsk {
    const double *q;
    const ContactRule *rule;
    int contact_rows;   /* rows per contact (contact_rows.h): cone, box or Gauss-Seidel; 1: normals alone; 0: none */
    const char *leave_out; /* [body] 1: the base leaves it out; NULL: no body is left out */
    const double *max;  /* [contact] bounds of box friction; NULL for the others */
} SceneRowsAsk;

/* Builds the base of s->rows in scratch memory. The motion must be set and the contacts found. */
Status scene_build_base(Scene *s, const SceneRowsAsk *ask, Error *err);

/* Relative velocity at a contact, second body minus first, from speeds of the base; and adding an impulse on the second
 * body, with its reaction on the first, to those along the base. */
Vec3 scene_contact_speed(const SceneContact *c, const double *base_speed);
void scene_contact_push(const SceneContact *c, Vec3 impulse, double *base_impulse);

/* Rows of the six speeds of a body's COM on the generalised speeds, row[6][v_count], or on those from `start` on,
 * [6][size]. */
void scene_put_body(const Scene *s, int body, int start, int size, double *row);

/* Compliance of a contact along its normal and along each friction direction, and its smallest separation speed. */
typedef struct ContactLaw {
    double normal, tangent, min;
} ContactLaw;
ContactLaw scene_contact_law(const Scene *s, const SceneContact *c);

/* Slip of a contact whose point has this velocity without contacts. */
void scene_set_slip(SceneContact *c, Vec3 speed);

/* Compliance of row i of dry friction. */
double scene_dry_compliance(const SceneRows *r, int i);

/* Number of axes about which a contact resists turning: its normal, or also both tangents; and the largest couple
 * about axis k per normal force, m. */
int scene_turn_count(const SceneContact *c);
double scene_turn_friction(const SceneContact *c, int k);

/* Builds the rows on the base, in scratch memory. */
Status scene_build_rows(Scene *s, const SceneRowsAsk *ask, Error *err);

/* Distance of a limited joint from the nearer end of its range, rad or m; negative beyond it. */
double scene_limit_gap(const ModelJoint *j, const double *q);

/* Number of limit sides: two per joint, then six per SceneDef.angle_limits. */
int scene_limit_sides(const Scene *s);

/* The same for a ball with limits by roll, pitch and yaw, rad. */
double scene_angle_gap(const Scene *s, const SceneAngleLimits *a, const double *q);

int scene_equality_row_count(const Scene *s);

/* Rows of all equalities, row[rows][v_count], zeroed by the caller, and target[rows]. They close within `ahead`; 0:
 * they prescribe speeds only. */
void scene_put_equalities(const Scene *s, const double *q, double ahead, double *row, double *target);

/* Adds the compliance of soft equalities (0.11) to soft[rows], and their spring term to the targets. If `ahead` is 0,
 * they transmit no force, and neither do driven joints under control laws (SceneDef.kicks_once), whose momenta stay. */
void scene_soften_equalities(const Scene *s, double ahead, double *soft, double *target);

/* Adds the impulses lambda of the equalities to their forces over the step. */
void scene_note_equalities(Scene *s, const double *lambda);

/* First row of given joints and paths, which follow the model's equalities and precede rolling. */
int scene_driven_row(const Scene *s);

/* Adds the speeds along the base that impulses along it cause. */
void scene_add_moved(const SceneRows *r, const double *push, double *base_speed);

#endif
