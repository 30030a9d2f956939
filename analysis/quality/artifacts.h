/* The artifacts of a source, as import finds them before anything is smoothed, and which frames and joints they affect.
 *
 * Reference for the kinds: docs/formats/clip_file.md "Quality flags". */
#ifndef KANE_QUALITY_ARTIFACTS_H
#define KANE_QUALITY_ARTIFACTS_H

#include "analysis/detect/take.h"
#include "analysis/quality/artifact.h"

/* Teleports and flips: steps from frame to frame that no body makes.
 *
 * A body that is pushed hard changes its velocity at once and keeps it: the step of that frame lies between the one
 * before and the one after. What lies beyond both (the excess, the distance from the line between them) needs an
 * acceleration and its reverse within two frames. Limits are a length, or an angle, that recordings do not blur, and an
 * acceleration over a frame that muscles or the ground could still reverse (the constants in the source); steps amid
 * equally large ones are motion. A pair of such steps that cancel within ARTIFACT_RETURN frames is held to a lower
 * limit: a pose leaves and comes back. Cost: a comparison of quaternions a joint and frame; more only where something
 * jumps.
 */

#define ARTIFACT_RETURN 6 /* frames: an excursion is shorter */

/* Appends the artifacts of root path, translations and rotations. motion in m, roles are not needed. */
Status artifact_steps_find(const Skeleton *skeleton, const Motion *motion, Artifacts *faults, Error *err);

/* Stretches where a recording stands still to the last digit, or moves on a straight line.
 *
 * A body that is recorded never stands still: noise moves its joints in every frame. A pose, or the rotation of a joint
 * that moves otherwise, which repeats the frame before for a tenth of a second and longer was held. An animator's hold
 * eases in and out; an artifact begins or ends at once, and both are asked for. A hinge that rests at the end of its
 * range (knees clamped by a solver) is none. A pose whose steps repeat instead was interpolated over a gap. */

Status artifact_holds_find(const Skeleton *skeleton, const Motion *motion, Artifacts *faults, Error *err);

/* Teleports, flips, held and interpolated stretches in order of their first frame. *artifacts = (Artifacts){0}
 * before. */
Status artifacts_find(const Skeleton *skeleton, const Motion *motion, Artifacts *faults, Error *err);

/* Adds their bits to *trust: to the frames and to the joints with artifacts. Where all that the joint carries is light
 * the frame keeps its trust and the joints that it affects lose theirs: its ancestors and what hangs on it get
 * TRUST_ADJACENT_JOINT. */
Status artifacts_mark(const Skeleton *skeleton, const Artifacts *faults, Trust *trust, Error *err);

/* What is wrong with a take of any format: rows, decisions that import is unsure of, and what no body does. */

/* Appends to take->findings, in the order of their places, what import would decide under def and what its clip
 * shows: repeated and missing rows, Euler flips, frame time, unit, up axis, positions, root path, a first frame
 * that is none, artifacts, bones that change their length, feet that never come down. Then, where a
 * skeleton of the same family is given, the joints of it that the take lacks. Skeleton and motion leave the take,
 * as by clip_settle. */
Status take_inspect(Take *take, const ImportGuessDef *def, const Skeleton *family, Error *err);

#endif
