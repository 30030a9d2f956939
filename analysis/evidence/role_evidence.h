/* How probable the roles of joints are: names, shape of the tree, and the motion of knees, toes, elbows and path. */
#ifndef KANE_EVIDENCE_ROLE_EVIDENCE_H
#define KANE_EVIDENCE_ROLE_EVIDENCE_H

#include "analysis/body/roles.h"
#include "analysis/clip/skeleton.h"
#include "analysis/evidence/evidence.h"
#include "analysis/evidence/facing.h"

typedef struct RoleJudgement {
    double likelihood[ROLE_COUNT]; /* probability that the joint with the role is that joint; 0: no joint */
    double sides;                  /* probability that left and right are right, part of those of paired roles */
    double animal;                 /* probability that it is an animal; 0: not judged to be one */
    int is_nobody;                 /* 1: there are limbs, and no roles that make a person or an animal of them */
    Evidence evidence;             /* confidence: the least likelihood; 0: no roles */
} RoleJudgement;

/* sides: probability that left and right are right; facing: what shows it. */
RoleJudgement role_evidence_judge(const Skeleton *skeleton, const RoleSigns *signs, const FacingJudgement *facing,
                                  double sides);

#endif
