/* Gains of a PD controller, by joint. */
#ifndef KANE_CONTROL_GAINS_H
#define KANE_CONTROL_GAINS_H

#include <math.h>

/* Factor on the gains: the inertia of the joint's chain, one, or the mass of that chain. */
typedef enum GainScale { GAINS_BY_INERTIA, GAINS_PLAIN, GAINS_BY_MASS } GainScale;

/* Gains of one joint. */
typedef struct JointGains {
    double stiffness;  /* kp. By inertia: 1/s2; plain: N m/rad; by mass: m2/s2 */
    double damping;    /* kd; 0: the damping ratio times critical damping. 1/s, Nms/rad, m2/s */
    double integral;   /* ki. 1/s3, N m/(rad s), m2/s3 */
    double torque_max; /* N m, bound on the joint's torque; 0: none */
} JointGains;

/* Gains of all joints. */
typedef struct Gains {
    double stiffness; /* as in JointGains; default 300 */
    double damping;   /* default 0 */
    GainScale scale;  /* default GAINS_BY_INERTIA */
    double integral;  /* default 0 */
    double damping_ratio;    /* damping ratio if no damping is given; 0: default, 1 */
    double integral_max;     /* rad s, bound on the time integral of the error; default 1 */
    const JointGains *joint; /* [joint] override these; NaN: no override; NULL: none */
    double change;    /* factor 1 + change on stiffness and integral gain, and its root on given damping; default 0 */
} Gains;

Gains gains_default(void);

/* Default kd: 2 sqrt(kp), which is critical for accelerations, times the damping ratio. */
static inline double gains_critical(const Gains *g, double stiffness)
{
    return 2 * (g->damping_ratio > 0 ? g->damping_ratio : 1) * sqrt(stiffness);
}

/* Gains of one joint, with the change applied. */
JointGains gains_of_joint(const Gains *g, int joint);

/* Whether any of `joints` joints has an integral gain. */
int gains_integrate(const Gains *g, int joints);

#endif
