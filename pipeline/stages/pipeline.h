/* The pipeline of `kane run`: from a motion file through body, smooth, kinematics, contact, torque and angles to a clip
 * file.
 *
 * One set of values for import, stages and storage, used by `kane import`, `kane run`, every worker of `kane batch`,
 * `kane retarget` for clips without contacts, and libkane. */
#ifndef KANE_STAGES_PIPELINE_H
#define KANE_STAGES_PIPELINE_H

#include "analysis/angles/neutral_family.h"
#include "analysis/base/status.h"
#include "analysis/clip/clip.h"
#include "analysis/detect/import_guess.h"
#include "formats/container/container.h"
#include "pipeline/stages/import.h"
#include "pipeline/stages/notes.h"
#include "pipeline/stages/option.h"
#include "pipeline/stages/stage.h"

/* The stages after import, in order; retarget only if a character is given. */
enum { PIPELINE_LENGTH = 7, PIPELINE_GROUPS = 4 + PIPELINE_LENGTH };
extern const Stage *const pipeline_stages[PIPELINE_LENGTH];

typedef enum PipelineAngles { PIPELINE_ANGLES, PIPELINE_NO_ANGLES } PipelineAngles;

typedef struct Pipeline {
    ImportOptions import;
    OptionValues stage[PIPELINE_LENGTH]; /* of pipeline_stages */
    int length;                          /* count of stages that run */
    PipelineAngles angles;               /* whether angles runs */
    ContainerDef container;
} Pipeline;

extern const Option storage_options[]; /* fill a ContainerDef */

/* Returns the defaults of all stages, with the complete pipeline. */
Pipeline pipeline_defaults(void);

/* Ends the pipeline with this stage. */
void pipeline_end_with(Pipeline *pipeline, const Stage *last);

/* Returns whether body detects the neutral pose from the file's own skeleton: no retargeting, and no option sets the
 * pose. */
int pipeline_stands(const Pipeline *pipeline);

/* Sets the detections shared by the files of a skeleton (NULL: the file is judged alone), and what was detected of this
 * file with the same options (NULL: to be detected). Both are not owned. */
void pipeline_follow(Pipeline *pipeline, const Family *family, const FamilyMember *own);

/* Returns a pointer to the value of retarget's --to in the pipeline; value NULL: no retargeting. */
const char **pipeline_target(Pipeline *pipeline);

/* Reads the target of retargeting, if any. STATUS_BAD_INPUT if no motion can be transferred to it, STATUS_IO if it
 * cannot be read. */
Status pipeline_check_target(const Pipeline *pipeline, Error *err);

/* Fills groups with the options of the pipeline, named as in `kane run`: storage, limits of the reader, its own,
 * import, then the stages that run. Returns the count of groups. */
int pipeline_groups(Pipeline *pipeline, OptionGroup groups[PIPELINE_GROUPS]);

/* Describes everything that determines the bytes of a clip file: version and all options. Equal source content and
 * description give equal bytes. The caller frees *text. */
Status pipeline_describe(const Pipeline *pipeline, char **text, Error *err);

/* Reads the first clip of a clip file, or a motion file (or a take of it) with the import options; path "-" is motion
 * from standard input. */
Status pipeline_open(const Pipeline *pipeline, const char *path, Clip *out, Notes *notes, Error *err);

/* Imports a motion file for the stages that follow; messages name import's options as in `kane run`. */
Status pipeline_import(const Pipeline *pipeline, const char *path, Clip *out, Notes *notes, Error *err);

/* Runs the stages on a clip in memory; messages name options as in `kane run` (--contact-external). On failure the clip
 * can only be freed; notes (may be NULL) name the stage. */
Status pipeline_run(const Pipeline *pipeline, Clip *clip, Notes *notes, Error *err);

/* Runs stage i alone, 0 .. pipeline->length - 1 in ascending order, for callers that show progress. */
Status pipeline_run_stage(const Pipeline *pipeline, int i, Clip *clip, Notes *notes, Error *err);

#endif
