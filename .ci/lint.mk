# The layout of the sources, clang-tidy, and shellcheck; part of the Makefile.

.PHONY: format format-check
LAID_OUT = $(SOURCES) $(HEADERS) docs/example.c
format: ## lay out all C code
	clang-format -i $(LAID_OUT)
format-check: ## fail where `make format` would change something
	@clang-format --dry-run --Werror $(LAID_OUT)

# One file at a time: clang-tidy 14 takes a va_list for uninitialised in every
# file but the first of a run.  The analyzer takes most of the time; without it,
# `make tidy-fast` takes half a minute.
TIDY = $(patsubst %,tidy/%,$(filter-out tests/% bots/c/kit/test_bot.c, \
	$(SOURCES)))
.PHONY: $(TIDY) tidy tidy-fast
$(TIDY): tidy/%: % | $(MADE)
	@echo '  TIDY $<'
	@clang-tidy --quiet $(TIDY_CHECKS) $< -- $(LANGUAGE) $(ARCH) \
	    $(call sees,$<) $(LIBRARY_FLAGS) 2>/dev/null
tidy-fast: TIDY_CHECKS = --checks='-clang-analyzer-*'
tidy-fast: tidy ## run clang-tidy without its analyzer
tidy: $(TIDY) ## run clang-tidy over all sources

# A process for each script: one that is given many takes five times as long.
# Scenarios may lack a first line, as run.sh starts them with bash.
SCENARIOS = $(wildcard tests/e2e/*.sh tests/e2e/*.bash)
SCRIPTS = $(wildcard .ci/run .ci/setup arena/cli/completion/*.bash bots/sh/*.sh \
	bots/java/bot bots/tune/*.sh tests/*.sh tests/fuzz/*.sh)
.PHONY: shell-check
shell-check: ## run shellcheck over all shell scripts
	@printf '%s\n' $(SCRIPTS) | xargs -n 1 -P "$$(nproc)" shellcheck -f gcc
	@printf '%s\n' $(SCENARIOS) | xargs -n 1 -P "$$(nproc)" shellcheck -f gcc \
	    -s bash -e SC1090,SC1091,SC2119,SC2120,SC2154,SC2317
