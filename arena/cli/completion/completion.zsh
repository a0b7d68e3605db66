#compdef scopa-arena
# Completion of scopa-arena in zsh.
_scopa_arena() {
	local line word start
	local -a lines whole begun
	lines=(${(f)"$(${(Q)~words[1]} completion candidates \
		"${(@Q)words[2,CURRENT-1]}" "${(Q)PREFIX}" \
		2>/dev/null)"})
	for line in $lines; do
		word=${line%%$'\t'*}
		case $word in
		:*) ;;
		*[=:,.]) begun+=("${word//:/\\:}:${line#*$'\t'}") ;;
		*) whole+=("${word//:/\\:}:${line#*$'\t'}") ;;
		esac
	done
	(( $#whole )) && _describe word whole
	(( $#begun )) && _describe word begun -S ''
	for line in ${(M)lines:#:*}; do
		start=${line#* }
		compset -p $#start
		case $line in
		:files*) _files ;;
		:folders*) _files -/ ;;
		esac
	done
}
if [[ $funcstack[1] == _scopa-arena ]]; then
	_scopa_arena "$@"
else
	compdef _scopa_arena scopa-arena
fi
