/* Damped spring in closed form: x'' = -omega^2 x - 2 zeta omega x', x relative to the rest position.
 *
 * One step of any length is exact, so n steps of dt equal one of n dt. Valid for every omega >= 0 and zeta >= 0 without
 * a tolerance around critical damping; omega = 0 continues at constant velocity.
 *
 * Reference: R. Juckett, Damped Springs (2012); here with sinc and (1 - e^-u) / u, which include the critical case. */
#ifndef KANE_SIGNAL_SPRING_H
#define KANE_SIGNAL_SPRING_H

/* State after a step: x = xx x0 + xv v0, v = vx x0 + vv v0. */
typedef struct SpringStep {
    double xx, xv; /* 1, s */
    double vx, vv; /* 1/s, 1 */
} SpringStep;

/* omega in rad/s, zeta: damping ratio (1: critical), dt in s. */
SpringStep spring_step(double omega, double zeta, double dt);

/* Advances position and velocity by one step towards rest. */
static inline void spring_advance(const SpringStep *step, double rest, double *position, double *velocity)
{
    double x = *position - rest, v = *velocity;
    *position = rest + (step->xx * x + step->xv * v);
    *velocity = step->vx * x + step->vv * v;
}

#endif
