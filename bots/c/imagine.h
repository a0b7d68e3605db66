/*
 * A whole deal out of what one seat knows.
 */
#ifndef SCOPA_BOT_IMAGINE_H
#define SCOPA_BOT_IMAGINE_H

#include "scopa/view.h"

/*
 * A deal that agrees with the view, the seat of the view to move; the cards
 * that it cannot see lie in canonical order.  False, and *deal left alone,
 * where the view contradicts itself: cards missing or too many.
 */
bool imagine_deal(const struct scopa_rules *rules,
    const struct scopa_view *view, struct scopa_deal *deal);

#endif
