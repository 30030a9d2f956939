/* kane_frames(path): the frames of a container as an SQL table, one row per frame and joint.
 *
 *     SELECT c.path, max(f.torque) FROM clip c, kane_frames(c.path) f WHERE f.role = 'left_knee' GROUP BY c.id
 *
 * Columns: time frame joint role torque_x torque_y torque_z torque power angular_velocity_x _y _z angular_velocity
 * contact_force_x _y _z contact_force valid trusted residual_torque; vectors in world axes, SI, followed by their
 * length; NULL where the container does not hold it, and where a row has none: the floating base carries the residual,
 * no torque or power. Rows come frame by frame. joint =, role = and ranges of time and frame are pushed down:
 * other frames, and arrays that no column asks for, are not read. Relative paths start at the folder of the main
 * database, at the working directory where that has no file.
 *
 * Safety: the table reads files by name, so it answers only statements of the application itself, never views or
 * triggers of a database (SQLITE_VTAB_DIRECTONLY); it opens regular files alone, which must be containers; libhdf5
 * works on them in a child process (container_layout.h).
 *
 * frames_table.c is compiled twice: into the library, and with KANE_EXTENSION into kane.so, where SQLite's functions
 * are those of the host. References: sqlite.org/vtab.html, sqlite.org/loadext.html. */
#ifndef KANE_FORMATS_FRAMES_TABLE_H
#define KANE_FORMATS_FRAMES_TABLE_H

#include <sqlite3.h>

/* What SQLite's result code is where a container cannot be read; the message names its path. SQLite itself no longer
 * uses this code. */
#define FRAMES_TABLE_FAILED SQLITE_FORMAT

/* Makes kane_frames known to a connection; an SQLite result code. */
int frames_table_register(sqlite3 *db);

#endif
