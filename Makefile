# Scopa Arena.  `make help` lists what can be made.

VERSION := $(shell sed -n 's/^.define VERSION_NUMBER "\(.*\)"/\1/p' \
	arena/version.h)
SONAME = libscopa.so.0

MODE ?= release
ifeq ($(origin CC),default)
CC = gcc
endif
ifeq ($(MODE),release)
BUILD ?= build
else
BUILD ?= build/$(MODE)
endif
PREFIX ?= /usr/local
DESTDIR ?=
NM ?= nm
FUZZ_SECONDS ?= 10

.DEFAULT_GOAL := all
.DELETE_ON_ERROR:
.SUFFIXES:
MAKEFLAGS += --no-builtin-rules

# Modes: what each adds for the compiler, and for the linker.
MODES = release debug san cover fuzz
ifeq ($(filter $(MODE),$(MODES)),)
$(error MODE=$(MODE) is none of: $(MODES))
endif
FRAME = -Wframe-larger-than=262144
HARDEN = -D_FORTIFY_SOURCE=2 -fstack-protector-strong
SANITIZE = -fsanitize=address,undefined -fno-sanitize-recover=all \
	-fno-omit-frame-pointer
MODE_release = -O2 -g $(FRAME)
MODE_debug = -O0 -g3 $(FRAME)
MODE_san = -O1 -g $(SANITIZE)
MODE_cover = -O0 -g --coverage
MODE_fuzz = -O1 -g $(SANITIZE) -fsanitize=fuzzer-no-link
LINK_release = -Wl,-z,relro,-z,now
LINK_san = $(SANITIZE)
LINK_cover = --coverage
LINK_fuzz = $(SANITIZE)

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
LINK = $(LINK_$(MODE)) $(LDFLAGS)

# Libraries of the system.
LIBRARIES = libsodium libbsd
TEST_LIBRARIES = cmocka
PKG_CONFIG ?= pkg-config
LIBRARY_FLAGS := $(shell $(PKG_CONFIG) --cflags $(LIBRARIES) 2>/dev/null)
LIBRARY_LINK := $(shell $(PKG_CONFIG) --libs $(LIBRARIES) 2>/dev/null)
TEST_FLAGS := $(shell $(PKG_CONFIG) --cflags $(TEST_LIBRARIES) 2>/dev/null)
TEST_LINK := $(shell $(PKG_CONFIG) --libs $(TEST_LIBRARIES) 2>/dev/null)

# Rooms: folder, archive, and the only folders whose headers a room may see.
ROOMS = engine referee host arena commands bots
FOLDER_engine = engine
FOLDER_referee = arena/referee
FOLDER_host = arena/host
FOLDER_arena = arena
FOLDER_commands = arena/commands
FOLDER_bots = bots/c
ARCHIVE_engine = $(BUILD)/libscopa.a
ARCHIVE_referee = $(BUILD)/referee.a
ARCHIVE_host = $(BUILD)/host.a
ARCHIVE_arena = $(BUILD)/arena.a
ARCHIVE_commands = $(BUILD)/commands.a
ARCHIVE_bots = $(BUILD)/bots.a
SEES_engine = engine/include
SEES_referee = engine/include arena/referee
SEES_host = arena/host
SEES_arena = engine/include arena/referee arena/host arena
SEES_commands = $(SEES_arena) arena/commands bots/c
SEES_bots = engine/include bots/c
SEES_tests = $(SEES_commands) tests

# What a room links with: itself and all below it, from top to bottom.
USES_engine = engine
USES_referee = referee engine
USES_host = host
USES_arena = arena referee host engine
USES_commands = commands bots arena referee host engine
USES_bots = bots engine

# The pure rooms know no library; the others handle what bots send.
EXTRA_release = $(HARDEN)
EXTRA_host = $(EXTRA_$(MODE)) $(LIBRARY_FLAGS)
EXTRA_arena = $(EXTRA_$(MODE)) $(LIBRARY_FLAGS)
EXTRA_commands = $(EXTRA_$(MODE)) $(LIBRARY_FLAGS)
EXTRA_tests = $(LIBRARY_FLAGS) $(TEST_FLAGS)

