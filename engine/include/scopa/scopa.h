/* libscopa: the rules of the Scopa games.  Includes every public header. */
#ifndef SCOPA_SCOPA_H
#define SCOPA_SCOPA_H

#include "scopa/access.h"
#include "scopa/card.h"
#include "scopa/deal.h"
#include "scopa/move.h"
#include "scopa/nearest.h"
#include "scopa/notation.h"
#include "scopa/rules.h"
#include "scopa/score.h"
#include "scopa/text.h"
#include "scopa/view.h"

#endif
