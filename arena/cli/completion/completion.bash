# Completion of scopa-arena in bash.
_scopa_arena() {
	local rest=${COMP_LINE:0:COMP_POINT} part line word last i
	local -a words=()
	for ((i = 0; i <= COMP_CWORD; i++)); do
		part=${COMP_WORDS[i]}
		if [[ ${#words[@]} -eq 0 || $rest == [[:blank:]]* ]]; then
			words+=('')
		fi
		rest=${rest#"${rest%%[![:blank:]]*}"}
		[[ $rest == "$part"* ]] || part=$rest
		rest=${rest#"$part"}
		words[${#words[@]} - 1]+=$part
	done
	last=${words[${#words[@]} - 1]}
	COMPREPLY=()
	while IFS= read -r line; do
		word=${line%%$'\t'*}
		case $line in
		:files*) compopt -o default ;;
		:folders*) compopt -o dirnames ;;
		*)
			COMPREPLY+=("${word:${#last} - ${#2}}")
			[[ $word != *[=:,.] ]] || compopt -o nospace ;;
		esac
	done < <("${words[0]/#\~/$HOME}" completion candidates \
		"${words[@]:1}" 2>/dev/null)
}
complete -F _scopa_arena scopa-arena
