/* Tilt of the ground: the plane through the places where soles come to rest. */
#ifndef KANE_CONTACT_GROUND_TILT_H
#define KANE_CONTACT_GROUND_TILT_H

#include "analysis/base/status.h"
#include "analysis/contact/contact_points.h"
#include "analysis/contact/ground_track.h"

/* *normal, unit: +Y unless the resting places rise along a way long enough to tell, more than noise does, and the soles
 * lie on the slope themselves (stairs and boxes rise too, under level soles). */
Status ground_tilt(const ContactPoints *points, const Track *track, double speed_unit, Vec3 *normal, Error *err);

#endif
