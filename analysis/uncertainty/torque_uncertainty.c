#include "analysis/uncertainty/torque_uncertainty.h"

#include "analysis/uncertainty/body_terms.h"
#include "analysis/uncertainty/ensemble.h"

UncertaintyDef uncertainty_default_def(SpreadMethod method)
{
    UncertaintyDef def = {.method = method, .ground = GROUND_NONE, .contact = contact_estimate_default_def(),
                          .filter = {.difference = difference_default_def()}};
    spread_terms_sizes(method, def.size);
    return def;
}

/* Without an estimate there is nothing to estimate anew. */
static int uses_ensemble(const UncertaintyDef *def)
{
    return def->method == SPREAD_FULL && def->ground == GROUND_ESTIMATED;
}

/* Sizes of the terms taken linearly: all but those that the ensemble varies. */
static void linear_sizes(const UncertaintyDef *def, double *size)
{
    for (int i = 0; i < SPREAD_TERM_COUNT; i++)
        size[i] = uses_ensemble(def) && spread_term_is_varied((SpreadTerm)i) ? 0 : def->size[i];
}

static Status add_linear(const SpreadCase *c, const Bearers *bearers, GroundSource ground, TorqueSpread *out,
                         Error *err)
{
    ground_terms_add(c, bearers, ground, out);
    Status status = place_terms_add(c, out, err);
    if (status == STATUS_OK)
        status = cutoff_term_add(c, bearers, out, err);
    if (status == STATUS_OK)
        status = noise_term_add(c, out, err);
    return status == STATUS_OK ? mass_terms_add(c, out, err) : status;
}

static Status add_terms(const SpreadCase *c, const UncertaintyDef *def, TorqueSpread *out, Error *err)
{
    const Loads none = {0};
    double size[SPREAD_TERM_COUNT];
    SpreadCase linear = *c;
    Arena arena = {0};
    Bearers bearers;
    linear_sizes(def, size);
    linear.size = size;
    Status status = bearers_find(c->clip, def->borne ? def->borne : &none, &bearers, &arena, err);
    if (status == STATUS_OK)
        status = add_linear(&linear, &bearers, def->ground, out, err);
    if (status == STATUS_OK && uses_ensemble(def))
        status = ensemble_add(c, &def->contact, def->ground_height, out, err);
    arena_free(&arena);
    return status;
}

Status torque_uncertainty(const ClipView *clip, const Loads *loads, const UncertaintyDef *def, Dynamics *dynamics,
                          Error *err)
{
    SpreadCase of = {clip, loads, dynamics, def->size, def->filter};
    TorqueSpread spread;
    Status status = torque_spread_init(&spread, dynamics->frame_count, dynamics->joint_count, err);
    if (status == STATUS_OK)
        status = add_terms(&of, def, &spread, err);
    if (status == STATUS_OK)
        status = torque_spread_write(&spread, dynamics, err);
    torque_spread_free(&spread);
    return status;
}
