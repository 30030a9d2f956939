/* kane_frames(path): the frames of a clip file as an SQL table, one row per frame and joint.
 *
 *     SELECT c.path, max(f.torque) FROM clip c, kane_frames(c.path) f WHERE f.role = 'left_knee' GROUP BY c.id
 *
 * Columns: time frame joint role torque_x torque_y torque_z torque power angular_velocity_x _y _z angular_velocity
 * contact_force_x _y _z contact_force valid trusted residual_torque. Vectors are in world axes, SI, followed by their
 * norm. Values that the file or the row lacks are NULL: the floating base has a residual and no torque or power. Rows
 * are in frame order. The constraints joint =, role = and ranges of time and frame are pushed down: other frames, and
 * arrays of columns that are not selected, are not read. Relative paths start at the folder of the main database, or at
 * the working directory for a database in memory.
 *
 * Safety: because the table reads files by name, it works only in statements of the application, not in views or
 * triggers of a database (SQLITE_VTAB_DIRECTONLY). It opens only regular files that are clip files, and libhdf5 reads
 * them in a child process (container_layout.h).
 *
 * frames_table.c is compiled twice: into the library, and with KANE_EXTENSION into kane.so, where SQLite's functions
 * are those of the host. References: sqlite.org/vtab.html, sqlite.org/loadext.html. */
#ifndef KANE_FRAMES_FRAMES_TABLE_H
#define KANE_FRAMES_FRAMES_TABLE_H

#include <sqlite3.h>

/* SQLite result code if a clip file cannot be read; the message has its path. SQLite itself no longer uses this
 * code. */
#define FRAMES_TABLE_FAILED SQLITE_FORMAT

/* Registers kane_frames with a connection; returns an SQLite result code. */
int frames_table_register(sqlite3 *db);

#endif
