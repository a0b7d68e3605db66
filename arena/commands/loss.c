#include "loss.h"

#include <string.h>
#include <sys/wait.h>

#include "complaint.h"

enum status
loss_complain(int wait_status, int game_count)
{
	if (WIFSIGNALED(wait_status))
		complaint_say("a worker process of the arena was ended by "
			      "signal %d (%s)",
		    WTERMSIG(wait_status), strsignal(WTERMSIG(wait_status)));
	else
		complaint_say("a worker process of the arena ended with exit "
			      "status %d",
		    WEXITSTATUS(wait_status));
	if (game_count > 0)
		complaint_add("where", "%d game%s that it played %s lost",
		    game_count, game_count == 1 ? "" : "s",
		    game_count == 1 ? "is" : "are");
	complaint_add("hint",
	    "somebody killed it, or memory ran out (see dmesg), or this is "
	    "an error in the arena");
	return STATUS_ENVIRONMENT;
}
