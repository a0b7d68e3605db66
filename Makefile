# Scopa Arena.  `make help` lists what can be made.

VERSION := $(shell sed -n 's/^.define VERSION_NUMBER "\(.*\)"/\1/p' \
	arena/record/version.h)
SONAME = libscopa.so.0
LIBDIR ?= lib
MODE ?= release
ifeq ($(origin CC),default)
CC = gcc
endif
BUILD ?= build$(if $(filter-out release,$(MODE)),/$(MODE))
PREFIX ?= /usr/local
DESTDIR ?=
NM ?= nm
INSTALL ?= install
PKG_CONFIG ?= pkg-config

.DEFAULT_GOAL := all
.DELETE_ON_ERROR:
.SECONDEXPANSION:
.SUFFIXES:
MAKEFLAGS += --no-builtin-rules

# Modes: what each adds for the compiler and the linker.  Sanitized programs are no
# PIE, as to relocate their large data takes a quarter of their start.
MODES = release debug san cover fuzz profile
ifeq ($(filter $(MODE),$(MODES)),)
$(error MODE=$(MODE) is none of: $(MODES))
endif
SANITIZE = -fsanitize=address,undefined -fno-sanitize-recover=all \
	-fno-omit-frame-pointer
MODE_release = -O2 -g -Wframe-larger-than=262144
MODE_debug = -O0 -g3
MODE_san = -O1 -g -fno-pie $(SANITIZE)
MODE_cover = -O0 -g --coverage -fprofile-update=atomic
MODE_fuzz = -O1 -g $(SANITIZE) -fsanitize=fuzzer-no-link
MODE_profile = -O0 -g -fprofile-instr-generate -fcoverage-mapping
LINK_release = -Wl,-z,relro,-z,now
LINK_san = $(SANITIZE)
LINK_cover = --coverage
LINK_fuzz = $(SANITIZE)
LINK_profile = -fprofile-instr-generate

# Without this every count of the cards of a set would be a function call.
ifeq ($(shell uname -m),x86_64)
ARCH ?= -mpopcnt
endif
WARNINGS = -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wsign-conversion \
	-Wstrict-prototypes -Wmissing-prototypes -Wold-style-definition \
	-Wcast-qual -Wpointer-arith -Wwrite-strings -Wundef -Wvla -Wformat=2 \
	-Wswitch-enum -Wnull-dereference -Wimplicit-fallthrough \
	-Wdouble-promotion $(if $(filter 1,$(WERROR)),-Werror)
LANGUAGE = -std=c11 -D_GNU_SOURCE
FLAGS = $(LANGUAGE) $(MODE_$(MODE)) $(ARCH) $(WARNINGS) \
	-ffile-prefix-map=$(CURDIR)=. $(CFLAGS)
LINK = $(CC) -pthread $(LINK_$(MODE)) $(LDFLAGS)
LIBRARIES = libsodium libbsd sqlite3 libseccomp
# The command serve loads this library; SERVE=0 builds the program without it.
SERVE ?= $(shell $(PKG_CONFIG) --exists libmicrohttpd && echo 1 || echo 0)
# A store in a database loads this one; REMOTE=0 builds the program without it.
REMOTE ?= $(shell $(PKG_CONFIG) --exists libpq && echo 1 || echo 0)
LOADED = $(if $(filter 1,$(SERVE)),libmicrohttpd) $(if $(filter 1,$(REMOTE)),libpq)
TEST_LIBRARIES = cmocka
LIBRARY_FLAGS := $(patsubst -I%,-isystem%,$(shell $(PKG_CONFIG) --cflags \
	$(LIBRARIES) $(LOADED) 2>/dev/null))
LIBS := $(shell $(PKG_CONFIG) --libs $(LIBRARIES) 2>/dev/null) -lm
TEST_LIBS := $(shell $(PKG_CONFIG) --libs $(TEST_LIBRARIES) 2>/dev/null) $(LIBS)

