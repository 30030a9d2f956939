/* Builds the same tree in MuJoCo: free root, ball joints, no contacts, limits or damping. For tests and benchmarks
 * only.
 *
 * MuJoCo's velocity of a free joint is (linear in world axes, angular in joint axes), that of a ball joint is relative
 * to the parent in child axes; generalised forces likewise. */
#ifndef KANE_TESTS_MUJOCO_TREE_H
#define KANE_TESTS_MUJOCO_TREE_H

#include <mujoco/mujoco.h>
#include <stdio.h>
#include <string.h>

#include "analysis/base/standard_gravity.h"
#include "analysis/clip/clip.h"
#include "analysis/math/elementary.h"

/* Principal axes of an inertia by Jacobi rotations: returns the axes; *i becomes diagonal. MuJoCo's own compiler stops
 * at an error of about 1e-8. */
static inline Quat mujoco_principal(Sym3 *i)
{
    double a[3][3] = {{i->xx, i->xy, i->xz}, {i->xy, i->yy, i->yz}, {i->xz, i->yz, i->zz}};
    Quat axes = QUAT_IDENTITY;
    for (int turn = 0; turn < 60; turn++) {
        int p = turn % 3, q = (p + 1) % 3, other = (p + 2) % 3;
        double gap = a[p][p] - a[q][q]; /* the smaller of the two angles; otherwise the axes would swap forever */
        double angle = 0.5 * elementary_atan2(gap < 0 ? -2 * a[p][q] : 2 * a[p][q], fabs(gap));
        double s = elementary_sin(0.5 * angle), v[3] = {0, 0, 0};
        v[other] = s;
        axes = quat_normalize(quat_mul(axes, (Quat){elementary_cos(0.5 * angle), v[0], v[1], v[2]}));
        Mat3 r = quat_to_mat3(axes);
        Vec3 column[3];
        /* A = R^T I R with the columns of R. */
        for (int k = 0; k < 3; k++)
            column[k] = mat3_mul(r, vec3(k == 0, k == 1, k == 2));
        for (int k = 0; k < 3; k++)
            for (int l = 0; l < 3; l++)
                a[k][l] = vec3_dot(column[k], sym3_mul(*i, column[l]));
    }
    *i = (Sym3){a[0][0], a[1][1], a[2][2], 0, 0, 0};
    return axes;
}

static inline void mujoco_write_body(FILE *f, const Skeleton *s, const Body *b, int j)
{
    Vec3 at = j == 0 ? vec3(0, 0, 0) : s->offset[j];
    Sym3 i = b->inertia[j];
    Quat axes = mujoco_principal(&i);
    fprintf(f, "<body name=\"b%d\" pos=\"%.17g %.17g %.17g\">%s\n", j, at.x, at.y, at.z,
            j == 0 ? "<freejoint/>" : "<joint type=\"ball\"/>");
    fprintf(f, "<inertial pos=\"%.17g %.17g %.17g\" mass=\"%.17g\" quat=\"%.17g %.17g %.17g %.17g\" "
            "diaginertia=\"%.17g %.17g %.17g\"/>\n", b->com[j].x, b->com[j].y, b->com[j].z, b->mass[j], axes.w, axes.x,
            axes.y, axes.z, i.xx, i.yy, i.zz);
    for (int c = j + 1; c < s->joint_count; c++)
        if (s->parent[c] == j)
            mujoco_write_body(f, s, b, c);
    fprintf(f, "</body>\n");
}

/* Returns NULL and prints a message if MuJoCo rejects the tree (a massless body, the triangle inequality). */
static inline mjModel *mujoco_model(const Skeleton *s, const Body *b)
{
    char path[] = "/tmp/kane_mujoco_XXXXXX", error[500] = "";
    int fd = mkstemp(path);
    FILE *f = fd < 0 ? NULL : fdopen(fd, "w");
    if (!f)
        return NULL;
    fprintf(f, "<mujoco><compiler angle=\"radian\" boundmass=\"0\"/>\n"
               "<option gravity=\"0 %.17g 0\"><flag constraint=\"disable\" contact=\"disable\" limit=\"disable\" "
               "passive=\"disable\" frictionloss=\"disable\" equality=\"disable\"/></option>\n<worldbody>\n", -GRAVITY);
    mujoco_write_body(f, s, b, 0);
    fprintf(f, "</worldbody></mujoco>\n");
    fclose(f);
    mjModel *m = mj_loadXML(path, NULL, error, sizeof error);
    if (!m)
        fprintf(stderr, "MuJoCo: %s\n", error);
    remove(path);
    return m;
}

/* Index of a joint's body; the joints of bodies have the same order. */
static inline int mujoco_body(const mjModel *m, int j)
{
    char name[16];
    snprintf(name, sizeof name, "b%d", j);
    return mj_name2id(m, mjOBJ_BODY, name);
}

static inline void mujoco_put(double *to, Vec3 v)
{
    memcpy(to, &v, sizeof v);
}

/* One frame of a clip as qpos, qvel, qacc; body[j] is mujoco_body(m, j). */
static inline void mujoco_set_state(const mjModel *m, const Clip *c, int frame, const int *body, double *qpos,
                                    double *qvel, double *qacc)
{
    const Kinematics *k = &c->kinematics;
    size_t row = motion_index(&c->motion, frame, 0);
    mujoco_put(qpos, c->motion.root_position[frame]);
    mujoco_put(qvel, k->velocity[row]);
    mujoco_put(qacc, k->acceleration[row]);
    for (int j = 0; j < c->skeleton.joint_count; j++) {
        int joint = m->body_jntadr[body[j]], shift = j == 0 ? 3 : 0, parent = c->skeleton.parent[j];
        size_t at = row + (size_t)j;
        Vec3 omega = k->angular_velocity[at], alpha = k->angular_acceleration[at];
        if (parent >= 0) {
            omega = vec3_sub(omega, k->angular_velocity[row + (size_t)parent]);
            alpha = vec3_sub(alpha, k->angular_acceleration[row + (size_t)parent]);
        }
        /* Acceleration in rotating child axes: R^T (alpha_rel - omega_child x omega_rel). */
        alpha = vec3_sub(alpha, vec3_cross(k->angular_velocity[at], omega));
        memcpy(qpos + m->jnt_qposadr[joint] + shift, &c->motion.rotation[at], sizeof(Quat));
        mujoco_put(qvel + m->jnt_dofadr[joint] + shift, quat_rotate_inverse(k->orientation[at], omega));
        mujoco_put(qacc + m->jnt_dofadr[joint] + shift, quat_rotate_inverse(k->orientation[at], alpha));
    }
}

/* Moment of joint j in world axes, from a vector of generalised forces. */
static inline Vec3 mujoco_torque(const mjModel *m, const Clip *c, int frame, const int *body, int j, const double *qfrc)
{
    const double *t = qfrc + m->jnt_dofadr[m->body_jntadr[body[j]]] + (j == 0 ? 3 : 0);
    return quat_rotate(c->kinematics.orientation[motion_index(&c->motion, frame, j)], vec3(t[0], t[1], t[2]));
}

/* Largest joint moment and residual force of a clip, used as scales of comparisons. */
static inline double dynamics_scale(const Dynamics *d)
{
    double largest = 0;
    for (size_t i = 0; i < (size_t)d->frame_count * (size_t)d->joint_count; i++)
        largest = fmax(largest, vec3_norm(d->torque[i]));
    return largest;
}

#endif
