/* See chain_qp.h. */
#include "analysis/solve/chain_qp.h"

Status chain_qp_init(ChainQp *qp, int frame_count, int slot_count, size_t contact_count, size_t hessian_count,
                     Error *err)
{
    size_t frames = (size_t)frame_count;
    if (!qp->memory.last || frames > qp->frame_room || contact_count > qp->contact_room ||
        hessian_count > qp->entry_room) {
        chain_qp_free(qp);
        qp->first = arena_array(&qp->memory, frames + 1, 1, sizeof *qp->first);
        qp->slot = arena_array(&qp->memory, contact_count, 1, sizeof *qp->slot);
        qp->grip = arena_array(&qp->memory, contact_count, 1, sizeof *qp->grip);
        qp->block = arena_array(&qp->memory, frames + 1, 1, sizeof *qp->block);
        qp->hessian = arena_array(&qp->memory, hessian_count + CHAIN_PADDING, 1, sizeof *qp->hessian);
        qp->linear = arena_array(&qp->memory, contact_count, 1, sizeof *qp->linear);
        qp->frame_room = frames, qp->contact_room = contact_count, qp->entry_room = hessian_count;
    }
    if (qp->memory.failed) {
        chain_qp_free(qp);
        return error_no_memory(err);
    }
    qp->frame_count = frame_count;
    qp->slot_count = slot_count;
    qp->held_count = 0;
    qp->first[0] = 0;
    qp->block[0] = 0;
    return STATUS_OK;
}

void chain_qp_free(ChainQp *qp)
{
    if (!qp)
        return;
    arena_free(&qp->memory);
    *qp = (ChainQp){0};
}
