/* The chain of `kane run`: a BVH file, through body, smooth, diff, contact, torque and anatomy, into a container.
 *
 * One set of values for import, the stages and the container's storage. `kane import`, `kane run`, every worker of
 * `kane batch`, `kane retarget` where a clip has no contacts yet, and libkane all run this. */
#ifndef KANE_STAGES_PIPELINE_H
#define KANE_STAGES_PIPELINE_H

#include "analysis/clip/clip.h"
#include "analysis/clip/skeleton.h"
#include "analysis/contact/contact_estimate.h"
#include "analysis/detect/import_guess.h"
#include "formats/container/container.h"
#include "formats/source/source.h"
#include "pipeline/stages/option.h"
#include "pipeline/stages/stage.h"

/* From the path of a motion file to a clip: what `kane import`, `kane run` and every worker of `kane batch` do
 * first. */

typedef struct ImportOptions {
    ImportGuessDef evidence;
    SourceDef limits;
} ImportOptions;

extern const Command import_command;         /* its options are of an ImportOptions */
extern const Option import_limit_options[];  /* of a SourceDef: under the same names in all commands that read motion */

extern const OptionKind option_unit; /* double, m: "cm", or a number of metres */
extern const OptionKind option_up;   /* UpAxis */

ImportOptions import_defaults(void);

/* What a file says of itself, and its skeleton and motion alone, without notes, trust and provenance. */
Status import_judge(const ImportOptions *given, const char *path, Clip *out, ImportGuess *decision, Error *err);

/* Reads path ("-": standard input) into a clip with its provenance and its line of history. Notes: what was read
 * although it is odd, and what was decided. */
Status import_read(const ImportOptions *given, const char *path, Clip *out, Notes *notes, Error *err);

/* The stages behind import, in order; retarget only where it is told a character. */
enum { CHAIN_LENGTH = 7, CHAIN_GROUPS = 4 + CHAIN_LENGTH };
extern const Stage *const chain_stages[CHAIN_LENGTH];

typedef enum ChainAnatomy { CHAIN_ANATOMY, CHAIN_NO_ANATOMY } ChainAnatomy;

typedef struct Pipeline {
    ImportOptions import;
    OptionValues stage[CHAIN_LENGTH]; /* of each of chain_stages */
    int length;                       /* how many of them are run */
    ChainAnatomy anatomy;             /* whether the last one is */
    ContainerDef container;
} Pipeline;

extern const Option storage_options[]; /* of a ContainerDef */

/* Every value as its stage has it unless given, the whole chain. */
Pipeline pipeline_defaults(void);

/* So that the chain ends with this stage of it. */
void pipeline_end_with(Pipeline *chain, const Stage *last);

/* Whether its body is measured in the neutral pose of the file's own skeleton, and no option gives that pose. */
int pipeline_stands(const Pipeline *chain);

/* The decisions of the clip's skeleton, which are kept; NULL: it decides alone. */
void pipeline_follow(Pipeline *chain, const Family *family);

/* The options that fill the chain, under their names in `kane run`: storage, limits of the reader, import, then the
 * stages that are run. Returns how many groups these are. */
int pipeline_groups(Pipeline *chain, OptionGroup groups[CHAIN_GROUPS]);

/* Everything that bears on the bytes of a container, and the version that makes it: a clip whose content and request
 * are the same has the same bytes. The caller frees *text. */
Status pipeline_describe(const Pipeline *chain, char **text, Error *err);

/* A motion file, or a take of it, as the import options say, or the first container of a file; path "-" is motion from
 * standard input. */
Status pipeline_open(const Pipeline *chain, const char *path, Clip *out, Notes *notes, Error *err);

/* Imports a motion file for the stages that follow: messages name import's options as the chain does. */
Status pipeline_import(const Pipeline *chain, const char *path, Clip *out, Notes *notes, Error *err);

/* The stages on a clip in memory; messages name options as the chain does (--contact-external). On failure
 * the clip can only be freed; notes (may be NULL) name the stage. */
Status pipeline_run(const Pipeline *chain, Clip *clip, Notes *notes, Error *err);

/* What `kane batch` asks of the stage body beside its options. */

/* The neutral pose of the clips of one skeleton, for a clip that does not surely contradict it; not owned. NULL: none.
 * values are of stage_body. */
void body_follow(OptionValues *values, const NeutralAngles *family);

/* Whether these options leave the neutral pose open. */
int body_follows(const OptionValues *values);

/* How the contact stage estimates forces, for stages that estimate them again. */

/* As the options of the contact stage say for this clip. *bridged, which the definition refers to, is the caller's to
 * free; NULL where there is none. */
Status contact_def_find(const OptionValues *values, const Clip *clip, ContactEstimateDef *def, uint8_t **bridged,
                        Error *err);

/* kane scale beyond its stage: the scaled clip with all that was computed from it made anew. */

/* Applies stage_scale, then diff, contact and torque as they were applied before, and tells what became of the torques.
 * On failure the clip can only be freed. */
Status scale_and_rerun(const OptionValues *values, Clip *clip, Notes *notes, Error *err);

#endif
