/* See contradictions.h. */
#include "analysis/detect/contradictions.h"

#include <math.h>
#include <stdio.h>

#include "analysis/math/elementary.h"

static const double degrees = 180 / PI;

static int rate(const ImportGuess *e, Contradiction *out)
{
    const RateJudgement *rate = &e->motion.rate;
    *out = (Contradiction){FINDING_RATE, "", "set import's --fps", &rate->evidence};
    if (e->rate_is_unstated)
        snprintf(out->text, sizeof out->text, "the file states no frame rate: %.6g fps is a guess (%.0f %%)", e->fps,
                 100 * e->fps_confidence);
    else
        snprintf(out->text, sizeof out->text,
                 "the motion contradicts %.6g fps: its rate is %.4g fps (%.0f %%), or it is %s %.3g times", e->fps,
                 rate->fps, fmin(99, 100 * rate->alternative), rate->factor > 1 ? "slowed down" : "sped up",
                 rate->factor > 1 ? rate->factor : 1 / rate->factor);
    return e->rate_is_unstated || rate->is_contradicted;
}

static int level(const ImportGuess *e, Contradiction *out)
{
    const LeanJudgement *lean = &e->motion.lean;
    *out = (Contradiction){FINDING_LEAN, "", e->is_levelled ? NULL : "set import's --level auto", &lean->evidence};
    snprintf(out->text, sizeof out->text, "the world leans by %.0f degrees (standard deviation %.1f)%s",
             lean->angle * degrees, lean->spread * degrees, e->is_levelled ? " and has been levelled" : "");
    return lean->is_leaning;
}

static int sides(const ImportGuess *e, Contradiction *out)
{
    const FacingJudgement *facing = &e->motion.facing;
    *out = (Contradiction){FINDING_SIDES, "", "set import's --swap-sides, or --handedness left for a mirror image",
                           &facing->evidence};
    snprintf(out->text, sizeof out->text, "left and right are exchanged (%.0f %%)%s",
             fmin(99, 100 * (1 - facing->evidence.confidence)),
             e->flipped_sides ? " in the names, the roles follow the body" : "");
    return facing->is_contradicted;
}

/* Lists left and right, if they are less sure than `sides_limit`, and roles that are unsure apart from their side.
 * Returns their number. */
static int list_doubtful(const RoleJudgement *roles, double sides_limit, char *text, size_t size)
{
    enum { NAMED_ROLES = 3 };
    int count = roles->evidence.confidence > 0 && roles->sides < sides_limit;
    size_t used = 0;
    if (count)
        used = (size_t)snprintf(text, size, "left and right (%.0f %%)", 100 * roles->sides);
    for (int r = ROLE_NONE + 1; r < ROLE_COUNT; r++) {
        double side = role_mirror((Role)r) != (Role)r ? roles->sides : 1, likelihood = roles->likelihood[r] / side;
        if (roles->likelihood[r] > 0 && likelihood < DECISION_UNSURE && ++count <= NAMED_ROLES)
            used += (size_t)snprintf(text + used, size - used, "%s%s (%.0f %%)", used ? ", " : "",
                                     role_name((Role)r), 100 * likelihood);
    }
    if (count > NAMED_ROLES)
        snprintf(text + used, size - used, " and %d more", count - NAMED_ROLES);
    return count;
}

static int roles(const ImportGuess *e, Contradiction *out)
{
    char list[120] = "";
    *out = (Contradiction){FINDING_ROLES, "", "settle them with import's --roles, a table as --print-map prints", NULL};
    double sides_limit = e->motion.facing.is_contradicted ? 0 : DECISION_UNSURE; /* the subject of `sides` */
    int count = list_doubtful(&e->role_judgement, sides_limit, list, sizeof list);
    const char *kind = e->roles.is_creature && e->roles.by_shape
                           ? "an animal by its proportions, or a person without names"
                           : e->role_judgement.is_nobody ? "limbs, and no person by names or shape" : NULL;
    int used = snprintf(out->text, sizeof out->text, "roles uncertain: %s", kind ? kind : list);
    if (e->motion.facing.pelvis_turn != 0 && !kind)
        snprintf(out->text + used, sizeof out->text - (size_t)used,
                 ", the pelvis is turned by %.0f degrees against knees and shoulders",
                 fabs(e->motion.facing.pelvis_turn) * degrees);
    return count > 0 || kind;
}

static int path(const ImportGuess *e, Contradiction *out)
{
    const LocomotionJudgement *locomotion = &e->motion.locomotion;
    *out = (Contradiction){FINDING_LOCOMOTION, "", NULL, &locomotion->evidence};
    switch (locomotion->kind) {
    case LOCOMOTION_IN_PLACE:
        snprintf(out->text, sizeof out->text, "steps in place: forces along the ground are unknown");
        break;
    case LOCOMOTION_TREADMILL:
        snprintf(out->text, sizeof out->text, "treadmill: the belt's speed of %.3g m/s is %s",
                 vec3_norm(locomotion->belt), e->belt_is_off ? "taken off" : "kept");
        break;
    case LOCOMOTION_CYCLING:
        snprintf(out->text, sizeof out->text, "pedals: forces of saddle and pedals are unknown");
        break;
    default: return 0;
    }
    return 1;
}

static int feet(const ImportGuess *e, Contradiction *out)
{
    *out = (Contradiction){FINDING_NO_FEET, "", NULL, NULL};
    snprintf(out->text, sizeof out->text, "%s",
             e->motion.legs_lack == LEGS_LACK_FEET ? "the skeleton has no feet: the ankles support the body"
                                        : "the skeleton has no shanks and feet: what supports the body is unknown");
    return e->motion.legs_lack != LEGS_LACK_NOTHING;
}

int contradictions_list(const ImportGuess *guess, Contradiction out[CONTRADICTIONS_MAX])
{
    static int (*const all[])(const ImportGuess *, Contradiction *) = {rate, level, sides, roles, path, feet};
    int count = 0;
    for (int i = 0; i < CONTRADICTIONS_MAX; i++)
        count += all[i](guess, &out[count]);
    return count;
}
