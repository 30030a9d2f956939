/* The complementarity problem of contacts, limits and dry friction (docs/sources.md, notes 0.5 to 0.8 and 0.10) as an
 * active-set problem over states: a contact is free, sticks, or slides along some directions of its friction cone.
 *
 * In a given state a contact of ten rows has at most three unknowns. In a sticking contact the active
 * directions together give the impulse -2/c u along the tangents, with compliance c, whatever the slip u. In a sliding
 * contact they share mu theta. A solution over states is a solution of the ten rows. */
#ifndef KANE_SIM_HOLD_H
#define KANE_SIM_HOLD_H

/* HOLD_TURN: a contact's friction against turning about an axis, a dry friction whose bound is `friction` times the
 * contact's normal impulse. */
typedef enum HoldKind { HOLD_CONTACT, HOLD_LIMIT, HOLD_DRY, HOLD_TURN } HoldKind;
typedef enum HoldState { HOLD_FREE, HOLD_HELD, HOLD_SLIDES } HoldState;

/* Components along the normal and two tangents of a contact. A limit or a dry friction uses the first component
 * alone. */
typedef struct Hold {
    HoldKind kind;
    HoldState state;
    unsigned mask;       /* of a sliding contact: bit mask of cone directions; of dry friction 1: at the upper bound */
    int closings;        /* number of changes into the sticking or sliding state */
    int normal;          /* of HOLD_TURN: hold of its contact */
    double friction;     /* mu; of HOLD_TURN m */
    double soft[2];      /* compliance along the normal, and along each friction direction */
    double min;          /* m/s or rad/s, smallest separation speed */
    double bound;        /* Ns or Nms, bound of a dry friction */
    double speed_before[3], speed[3]; /* speeds without the impulses, and with them */
    double impulse[3];
    /* in this state: impulse = fixed + column unknown; row . speed + compliance unknown = target */
    int unknowns;
    double fixed[3], column[3][3], row[3][3], compliance[3][3], target[3], unknown[3];
} Hold;

static inline int hold_width(const Hold *h) { return h->kind == HOLD_CONTACT ? 3 : 1; }

/* Computes the fields below for the state and its mask. */
void hold_relate(Hold *h);

static inline int hold_is_dry(const Hold *h) { return h->kind == HOLD_DRY || h->kind == HOLD_TURN; }

/* Sets the bound of a HOLD_TURN by its contact's normal impulse. */
void hold_bind(Hold *h, double normal_impulse);

/* The impulse that the unknowns give. */
void hold_set_impulse(Hold *h);

/* Residual of the rows: target - row . speed - compliance unknown. */
void hold_residual(const Hold *h, double residual[3]);

/* Thresholds below which impulses and speeds count as zero. */
typedef struct HoldTolerance {
    double impulse, speed;
} HoldTolerance;

/* Changes a state that its solution contradicts. Returns 1 if it changed. */
int hold_change(Hold *h, const HoldTolerance *zero);

/* Solves one contact alone. Its speeds without its impulse are `before`; mobility[3][3] is their response to the
 * impulse. Sets state, unknowns, impulse and speed. Returns 0 if no state is consistent. */
int hold_solve_alone(Hold *h, const double *mobility, const double before[3], const HoldTolerance *zero);

/* The state that a solution z of its rows corresponds to. */
void hold_take_rows(Hold *h, const double *z);

/* Direction k of the friction cone: one of its components along the tangents, and its dot product with a tangent
 * vector. */
double cone_direction(int k, int component);
double cone_along(int k, const double tangents[2]);

/* Initial state of a contact, from the speeds without impulses. */
void hold_guess(Hold *h);

#endif
