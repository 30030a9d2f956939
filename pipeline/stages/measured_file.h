/* Measured forces of a file as rows of joints: a table with joints, a table with a column per component (MOT, STO, CSV)
 * or a C3D file. */
#ifndef KANE_STAGES_MEASURED_FILE_H
#define KANE_STAGES_MEASURED_FILE_H

#include "analysis/clip/clip.h"
#include "analysis/dynamics/loads.h"
#include "pipeline/stages/measured_options.h"
#include "pipeline/stages/notes.h"

enum { MEASURED_MESSAGES = 24, MEASURED_MESSAGE_SIZE = 220 };

typedef struct MeasuredMessage {
    int is_warning;
    char text[MEASURED_MESSAGE_SIZE];
} MeasuredMessage;

typedef struct MeasuredFile {
    ExternalRows rows;
    Contact estimate; /* of the clip, if it was needed; point_count 0: none */
    Markers markers;  /* of a C3D file, at the frames of the clip; marker_count 0: none */
    double ground;    /* m, height of the plates; 0 for tables */
    int message_count; /* what was decided, with its certainty, and what is odd */
    MeasuredMessage message[MEASURED_MESSAGES];
} MeasuredFile;

/* Reads the forces. The clip must have kinematics. STATUS_BAD_INPUT, with the file, for a C3D file or numbered plates
 * if it lacks masses or two feet. */
Status measured_file_read(const char *path, const MeasuredOptions *options, const Clip *clip, MeasuredFile *out,
                          Error *err);
void measured_file_free(MeasuredFile *file);

/* Adds the messages to the notes, warnings also to the clip; measured_file_forget removes these. */
Status measured_file_tell(const MeasuredFile *file, Clip *clip, Notes *notes, Error *err);
void measured_file_forget(Clip *clip);

#endif
