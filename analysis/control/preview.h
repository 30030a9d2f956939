/* Preview control of one coordinate of the centre of mass (Kajita et al., Biped walking pattern generation by using
 * preview control of zero-moment point, ICRA 2003), with coefficients that change along the motion.
 *
 * The deviation d of the coordinate from its reference obeys d'' = spring d + drive w + drift: on the ground it is that
 * of an inverted pendulum, in flight nothing drives it. The feedback w minimises the sum of d^2 + rate d'^2 + cost w^2
 * over the rest of the motion, so it prepares for what comes: a flight, a support that is elsewhere. */
#ifndef KANE_CONTROL_PREVIEW_H
#define KANE_CONTROL_PREVIEW_H

typedef struct PreviewStep {
    double spring, drive, drift; /* 1/s2, unit of d'' per unit of w, unit of d'' */
    double gain[2], bias;        /* out: w = -gain . (d, d') - bias */
} PreviewStep;

typedef struct PreviewDef {
    double dt;   /* s */
    double rate; /* s2 */
    double cost; /* per w^2 */
    double rest; /* s, for which the last step goes on, without drift */
} PreviewDef;

/* Fills the gains of all steps, from the last to the first (discrete Riccati equation with a known disturbance). */
void preview_solve(const PreviewDef *def, PreviewStep *step, int count);

#endif
