/*
 * What must be equal on two machines for their games to be the same: the
 * version of this program, of the protocol, and the SHA-256 of the sources that
 * decide games: the rules, the arena up to the match, and the built-in bots.
 * The build computes it, so it depends on no compiler, architecture or folder.
 */
#ifndef ENGINE_ID_H
#define ENGINE_ID_H

/* `0.2.0 usp=1 sources=HEX` */
const char *engine_id(void);

#endif
