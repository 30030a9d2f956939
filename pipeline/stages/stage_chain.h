/* The chain of `kane run`: a BVH file, through body, smooth, diff, contact, torque and anatomy, into a container.
 *
 * One set of values for import, the stages and the container's storage. `kane import`, `kane run`, every worker of
 * `kane batch`, `kane retarget` where a clip has no contacts yet, and libkane all run this. */
#ifndef KANE_PIPELINE_STAGE_CHAIN_H
#define KANE_PIPELINE_STAGE_CHAIN_H

#include "formats/container/container.h"
#include "pipeline/stages/import.h"
#include "pipeline/stages/stage.h"

/* The stages behind import, in order; retarget only where it is told a character. */
enum { CHAIN_LENGTH = 7, CHAIN_GROUPS = 4 + CHAIN_LENGTH };
extern const Stage *const chain_stages[CHAIN_LENGTH];

typedef enum ChainAnatomy { CHAIN_ANATOMY, CHAIN_NO_ANATOMY } ChainAnatomy;

typedef struct StageChain {
    ImportOptions import;
    OptionValues stage[CHAIN_LENGTH]; /* of each of chain_stages */
    int length;                       /* how many of them are run */
    ChainAnatomy anatomy;             /* whether the last one is */
    ContainerDef container;
} StageChain;

extern const Option storage_options[]; /* of a ContainerDef */

/* Every value as its stage has it unless given, the whole chain. */
StageChain stage_chain_defaults(void);

/* So that the chain ends with this stage of it. */
void stage_chain_end_with(StageChain *chain, const Stage *last);

/* Whether its body is measured in the neutral pose of the file's own skeleton, and no option gives that pose. */
int stage_chain_stands(const StageChain *chain);

/* The decisions of the clip's skeleton, which are kept; NULL: it decides alone. */
void stage_chain_follow(StageChain *chain, const Family *family);

/* The options that fill the chain, under their names in `kane run`: storage, limits of the reader, import, then the
 * stages that are run. Returns how many groups these are. */
int stage_chain_groups(StageChain *chain, OptionGroup groups[CHAIN_GROUPS]);

/* Everything that bears on the bytes of a container, and the version that makes it: a clip whose content and request
 * are the same has the same bytes. The caller frees *text. */
Status stage_chain_describe(const StageChain *chain, char **text, Error *err);

/* A BVH file as the import options say, or the first container of a file; path "-" is BVH from standard input. */
Status stage_chain_open(const StageChain *chain, const char *path, Clip *out, Notes *notes, Error *err);

/* Imports a BVH file for the stages that follow: messages name import's options as the chain does. */
Status stage_chain_import(const StageChain *chain, const char *path, Clip *out, Notes *notes, Error *err);

/* The stages on a clip in memory; messages name options as the chain does (--contact-external). On failure
 * the clip can only be freed; notes (may be NULL) name the stage. */
Status stage_chain_run(const StageChain *chain, Clip *clip, Notes *notes, Error *err);

#endif