# Layers: the folders of the sources, and the only ones whose headers each may
# include, besides its own.
SEES_engine = engine/include
SEES_arena/referee = engine/include
SEES_arena/os =
SEES_arena/sandbox = arena/os
SEES_arena/process = arena/os arena/sandbox
SEES_arena/stats =
SEES_arena/record = engine/include arena/referee
SEES_arena/match = $(SEES_arena/record) arena/record \
	$(SEES_arena/process) arena/process
SEES_arena/tournament = $(SEES_arena/match) arena/match arena/stats
SEES_arena/remote = $(SEES_arena/tournament) arena/tournament
SEES_arena/report = $(SEES_arena/tournament) arena/tournament
SEES_arena/serve = arena/os
SEES_arena/cli = $(SEES_arena/report) arena/report arena/serve arena/remote \
	$(filter bots/%,$(SEES_bots/c/players)) bots/c/players
SEES_bots/c/policy = engine/include
SEES_bots/c/search = $(SEES_bots/c/policy) bots/c/policy
SEES_bots/c/client = engine/include bots/c/search
SEES_bots/c/players = $(SEES_bots/c/search) bots/c/search bots/c/client
SEES_bots/tune = $(SEES_bots/c/players) bots/c/players
SEES_tests = $(SEES_arena/cli) arena/cli bots/tune tests/support
PURE = engine arena/referee arena/stats

# What a folder is compiled with: the rules are compiled for speed, and tests to
# be built soon; the pure layers know no library, and the others below arena/
# handle what bots send.
HARDEN_release = -D_FORTIFY_SOURCE=2 -fstack-protector-strong
FLAGS_engine = $(if $(filter release,$(MODE)),-O3)
FLAGS_arena = $(HARDEN_$(MODE)) $(LIBRARY_FLAGS)
FLAGS_tests = $(LIBRARY_FLAGS) $(TESTS_$(MODE))
TESTS_release = -O1
TESTS_san = -O0
# What an assertion says of our bugs nothing can reach.
FLAGS_profile = -DNDEBUG

# Of a source file: its folder, or `tests`; what it sees; how it is compiled.
top = $(firstword $(subst /, ,$1))
folder = $(if $(filter tests/%,$1),tests,$(patsubst %/,%,$(dir $1)))
layer = $(if $(filter arena/main.c,$1),arena/cli,$(call folder,$1))
sees = $(addprefix -I,$(SEES_$(call layer,$1)) $(call layer,$1) $(call folder,$1) \
	$(BUILD)/made/$(call folder,$1))
flags_of = $(call sees,$1) $(if $(filter $(PURE),$(call folder,$1)), \
	$(FLAGS_$(call folder,$1)),$(FLAGS_$(call top,$1))) \
	$(if $(filter-out tests,$(call top,$1)),$(FLAGS_$(MODE)))
