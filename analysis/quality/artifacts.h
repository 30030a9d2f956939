/* The artifacts of a source, which import finds before anything is smoothed, and the frames and joints that they
 * affect. Reference for the kinds: docs/formats/clip_file.md "Quality flags". */
#ifndef KANE_QUALITY_ARTIFACTS_H
#define KANE_QUALITY_ARTIFACTS_H

#include "analysis/detect/take.h"
#include "analysis/quality/artifact.h"

/* Teleports and flips: steps from frame to frame that no body can make.
 *
 * A body that is pushed hard changes its velocity at once and keeps it: the step of that frame lies between the one
 * before and the one after. A step beyond both (its excess is the distance from the segment between them) requires an
 * acceleration and its reverse within two frames. The limit is the sum of a length or angle (the blur of recordings)
 * and an acceleration, which muscles or the ground could still reverse within a frame, times the frame time squared;
 * constants: data/trust.tsv. A step among equally large ones is motion. A pair of steps that cancel within
 * ARTIFACT_RETURN frames, a pose that leaves and returns, is held to a lower limit. Cost: one comparison of quaternions
 * per joint and frame; more only at large steps. */

#define ARTIFACT_RETURN 6 /* frames: longest excursion, exclusive */

/* Appends the artifacts of root path, translations and rotations. motion in m; roles are not used. */
Status artifact_steps_find(const Skeleton *skeleton, const Motion *motion, Artifacts *artifacts, Error *err);

/* Intervals in which a recording is constant to the last digit, or moves in a straight line.
 *
 * A recorded body never stands still: noise moves its joints in every frame. A pose, or the rotation of a joint that
 * moves otherwise, is held if it repeats the frame before for a tenth of a second or longer and the hold begins or ends
 * abruptly: an animator's hold eases in and out. A hinge that rests at the end of its range (knees clamped by a solver)
 * is not an artifact. A pose whose steps, instead, repeat was interpolated over a gap. */

Status artifact_holds_find(const Skeleton *skeleton, const Motion *motion, Artifacts *artifacts, Error *err);

/* Finds artifacts of all kinds, ordered by their first frame. *`artifacts` must be (Artifacts){0}. */
Status artifacts_find(const Skeleton *skeleton, const Motion *motion, Artifacts *artifacts, Error *err);

/* Adds the artifacts' bits to *trust, in the frames and joints affected. If all that the joint carries is light, the
 * frame remains trusted and only joints are flagged: its ancestors and descendants get TRUST_ADJACENT_JOINT. */
Status artifacts_mark(const Skeleton *skeleton, const Artifacts *artifacts, Trust *trust, Error *err);

/* Findings about a take of any format: defective rows, uncertain decisions of import, and motion that no body makes. */

/* Appends to take->findings, in order of their locations, what import would decide under def and what the resulting
 * clip shows: repeated and missing rows, Euler flips, frame time, unit, up axis, positions, root path, a first frame
 * that is not part of the take, artifacts, bones of varying length, feet that never come down. Then, if a skeleton of
 * the same family is given, those of its joints that the take lacks. Skeleton and motion are moved out of the take, as
 * by clip_settle. */
Status take_inspect(Take *take, const ImportGuessDef *def, const Skeleton *family, Error *err);

#endif