MAINS = arena/main.c bots/c/main.c
$(foreach room,$(ROOMS),$(eval SOURCES_$(room) := \
	$(filter-out $(MAINS),$(sort $(wildcard $(FOLDER_$(room))/*.c)))))
$(foreach room,$(ROOMS),$(eval OBJECTS_$(room) = \
	$(SOURCES_$(room):%.c=$(BUILD)/%.o)))
archives = $(foreach room,$(USES_$1),$(if $(SOURCES_$(room)),$(ARCHIVE_$(room))))

PUBLIC_HEADERS := $(sort $(wildcard engine/include/scopa/*.h))
TEST_SOURCES := $(sort $(wildcard tests/test_*.c))
FUZZ_SOURCES := $(sort $(wildcard tests/fuzz_*.c))
HELPER_SOURCES := $(filter-out $(TEST_SOURCES) $(FUZZ_SOURCES),\
	$(sort $(wildcard tests/*.c)))
TESTS := $(TEST_SOURCES:%.c=$(BUILD)/%)
FUZZERS := $(FUZZ_SOURCES:%.c=$(BUILD)/%)

SHARED = $(if $(SOURCES_engine),$(BUILD)/libscopa.so)
PROGRAMS = $(if $(wildcard arena/main.c),$(BUILD)/scopa-arena) \
	$(if $(wildcard bots/c/main.c),$(BUILD)/scopa-bot)

.PHONY: all
all: $(call archives,commands) $(SHARED) $(PROGRAMS)

# A file that changes only when its text does: whatever depends on it is made
# anew when flags or the list of sources change, and not otherwise.
stamp = $(if $(call same,$(file <$1),$2),,$(file >$1,$2))
same = $(and $(findstring x$1x,x$2x),$(findstring x$2x,x$1x))
ifneq ($(filter-out help clean setup setup-test format format-check tidy \
	demo test cover fuzz,$(or $(MAKECMDGOALS),all)),)
ifneq ($(shell mkdir -p $(sort $(BUILD)/tests \
	$(foreach room,$(ROOMS),$(BUILD)/$(FOLDER_$(room)) \
	$(BUILD)/pic/$(FOLDER_$(room)))) && echo made),made)
$(error cannot make the folder $(BUILD))
endif
$(call stamp,$(BUILD)/flags,$(CC) $(FLAGS) $(LINK) $(VERSION))
$(foreach room,$(ROOMS),$(call stamp,$(BUILD)/$(room).list,$(OBJECTS_$(room))))
endif

# The libraries, or what to do about it.
$(BUILD)/libraries: $(BUILD)/flags
	@$(PKG_CONFIG) --exists $(LIBRARIES) || { \
	    echo 'error: a library is missing: $(LIBRARIES)' >&2; \
	    echo '  try     : make setup' >&2; exit 1; }
	@touch $@

$(BUILD)/test-libraries: $(BUILD)/libraries
	@$(PKG_CONFIG) --exists $(TEST_LIBRARIES) || { \
	    echo 'error: a library is missing: $(TEST_LIBRARIES)' >&2; \
	    echo '  try     : make setup' >&2; exit 1; }
	@touch $@

# Commands are shown as one short line each, or whole with V=1.
say = $(if $(V),,@printf '  %-4s %s\n' $1 '$(@:$(CURDIR)/%=%)';)
COMPILE = $(call say,CC)$(CC) $(FLAGS) -MMD -MP
includes = $(addprefix -I,$(SEES_$1))

# The objects and the archive of one room.
define room_rules
$(BUILD)/$(FOLDER_$1)/%.o: $(FOLDER_$1)/%.c $(BUILD)/flags $2
	$$(COMPILE) $$(call includes,$1) $$(EXTRA_$1) -c -o $$@ $$<
$(ARCHIVE_$1): $$(OBJECTS_$1) $(BUILD)/$1.list
	@rm -f $$@
	$$(call say,AR)$$(AR) rcsD $$@ $$(OBJECTS_$1)
-include $$(OBJECTS_$1:.o=.d)
endef
$(eval $(call room_rules,engine))
$(eval $(call room_rules,referee))
$(eval $(call room_rules,host,| $(BUILD)/libraries))
$(eval $(call room_rules,commands,| $(BUILD)/libraries))
$(eval $(call room_rules,bots))
$(eval $(call room_rules,arena,| $(BUILD)/libraries))
-include $(MAINS:%.c=$(BUILD)/%.d)

$(BUILD)/arena/main.o: SEES_arena = $(SEES_commands)

# The shared library shows the names that begin with scopa_ and no others.
PIC_OBJECTS = $(SOURCES_engine:%.c=$(BUILD)/pic/%.o)
$(BUILD)/pic/engine/%.o: engine/%.c $(BUILD)/flags
	$(COMPILE) -fPIC -fno-semantic-interposition $(call includes,engine) \
	    -c -o $@ $<
-include $(PIC_OBJECTS:.o=.d)

$(BUILD)/libscopa.map: $(BUILD)/flags
	@printf '{ global: scopa_*; local: *; };\n' >$@

$(BUILD)/libscopa.so: $(PIC_OBJECTS) $(BUILD)/libscopa.map $(BUILD)/engine.list
	$(call say,LINK)$(CC) -shared $(LINK) -Wl,-soname,$(SONAME) \
	    -Wl,--version-script=$(BUILD)/libscopa.map -o $@ $(PIC_OBJECTS)

$(BUILD)/scopa.pc: $(BUILD)/flags Makefile
	@printf '%s\n' 'prefix=$(PREFIX)' 'includedir=$${prefix}/include' \
	    'libdir=$${prefix}/lib' '' 'Name: scopa' \
	    'Description: rules of the Scopa family of card games' \
	    'Version: $(VERSION)' 'Cflags: -I$${includedir}' \
	    'Libs: -L$${libdir} -lscopa' >$@

$(BUILD)/scopa-arena: $(BUILD)/arena/main.o $(call archives,commands)
	$(call say,LINK)$(CC) $(LINK) -o $@ $^ $(LIBRARY_LINK) -lm

$(BUILD)/scopa-bot: $(BUILD)/bots/c/main.o $(call archives,bots)
	$(call say,LINK)$(CC) $(LINK) -o $@ $^

# Tests.  A test is linked with the rooms whose headers it includes and with
# what these use, so that a room that does not build at the moment fails its
# own tests only.  Sources under tests/ that are no test are helpers of all.
$(foreach room,$(ROOMS),$(eval NAMES_$(room) := \
	$(patsubst %,"%",$(notdir $(wildcard $(FOLDER_$(room))/*.h)))))
NAMES_engine += "scopa/%
NAMES_commands += "%.c" $(patsubst %,"%",$(notdir $(wildcard tests/*.h)))
wants = $(sort $(foreach room,$(ROOMS),$(if \
	$(filter $(NAMES_$(room)),$(file <$1)),$(USES_$(room)))))
test_archives = $(foreach room,$(filter $(call wants,$1),$(USES_commands)),\
	$(if $(SOURCES_$(room)),$(ARCHIVE_$(room))))

$(BUILD)/tests/%.o: tests/%.c $(BUILD)/flags | $(BUILD)/test-libraries
	$(COMPILE) $(call includes,tests) $(EXTRA_tests) -c -o $@ $<
-include $(patsubst %.c,$(BUILD)/%.d,$(wildcard tests/*.c))

HELPER_OBJECTS = $(HELPER_SOURCES:%.c=$(BUILD)/%.o)
HELPERS = $(if $(HELPER_SOURCES),$(BUILD)/tests/helpers.a)
$(BUILD)/tests/helpers.a: $(HELPER_OBJECTS)
	@rm -f $@
	$(call say,AR)$(AR) rcsD $@ $^

define test_rule
$(BUILD)/$1: $(BUILD)/$1.o $(HELPERS) $(call test_archives,$1.c)
	$$(call say,LINK)$$(CC) $$(LINK) $2 -o $$@ $$^ $$(TEST_LINK) $$(LIBRARY_LINK) -lm
endef
$(foreach test,$(TEST_SOURCES:.c=),$(eval $(call test_rule,$(test))))
$(foreach test,$(FUZZ_SOURCES:.c=),\
	$(eval $(call test_rule,$(test),-fsanitize=fuzzer)))

.PHONY: tests
tests: $(TESTS)

# One test by name: `make test-card` builds and runs tests/test_card.c.
test-%: $(BUILD)/tests/test_%
	SCOPA_ARENA=$(abspath $(BUILD))/scopa-arena SRC=$(CURDIR) $<

.PHONY: clean
clean:
	rm -rf $(BUILD)
