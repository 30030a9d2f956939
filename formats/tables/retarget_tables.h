/* Tables of the retargeting stage: the map `target source weight`, joint limits
 * `role roll_min roll_max pitch_min pitch_max yaw_min yaw_max` in degrees, contacts `foot part from to mode`. */
#ifndef KANE_TABLES_RETARGET_TABLES_H
#define KANE_TABLES_RETARGET_TABLES_H

#include <stdio.h>

#include "analysis/base/status.h"
#include "analysis/retarget/contact_edits.h"
#include "analysis/retarget/joint_limits.h"
#include "analysis/retarget/joint_map.h"
#include "formats/base/table.h"

/* Reads a map of joint names; with a column `rig` its rows for both skeletons (rig_map.h), which may be none. An empty
 * or missing weight is 1. STATUS_BAD_INPUT for an unknown name or one that several joints of a skeleton have. */
Status joint_map_read(const char *path, const Skeleton *target, const Skeleton *source, JointMap *out, Error *err);

/* Writes a table for joint_map_read; targets without a source become comments. */
Status joint_map_write(const JointMap *map, const Skeleton *target, const Skeleton *source, FILE *stream, Error *err);

/* STATUS_BAD_INPUT for an unknown or repeated role, a minimum above its maximum, and angles beyond 180 degrees (pitch:
 * 90). */
Status joint_limits_read(const char *path, JointLimits *out, Error *err);

/* Reads a row of ranges of roll, pitch and yaw in degrees, with the errors of joint_limits_read. column: of roll_min,
 * roll_max, pitch_min ... */
enum { ANGLE_BOUNDS = 6 };
Status angle_range_read(const Table *t, int row, const int column[ANGLE_BOUNDS], RollPitchYaw *min,
                        RollPitchYaw *max, Error *err);

/* foot: left, right; part: heel, ball; from, to: s; mode: keep, lock, free. STATUS_BAD_INPUT for other words and for an
 * interval that does not end after it begins. */
Status contact_edits_read(const char *path, ContactEdits *out, Error *err);

/* Writes a table for contact_edits_read. */
Status contact_edits_write(const ContactEdits *rows, FILE *stream, Error *err);

#endif
