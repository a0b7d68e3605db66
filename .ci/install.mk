# How the programs are installed, and what a release consists of
# (docs/releasing.md).

# Installation.  Examples are the bots that begin with nothing but the protocol,
# and the kits: neither the built-in bots nor what they were tuned with.
.PHONY: install
TO = $(DESTDIR)$(PREFIX)
DOC = $(TO)/share/doc/scopa-arena
ZSH_FUNCTIONS ?= share/zsh/site-functions
EXAMPLES = $(patsubst bots/%/,%,$(filter-out bots/c/ bots/tune/,\
	$(wildcard bots/*/ bots/c/kit/)))
$(BUILD)/scopa.pc: FORCE
	@mkdir -p $(@D); printf '%s\n' 'prefix=$(PREFIX)' 'includedir=$${prefix}/include' \
	    'libdir=$${prefix}/$(LIBDIR)' '' 'Name: scopa' \
	    'Description: rules of the Scopa family of card games' \
	    'Version: $(VERSION)' 'Cflags: -I$${includedir}' \
	    'Libs: -L$${libdir} -lscopa' >$@
install: all man $(BUILD)/scopa.pc ## install below DESTDIR and PREFIX
	$(INSTALL) -d $(TO)/bin $(TO)/$(LIBDIR)/pkgconfig $(TO)/include/scopa \
	    $(TO)/share/man/man1 $(TO)/share/man/man3 $(TO)/share/man/man5 \
	    $(TO)/share/man/man7 $(DOC)/docs $(DOC)/examples \
	    $(TO)/share/bash-completion/completions $(TO)/$(ZSH_FUNCTIONS) \
	    $(TO)/share/fish/vendor_completions.d
	$(INSTALL) -m 755 $(PROGRAMS) $(TO)/bin
	$(INSTALL) -m 644 $(BUILD)/libscopa.a $(TO)/$(LIBDIR)
	$(INSTALL) -m 755 $(BUILD)/libscopa.so \
	    $(TO)/$(LIBDIR)/libscopa.so.$(VERSION)
	ln -sf libscopa.so.$(VERSION) $(TO)/$(LIBDIR)/$(SONAME)
	ln -sf $(SONAME) $(TO)/$(LIBDIR)/libscopa.so
	$(INSTALL) -m 644 $(PUBLIC_HEADERS) $(TO)/include/scopa
	$(INSTALL) -m 644 $(BUILD)/scopa.pc $(TO)/$(LIBDIR)/pkgconfig
	for section in 1 3 5 7; do \
	    $(INSTALL) -m 644 $(MAN)/*.$$section \
	        $(TO)/share/man/man$$section || exit 5; done
	$(BUILD)/scopa-arena completion bash \
	    >$(TO)/share/bash-completion/completions/scopa-arena
	$(BUILD)/scopa-arena completion zsh >$(TO)/$(ZSH_FUNCTIONS)/_scopa-arena
	$(BUILD)/scopa-arena completion fish \
	    >$(TO)/share/fish/vendor_completions.d/scopa-arena.fish
	$(INSTALL) -m 644 *.md LICENSE $(DOC)
	$(INSTALL) -m 644 docs/*.md docs/example.c docs/*.service $(DOC)/docs
	$(INSTALL) -m 644 bots/README.md $(DOC)/examples
	ln -sfn examples $(DOC)/bots # as the pages name it
	cd bots && find $(EXAMPLES) -name __pycache__ -prune -o -type f -exec \
	    cp --parents -t $(abspath $(DOC))/examples {} +

# The tarball of a release: what is committed.  xz has one thread, as its output
# depends on their number.
.PHONY: dist
DIST = $(BUILD)/dist
dist: ## make the tarball of the commit with its checksum, in $(BUILD)/dist
	@git diff --quiet HEAD || \
	    echo 'note: what is not committed is not in the tarball' >&2
	@rm -rf $(DIST) && mkdir -p $(DIST)
	@git -c tar.umask=0022 archive --prefix=scopa-arena-$(VERSION)/ HEAD | \
	    xz -T1 >$(DIST)/scopa-arena-$(VERSION).tar.xz
	@cd $(DIST) && sha256sum scopa-arena-$(VERSION).tar.xz >SHA256SUMS
	@cat $(DIST)/SHA256SUMS

# Debian packages: the sources are copied, with .ci/debian as their folder
# debian/ and a changelog of one entry.
.PHONY: deb
DEB = $(BUILD)/deb
DEB_TREE = $(DEB)/scopa-arena-$(VERSION)
LIST_SOURCES = if [ -e .git ]; then git ls-files -co --exclude-standard; \
	else find . -type f -not -path './build/*'; fi
deb: ## build the Debian packages, in $(BUILD)/deb
	@sh .ci/setup build dh:debhelper dpkg-buildpackage:dpkg-dev
	@rm -rf $(DEB) && mkdir -p $(DEB_TREE)
	@$(LIST_SOURCES) | xargs -d '\n' cp --parents -t $(DEB_TREE)
	@cp -R .ci/debian $(DEB_TREE)/debian
	@printf '%s\n\n  * %s\n\n%s  %s\n' \
	    'scopa-arena ($(VERSION)) unstable; urgency=medium' \
	    'Version $(VERSION); docs/CHANGELOG.md lists the changes.' \
	    " -- $$(sed -n 's/^Maintainer: //p' .ci/debian/control)" \
	    "$$(LC_ALL=C date -u -R -d '$(MAN_DATE)')" \
	    >$(DEB_TREE)/debian/changelog
	cd $(DEB_TREE) && unset MAKEFLAGS MAKELEVEL MFLAGS BUILD MODE CC \
	    WERROR && \
	    DEB_BUILD_OPTIONS='parallel=2 noautodbgsym' \
	    dpkg-buildpackage --build=binary --no-sign
