# The manual.  The program itself writes the pages of section 1: scopa-arena(1),
# which names a page for each command or group of commands.  The others are made
# of the documents, and of the headers of libscopa.
.PHONY: man
MAN = $(BUILD)/man
PAGES = scopa-arena.1 scopa-bot.1 libscopa.3 scopa-record.5 usp.7
MAN_DATE := $(shell sed -n 's/^.define VERSION_DATE "\(.*\)"/\1/p' \
	arena/record/version.h)
PAGE = awk -f docs/man.awk -v date='$(MAN_DATE)' \
	-v source='scopa-arena $(VERSION)'
man: $(addprefix $(MAN)/,$(PAGES)) ## write the manual pages, in $(BUILD)/man
$(MAN)/scopa-arena.1: $(BUILD)/scopa-arena
	@rm -f $(MAN)/scopa-arena*.1
	$(call say,MAN)$< help --man >$@
	@for name in $$(sed -n 's/^\.Xr scopa-arena-\([a-z-]*\) 1.*/\1/p' $@); do \
	    $< help --man $$name >$(MAN)/scopa-arena-$$name.1 || exit 5; done
$(MAN)/scopa-bot.1: docs/scopa-bot.md docs/man.awk arena/record/version.h
	$(call say,MAN)$(PAGE) -v name=scopa-bot -v section=1 \
	    -v also='scopa-arena(1) scopa-arena-bot(1) usp(7)' $< >$@
PUBLIC_HEADERS := $(sort $(wildcard engine/include/scopa/*.h))
$(MAN)/libscopa.3: docs/libscopa.md $(PUBLIC_HEADERS) docs/header.awk \
	docs/man.awk arena/record/version.h
	$(call say,MAN)awk -f docs/header.awk $(PUBLIC_HEADERS) | $(PAGE) \
	    -v name=libscopa -v section=3 -v also='scopa-arena(1) usp(7)' $< - >$@
$(MAN)/scopa-record.5: docs/records.md docs/man.awk arena/record/version.h
	$(call say,MAN)$(PAGE) -v name=scopa-record -v section=5 \
	    -v also='scopa-arena(1) scopa-arena-record(1) usp(7)' $< >$@
$(MAN)/usp.7: protocol.md docs/man.awk arena/record/version.h
	$(call say,MAN)$(PAGE) -v name=usp -v section=7 \
	    -v also='scopa-arena(1) libscopa(3) scopa-record(5)' $< >$@
