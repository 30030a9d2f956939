/* Clips in the formats of other programs (docs/formats/exports.md).
 *
 * Every number is written so that reading it back gives the same double. Tables in long form have one row per frame and
 * joint: time, frame, joint, role, then what the clip holds: position, angular velocity and acceleration, torque,
 * force, power, of the floating base the residual instead, valid, trusted; before `kane kinematics` the rotation
 * instead. npz holds the arrays of the container under their names (`torque`; with the group in front where two groups
 * share one: `body_com`, `tracking_kane_torque`). sto holds the joint torques, mot the ground forces, as OpenSim reads
 * them; glb: see formats/gltf/gltf_clip.h. */
#ifndef KANE_EXPORT_EXPORT_H
#define KANE_EXPORT_EXPORT_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "analysis/base/status.h"
#include "analysis/clip/clip.h"
#include "formats/export/row_writer.h"

/* "csv"...; NULL past the last. 0 where there is no such name. */
const char *export_format_name(ExportFormat format);
int export_format_from_name(const char *name, ExportFormat *format);

/* The whole clip. STATUS_BAD_INPUT where the clip lacks what the format is made of, STATUS_IO where the stream
 * refuses; the caller closes the stream. */
Status export_clip(const Clip *clip, const ExportDef *def, FILE *stream, Error *err);

/* The tables below have one row per frame. Formats csv, tsv, jsonl, where noted also mot and sto; STATUS_USAGE for
 * the others. In tsv a comment states units and axes, in csv and jsonl every name does ("torque_world_x_nm"). All but
 * OpenSim's forms end with confidence and trusted, where the clip has them.
 *
 * wide: time, frame, what the long form has of a joint under <joint>_<column>, valid. */
Status export_wide(const Clip *clip, const ExportDef *def, FILE *stream, Error *err);

/* time, then <joint>_Mx _My _Mz for every joint, of the floating base <joint>_residual_Mx _My _Mz, Nm; under OpenSim's
 * names the moments about anatomical axes (hip_flexion_l_moment). Of a joint with degrees of freedom their generalised
 * forces, <dof>_moment Nm or <dof>_force N, instead. Also mot, sto. */
Status export_moments(const Clip *clip, const ExportDef *def, FILE *stream, Error *err);

/* time, R_Fx R_Fy R_Fz R_COPx R_COPy R_COPz R_Tx R_Ty R_Tz, the same for L_, and <joint>_Fx _Px _Tx of other joints
 * with forces; N, m, Nm, world axes. Also mot, sto. */
Status export_grf(const Clip *clip, const ExportDef *def, FILE *stream, Error *err);

/* Angles about anatomical axes, degrees; of a clip with degrees of freedom their positions, degrees or m. Also mot,
 * sto. */
Status export_angles(const Clip *clip, const ExportDef *def, FILE *stream, Error *err);

/* def->camera's path: time, its position, orientation (camera to world; it looks along its -Z), radius, yaw and pitch
 * as seen from what it follows, and that: the root joint's position and the heading. m, degrees. */
Status export_camera(const Clip *clip, const ExportDef *def, FILE *stream, Error *err);

/* Of every anatomical coordinate angle, velocity, moment and power per kg, utilization of strength. */
Status export_anatomy(const Clip *clip, const ExportDef *def, FILE *stream, Error *err);

/* A clip as numpy's npz: a zip archive of .npy arrays, stored without compression, without a time of the clock. */

/* Writes a zip archive of stored (not compressed) entries to a stream that need not seek.
 *
 * Reference: PKWARE APPNOTE 6.3.3, sections 4.3.7, 4.3.12 and 4.3.16. Plain zip: 4 GB and 65,535 entries at most. */

typedef struct ZipEntry {
    char name[64];
    uint32_t crc, size, offset;
} ZipEntry;

enum { ZIP_MAX_ENTRIES = 256 };

typedef struct Zip {
    FILE *stream;
    uint64_t size; /* bytes written */
    int entry_count;
    ZipEntry entry[ZIP_MAX_ENTRIES];
} Zip;

void zip_begin(Zip *zip, FILE *stream);

typedef struct ZipBytes {
    const void *at;
    size_t size;
} ZipBytes;

/* An entry whose content is head followed by body. */
Status zip_put(Zip *zip, const char *name, ZipBytes head, ZipBytes body, Error *err);

/* Writes the directory. STATUS_IO where the stream refused anything. */
Status zip_finish(Zip *zip, Error *err);

/* CRC-32 (ISO 3309) of bytes that follow those of crc; 0 to begin. */
uint32_t zip_crc(uint32_t crc, const void *bytes, size_t size);

/* STATUS_LIMIT beyond the 4 GB of a plain zip archive. */
Status export_npz(const Clip *clip, FILE *stream, Error *err);

#endif
