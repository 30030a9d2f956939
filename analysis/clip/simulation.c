#include "analysis/clip/simulation.h"

#include "analysis/base/memory.h"

Status simulation_init(Simulation *s, SimulationSize size, Error *err)
{
    size_t frames = (size_t)size.frames, constraints = (size_t)size.constraints, hinges = (size_t)size.hinges;
    int failed = 0;
    *s = (Simulation){.frame_count = size.frames, .constraint_count = size.constraints, .hinge_count = size.hinges};
    s->kinetic_energy = array_need(&failed, frames, 1, sizeof *s->kinetic_energy);
    s->potential_energy = array_need(&failed, frames, 1, sizeof *s->potential_energy);
    s->spring_energy = array_need(&failed, frames, 1, sizeof *s->spring_energy);
    s->momentum = array_need(&failed, frames, 1, sizeof *s->momentum);
    s->angular_momentum = array_need(&failed, frames, 1, sizeof *s->angular_momentum);
    s->constraint_joint = array_need(&failed, constraints, 1, sizeof *s->constraint_joint);
    s->constraint_to = array_need(&failed, constraints, 1, sizeof *s->constraint_to);
    s->constraint_force = array_need(&failed, frames, constraints, sizeof *s->constraint_force);
    s->constraint_couple = array_need(&failed, frames, constraints, sizeof *s->constraint_couple);
    s->hinge_joint = array_need(&failed, hinges, 1, sizeof *s->hinge_joint);
    s->hinge_position = array_need(&failed, frames, hinges, sizeof *s->hinge_position);
    s->hinge_velocity = array_need(&failed, frames, hinges, sizeof *s->hinge_velocity);
    s->hinge_acceleration = array_need(&failed, frames, hinges, sizeof *s->hinge_acceleration);
    if (!failed)
        return STATUS_OK;
    simulation_free(s);
    return error_no_memory(err);
}

void simulation_free(Simulation *s)
{
    if (!s)
        return;
    free(s->kinetic_energy);
    free(s->potential_energy);
    free(s->spring_energy);
    free(s->momentum);
    free(s->angular_momentum);
    free(s->constraint_joint);
    free(s->constraint_to);
    free(s->constraint_force);
    free(s->constraint_couple);
    free(s->hinge_joint);
    free(s->hinge_position);
    free(s->hinge_velocity);
    free(s->hinge_acceleration);
    *s = (Simulation){0};
}

Status particle_track_init(ParticleTrack *t, int frame_count, int particle_count, Error *err)
{
    size_t frames = (size_t)frame_count, particles = (size_t)particle_count;
    int failed = 0;
    *t = (ParticleTrack){.frame_count = frame_count, .particle_count = particle_count};
    t->joint = array_need(&failed, particles, 1, sizeof *t->joint);
    t->mass = array_need(&failed, particles, 1, sizeof *t->mass);
    t->position = array_need(&failed, frames, particles, sizeof *t->position);
    if (!failed)
        return STATUS_OK;
    particle_track_free(t);
    return error_no_memory(err);
}

void particle_track_free(ParticleTrack *t)
{
    if (!t)
        return;
    free(t->joint);
    free(t->mass);
    free(t->position);
    *t = (ParticleTrack){0};
}
