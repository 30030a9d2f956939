# What each program of tests/ links besides kane itself: LINK_<program> are flags, LIBRARY_<program> stands in for
# build/libkane.a. A program that is not here needs nothing more (tests have cmocka).
comma := ,
WRAPPED := malloc calloc realloc reallocarray aligned_alloc strdup strndup asprintf open_memstream fopen

# The engine that torques are compared with.
LINK_physics_tests         := -lmujoco
LINK_bench_mujoco_inverse  := -lmujoco
LINK_bench_scenes          := -lmujoco
# Calls of its own in place of those that allocate.
LINK_faults_tests          := $(WRAPPED:%=-Wl$(comma)--wrap=%)
# The library as it is installed.
LIBRARY_library_tests      := $(BUILD)/package/libkane.a
# Parts of the program, which are not in the library.
$(BUILD)/tests/unit/batch_tests: $(filter-out %/main.o,$(PROGRAM:%.c=$(BUILD)/%.o))
