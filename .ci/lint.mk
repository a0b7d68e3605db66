# The layout of the sources, and clang-tidy over them; part of the Makefile.

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
