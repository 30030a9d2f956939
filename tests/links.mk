# What each program of tests/ links besides kane itself: LINK_<program> are flags, LIBRARY_<program> stands in for
# build/libkane.a. A program that is not here needs nothing more (tests have cmocka).
comma := ,
WRAPPED := malloc calloc realloc reallocarray aligned_alloc strdup strndup asprintf open_memstream fopen

# The engine that torques are compared with.
LINK_test_mujoco_inverse     := -lmujoco
LINK_test_mujoco_model       := -lmujoco
LINK_test_mujoco_mjcf        := -lmujoco
LINK_test_mujoco_scene       := -lmujoco
LINK_bench_mujoco_inverse    := -lmujoco
# Dense systems of equations.
LINK_test_lapacke_joint_tree := -llapacke
# Calls of its own in place of those that allocate.
LINK_test_allocation         := $(WRAPPED:%=-Wl$(comma)--wrap=%)
# The library as it is installed.
LIBRARY_test_library         := $(BUILD)/package/libkane.a
