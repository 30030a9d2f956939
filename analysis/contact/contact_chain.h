/* The problem of ground contact (contact_problem.h) as a chain program over frames (solve/chain_qp.h). */
#ifndef KANE_CONTACT_CONTACT_CHAIN_H
#define KANE_CONTACT_CONTACT_CHAIN_H

#include "analysis/contact/contact_problem.h"
#include "analysis/solve/chain_qp.h"

/* Every step-th frame from `begin` on, `count` of them. */
typedef struct FrameSpan {
    int begin, count, step;
} FrameSpan;

/* The frames of a span as a chain; its slots are the contact points. */
Status contact_chain_fill(const ContactProblem *p, FrameSpan span, ChainQp *qp, Error *err);

#endif
