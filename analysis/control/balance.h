/* Standing on one's own feet: the ground forces that a controller asks for where nothing carries the root.
 *
 * A body of desired angular accelerations is short of six: the acceleration a of its root, and a turning b of all of it
 * about the root as one rigid whole. With the forces f of the points that are on the ground the equations of the root
 * (thesis 3.46 at the root, notes 0.2) read H (a, b) = J'f - r, with H the inertia of the whole and r what the root
 * would need at a = b = 0. The forces are those of a small quadratic program (notes 0.3),
 *
 *     minimise |a - a_d|^2 + w |b|^2 + e |f|^2    over f inside pyramids within the friction cones. */
#ifndef KANE_CONTROL_BALANCE_H
#define KANE_CONTROL_BALANCE_H

#include "analysis/clip/dynamics.h"
#include "analysis/control/plant.h"

/* The plant's kinematics hold the desired accelerations, of the root joint and of all bodies; they become those that
 * the ground can give, and its forces are added to the plant's loads. dynamics: scratch. */
Status balance_find(Plant *plant, Dynamics *dynamics, Error *err);

#endif
