/* Tilt of the ground: a plane through the positions at which soles rest. */
#ifndef KANE_CONTACT_GROUND_TILT_H
#define KANE_CONTACT_GROUND_TILT_H

#include "analysis/base/status.h"
#include "analysis/contact/contact_points.h"
#include "analysis/contact/ground_track.h"
#include "analysis/math/vec.h"

/* *normal, unit: +Y unless the rest positions rise over a sufficient distance, by more than noise, and the soles are
 * inclined likewise (stairs and boxes rise too, under level soles). */
Status ground_tilt(const ContactPoints *points, const Track *track, double speed_unit, Vec3 *normal, Error *err);

#endif
