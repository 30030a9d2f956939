# What a target needs besides a shell and make, checked before anything runs: the set of packages that has it
# (`make setup-SET`, scripts/setup.sh), then programs, and headers on Debian.
# Tests that skip what is not installed are not listed.
NEEDS_all           := build $(if $(filter default,$(origin CC)),gcc) hdf5/serial/hdf5.h assimp/cimport.h sqlite3.h sleef.h \
    openssl/evp.h expat.h xxhash.h zlib.h
NEEDS_package       := $(NEEDS_all)
NEEDS_install       := $(NEEDS_all)
NEEDS_unit-tests    := test $(wordlist 2,99,$(NEEDS_all)) cmocka.h mujoco/mujoco.h
NEEDS_real-tests    := $(NEEDS_unit-tests)
NEEDS_test          := $(NEEDS_unit-tests)
NEEDS_cli-tests     := $(NEEDS_unit-tests) jq sqlite3
NEEDS_docs          := test python3 aspell
NEEDS_web           := web em-config emcc node npm xxhash.h zlib.h
NEEDS_web-tests     := ci $(wordlist 2,99,$(NEEDS_web))
NEEDS_page          := page node npm
NEEDS_page-tests    := ci node npm
NEEDS_blender-addon := web python3
NEEDS_lint          := long gcc clang cppcheck clang-tidy
NEEDS_lint-quick    := ci cppcheck
NEEDS_fuzz          := ci clang
NEEDS_bench-scenes  := bench gcc mujoco/mujoco.h
NEEDS_site          := site mkdocs em-config emcc node npm python3
RELEASE_TOOLS       := $(wordlist 2,99,$(NEEDS_all)) node npm em-config git xz python3
NEEDS_release       := release $(RELEASE_TOOLS) patchelf dpkg-buildpackage dh lintian aarch64-linux-gnu-gcc qemu-aarch64
NEEDS_release-source := release $(RELEASE_TOOLS)
NEEDS_release-page  := release $(RELEASE_TOOLS)
NEEDS_release-npm   := release $(RELEASE_TOOLS)
NEEDS_release-linux-x86_64 := release $(RELEASE_TOOLS) patchelf
NEEDS_release-linux-aarch64 := $(NEEDS_release-linux-x86_64) aarch64-linux-gnu-gcc qemu-aarch64
NEEDS_release-container := $(NEEDS_release-linux-x86_64)
NEEDS_release-wheel := $(NEEDS_release-linux-x86_64)
NEEDS_release-wheel-aarch64 := $(NEEDS_release-linux-aarch64)
NEEDS_release-python-source := release $(RELEASE_TOOLS)
NEEDS_release-blender := $(NEEDS_all)
NEEDS_release-deb   := release $(RELEASE_TOOLS) dpkg-buildpackage dh lintian
NEEDS_release-deb-arm64 := $(NEEDS_release-deb) aarch64-linux-gnu-gcc qemu-aarch64
NEEDS_package-tests := $(NEEDS_all)

# n: a program or header.
found_program = $(wildcard $(addsuffix /$(n),$(subst :, ,$(PATH))))
found_header  = $(or $(SYSROOT),$(if $(wildcard /etc/debian_version),,elsewhere),$(wildcard /usr/include/$(n) /usr/include/*/$(n) /usr/local/include/$(n)))
lacking = $(strip $(foreach n,$(wordlist 2,99,$(NEEDS_$(1))),$(if $(if $(filter %.h,$(n)),$(found_header),$(found_program)),,$(n))))
require = $(if $(call lacking,$(1)),$(error make $(1) needs $(call lacking,$(1)): `make setup-$(firstword $(NEEDS_$(1)))` installs what is missing))
$(foreach goal,$(or $(MAKECMDGOALS),all),$(call require,$(goal)))

setup: ## list the sets of packages; make setup-web installs what make web needs
	@scripts/setup.sh list

setup-%: # the set %
	scripts/setup.sh $*
.PHONY: setup
