/*
 * What is said when a worker process has died.
 */
#ifndef LOSS_H
#define LOSS_H

#include "status.h"

/*
 * By its wait status, and the games that died with it: STATUS_ENVIRONMENT.
 */
enum status loss_complain(int wait_status, int game_count);

#endif
