# What each program of tests/ links besides kane: LINK_<program> are flags, LIBRARY_<program> replaces the archives
# build/libkane_scene.a and build/libkane.a. Programs not listed here require nothing more (tests link cmocka).
comma := ,
WRAPPED := malloc calloc realloc reallocarray aligned_alloc strdup strndup asprintf open_memstream fopen

# Reference engine for torques.
LINK_physics_tests         := -lmujoco
LINK_bench_mujoco_inverse  := -lmujoco
LINK_bench_scenes          := -lmujoco
# The reference of the reader and the writer of clip files.
LINK_container_tests       := $(HDF5_LIBS)
LINK_frames_tests          := $(HDF5_LIBS)
LINK_write_sample          := $(HDF5_LIBS)
# Nothing of libkane.a needs the archive of scenes.
LIBRARY_package_tests      := -Wl,--whole-archive $(BUILD)/libkane.a -Wl,--no-whole-archive
# Wraps the allocation functions.
LINK_faults_tests          := $(WRAPPED:%=-Wl$(comma)--wrap=%)
# The installed library.
LIBRARY_library_tests      := $(BUILD)/package/libkane.a
# Parts of the programs that are not in the library.
$(BUILD)/tests/unit/scene_helper_tests: $(BUILD)/scene_helper/sandbox.o $(BUILD)/scene_helper/collada_names.o
$(BUILD)/tests/unit/batch_tests: $(filter-out %/main.o,$(PROGRAM:%.c=$(BUILD)/%.o))
