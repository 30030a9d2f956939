/* Constants of ground contact, fitted or from measured feet: data/contact.tsv, compiled in, which gives unit, meaning
 * and source of each. Fitted by research/fit_contact.py. L is the leg length, g gravity. */
#ifndef KANE_CONTACT_CONTACT_CONSTANTS_H
#define KANE_CONTACT_CONTACT_CONSTANTS_H

#include <stddef.h>

typedef struct ContactConstants {
    /* Weights of the equations; forces in body weights, moments in body weight times leg length L */
    double force_horizontal;
    double moment_horizontal;
    double run_moment;
    double stand_moment;
    double stand_side_moment;
    double jump_moment;
    double clean_force;
    double clean_moment;
    double moment_vertical;
    double hip_effort;
    double stand_hip_effort;
    double jump_hip_effort;
    double ankle_effort;
    double stand_ankle_effort;
    double stand_ankle_side_effort;
    double smooth_horizontal;
    double smooth_vertical;
    double jump_smooth;

    /* Cost of a force at a point (contact_penalty.c) */
    double rest_penalty;
    double skin_penalty;
    double heel_clearance;
    double ball_clearance;
    double slide_speed;
    double ball_sinking;
    double heel_rising;
    double needed_penalty;
    double raised_factor;

    /* The sole (contact_points.c, ground.c) */
    double heel_back;
    double heel_width;
    double ball_width;
    double toe_part;
    double toe_reach;
    double run_toe_reach;
    double heel_above_ball;

    /* Noise of the motion (required_wrench.c) */
    double noise_doubt;
    double side_cutoff;

    /* What people have in common (contact_prior.c) */
    double stand_uneven;
    double gait_uneven;
    double still_vigour;
    double pass_time;
    double pass_speed;
    double pass_landing;
    double pass_leaving;
    double pass_reach;
    double pass_feet;
    double share_weight;
    double run_flight;
    double walk_lean;
    double run_lean;
    double walk_side_lean;
    double run_side_lean;
    double shared_lean;
    double shared_side_lean;
    double walk_lean_weight;
    double run_lean_weight;
    double side_lean_weight;
    double stand_push;
    double stand_push_width;
    double stand_push_weight;
    double pressure_at;
    double pressure_walk_at;
    double pressure_own_time;
    double pressure_weight;
    double pressure_run_weight;
    double pressure_side;
    double pressure_side_com;
    double pressure_side_own;
    double pressure_side_weight;
} ContactConstants;

/* A member by its name, for fitting programs. */
typedef struct ConstantName {
    const char *name;
    size_t offset;
} ConstantName;

extern const ContactConstants contact_constants;
extern const ConstantName contact_constants_list[];
extern const int contact_constants_count;

#endif
