# shellcheck shell=bash
# Bots with vices, made in the current folder: `./vicious VICE`.  Without a vice
# it plays its first legal move and keeps what it heard in the file `heard`.

cat >vicious <<'BOT'
#!/bin/sh
vice=$1

# Before the handshake is answered.
case $vice in
mute) exec sleep 1000 ;;
exits) exit 3 ;;
crashes) kill -SEGV $$ ;;
deaf) exec sleep 1000 <&- ;;
stalls) echo 'id name=stalls'; exec sleep 1000 ;;
newer) printf 'id name=newer\nuspok 2\n'; exec sleep 1000 ;;
binary) printf '\001\377\n'; exec sleep 1000 ;;
babbles) exec yes babble ;;
wails) echo 'a line of the traceback' >&2; exit 1 ;;
esac

# In place of an answer, or before it.
act() {
	case $vice in
	dies) kill -KILL $$ ;;
	leaves) exit 7 ;;
	gives-up) echo 'error fatal # no idea' ;;
	breaks-off) printf 'move %s' "$move"; exit 0 ;;
	closes) exec >&- 2>&-; exec sleep 1000 ;;
	sleeps) exec sleep 1000 ;;
	stops) kill -STOP $$ ;;
	cheats) move=KDxKC3S ;;
	mumbles) move=nonsense ;;
	floods) exec yes flood ;;
	floods-long) exec tr '\0' x </dev/zero ;;
	nul) printf 'move %s\0\n' "$move" ;;
	escapes) printf '\033[31mred\n' ;;
	chats)
		echo '# a comment'
		echo 'what is this'
		echo "info value=0.5 # sure"
		;;
	doubles) echo "move $move $turn" ;;
	guesses) echo "move $move turn=0123456789abcdef" ;;
	wrong-id) turn=turn=0123456789abcdef ;;
	answers-leaves) echo "move $move $turn"; exit 0 ;;
	orphans) sleep 1000 & exit 0 ;;
	haunts) (sleep 0.2; yes "move $move") & exit 0 ;;
	windows) printf 'move %s %s\r\n' "$move" "$turn"; return 1 ;;
	drips)
		line="move $move"
		while [ -n "$line" ]; do
			printf %.1s "$line"
			line=${line#?}
		done
		echo
		return 1
		;;
	comments) exec yes '# so' ;;
	blanks) exec yes '' ;;
	fits) printf '#%04095d\n' 0 ;;
	too-long) printf '#%04096d\n' 0 ;;
	wails-on) dd if=/dev/zero bs=65536 count=4 2>&1 | tr '\0' x >&2 ;;
	late) sleep 1.6 ;;
	esac
	return 0
}

while read -r verb first rest; do
	[ -n "$vice" ] || echo "$verb $first $rest" >>heard
	case $verb in
	usp) printf 'id name=%s\nuspok 1\n' "${vice:-honest}" ;;
	isready) echo readyok ;;
	legal) move=$first ;;
	go)
		turn=$first
		act && echo "move $move $turn"
		;;
	quit)
		case $vice in
		stays) exec sleep 1000 ;;
		dies-on-quit) kill -SEGV $$ ;;
		shouts-on-quit) exec yes quit ;;
		leaves-child) sleep 1000 & ;;
		esac
		exit 0
		;;
	esac
done
[ "$vice" != stays ] || exec sleep 1000
BOT
chmod +x vicious