objects = $(patsubst %.c,$(BUILD)/%.o,$1)
objects_in = $(call objects,$(filter-out $(MAINS) $(LEFT_OUT),$(sort $(wildcard \
	$(addsuffix /*.c,$1)))))

MAINS = arena/main.c bots/c/players/main.c bots/tune/fit.c
LEFT_OUT = $(if $(filter 1,$(SERVE)),arena/serve/http_none.c,arena/serve/http.c) \
	$(addprefix arena/remote/,$(if $(filter 1,$(REMOTE)),queue_none.c, \
	pg.c queue_postgres.c))
ENGINE = $(call objects_in,engine)
PROGRAMS = $(BUILD)/scopa-arena $(BUILD)/scopa-bot
ARCHIVES = $(BUILD)/libscopa.a $(BUILD)/arena.a $(BUILD)/bots.a
MEMBERS_libscopa = $(ENGINE)
MEMBERS_arena = $(call objects_in,arena arena/*)
# The folder bots/c/kit is a starter bot of its own.
MEMBERS_bots = $(call objects_in,$(filter-out bots/c/kit,$(wildcard bots/c/*)))
MEMBERS_tune = $(call objects_in,bots/tune)
MEMBERS_support = $(call objects_in,tests/support)
SOURCES := $(sort $(wildcard $(foreach folder,engine arena bots tests,\
	$(folder)/*.c $(folder)/*/*.c $(folder)/*/*/*.c)))
HEADERS := $(sort $(wildcard engine/include/scopa/*.h $(foreach folder,\
	engine arena bots tests,$(folder)/*.h $(folder)/*/*.h $(folder)/*/*/*.h)))

.PHONY: all programs FORCE
all: $(ARCHIVES) $(BUILD)/libscopa.so $(PROGRAMS)
programs: $(PROGRAMS)

# Files that change only when their text does: what depends on them is made again
# when flags or the list of sources change, and not otherwise.
update = @mkdir -p $(@D); printf '%s\n' '$1' | cmp -s - $@ || \
	printf '%s\n' '$1' >$@
$(BUILD)/flags: FORCE
	$(call update,$(CC) $(FLAGS) $(FLAGS_engine) $(LINK) $(VERSION))
$(BUILD)/sources: FORCE
	$(call update,$(filter-out $(LEFT_OUT),$(SOURCES)) $(PAGE_FILES))

# The libraries, or what to do about it.
$(BUILD)/libraries: $(BUILD)/flags
	@for name in $(LIBRARIES) $(LOADED) $(TEST_LIBRARIES); do \
	    $(PKG_CONFIG) --exists $$name || set -- $$* $$name; done; [ $$# = 0 ] || { \
	    printf 'error: libraries are missing: %s\n  try     : make setup\n' "$$*" >&2; exit 1; }
	@touch $@

# Tables: NAME.awk makes them, from the data (*.tsv) of its folder.  That of the
# starter bots also holds the files that its data lists, and those of the pages and
# of the scripts for shells the files of a folder.
TABLES := $(patsubst %.awk,$(BUILD)/made/%.inc,$(wildcard engine/*.awk bots/c/*/*.awk \
	arena/cli/*.awk arena/report/*.awk arena/remote/queue_schema.awk))
MADE = $(TABLES) $(ENGINE_DIGEST)
$(TABLES): $(BUILD)/made/%.inc: %.awk $$(wildcard $$(dir $$*)*.tsv)
	$(call say,AWK)awk -f $(filter-out $(BUILD)/%,$^) >$@
$(BUILD)/made/arena/cli/kits.inc: \
	$(shell awk -F '\t' '/^[a-z]/ { print $$4 }' arena/cli/kits.tsv)

$(BUILD)/made/arena/cli/completion.inc: $(wildcard arena/cli/completion/*)
$(BUILD)/made/arena/remote/queue_schema.inc: arena/remote/queue_schema.sql

PAGE_FILES = $(sort $(wildcard arena/report/page/*))
$(BUILD)/made/arena/report/page_file.inc: $(PAGE_FILES) $(BUILD)/sources

# The files that decide how games go, and the SHA-256 of the list of their names
# and SHA-256s.  All that play for one run must agree in it (engine_id), and it is
# the version of the built-in bots.
ENGINE_FILES := $(sort $(wildcard $(foreach folder,engine engine/include/scopa \
	$(filter arena/%,$(SEES_arena/match)) arena/match \
	$(filter bots/%,$(SEES_bots/c/players)) bots/c/players,\
	$(addprefix $(folder)/,*.c *.h *.awk *.tsv))))
ENGINE_DIGEST = $(BUILD)/made/arena/tournament/engine_digest.inc
$(ENGINE_DIGEST): arena/tournament/engine_digest.awk $(ENGINE_FILES) $(BUILD)/sources
	$(call say,SUM)sha256sum $(ENGINE_FILES) | sha256sum | awk -f $< >$@

# Commands are shown as one short line each, or whole with V=1.
say = $(if $(V),,@printf '  %-4s %s\n' $1 '$(@:$(CURDIR)/%=%)';) mkdir -p $(@D);
COMPILE = $(call say,CC)$(CC) $(FLAGS) -MMD -MP $(call flags_of,$<)
$(SOURCES:%.c=$(BUILD)/%.o): $(BUILD)/%.o: %.c $(BUILD)/flags | \
	$(BUILD)/libraries $(MADE)
	$(COMPILE) -c -o $@ $<
$(BUILD)/pic/%.o: %.c $(BUILD)/flags | $(MADE)
	$(COMPILE) -fPIC -fno-semantic-interposition -c -o $@ $<
-include $(SOURCES:%.c=$(BUILD)/%.d) $(ENGINE:$(BUILD)/%.o=$(BUILD)/pic/%.d)

# `q`: two folders may have a file of one name.
$(BUILD)/%.a: $$(MEMBERS_$$*) $(BUILD)/sources
	@rm -f $@
	$(call say,AR)$(AR) qcsD $@ $(filter %.o,$^)

# The shared library shows the names that begin with scopa_ and no others.
$(BUILD)/libscopa.so: $(ENGINE:$(BUILD)/%=$(BUILD)/pic/%) $(BUILD)/sources
	@printf '{ global: scopa_*; local: *; };\n' >$(BUILD)/libscopa.map
	$(call say,LINK)$(LINK) -shared -Wl,-soname,$(SONAME) \
	    -Wl,--version-script=$(BUILD)/libscopa.map -o $@ $(filter %.o,$^)

LINK_ALL = $(call say,LINK)$(LINK) $(if $(filter san,$(MODE)),-no-pie) -o $@ $(filter %.o %.a,$^)
$(BUILD)/scopa-arena: $(BUILD)/arena/main.o $(BUILD)/arena.a $(BUILD)/bots.a \
	$(BUILD)/libscopa.a
	$(LINK_ALL) $(LIBS)
$(BUILD)/scopa-bot: $(BUILD)/bots/c/players/main.o $(BUILD)/bots.a $(BUILD)/libscopa.a
	$(LINK_ALL) -lm

# What learns the numbers of the move policy (bots/tune/tune.sh).
FIT = $(BUILD)/bots/tune/fit
$(FIT): $(FIT).o $(BUILD)/tune.a $(BUILD)/bots.a $(BUILD)/libscopa.a
	$(LINK_ALL) -lm

# An argument for $(MAKE), unless this make was told itself how much to do at once.
ON_ALL_CORES = $(if $(filter -j%,$(MAKEFLAGS)),,-j$(shell nproc))

include tests/tests.mk

# Set-up and first steps.
.PHONY: setup setup-test demo help
setup: ## install the Debian packages that are missing
	@CC='$(CC)' sh .ci/setup build
setup-test:
	@CC='$(CC)' sh .ci/setup build test
demo: setup ## set up, build, play a first match
	@$(MAKE) --no-print-directory $(ON_ALL_CORES) programs
	@$(BUILD)/scopa-arena match @greedy @random

help: ## show this
	@echo 'make [TARGET] [MODE=$(subst $() ,|,$(MODES))] [CC=gcc|clang]'
	@echo '     [BUILD=DIR] [PREFIX=DIR] [DESTDIR=DIR] [WERROR=1] [V=1]'
	@echo
	@echo '  all           libraries and programs, in $(BUILD)/ (default)'
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  %-13s %s\n", $$1, $$2 }' \
	    $(MAKEFILE_LIST)
	@echo '  test-NAME     run one file of tests, test_NAME.c or NAME.sh'

include docs/manual.mk

include .ci/install.mk

include .ci/lint.mk

.PHONY: clean
clean: ## remove what was built
	rm -rf $(BUILD)
