# Completion of scopa-arena in fish.
function __scopa_arena_complete
	set -l words (commandline -opc)
	set -l program $words[1]
	set -e words[1]
	set -l last (commandline -ct)
	for line in ($program completion candidates $words "$last" \
			2>/dev/null)
		if not string match -q ':*' -- $line
			echo $line
			continue
		end
		set -l start (string replace -r '^:\w+ ' '' -- $line)
		set -l first (math (string length -- $start) + 1)
		set -l path (string sub -s $first -- $last)
		if string match -q ':folders*' -- $line
			printf "$start%s\n" (__fish_complete_directories $path)
		else
			printf "$start%s\n" (__fish_complete_path $path)
		end
	end
end
complete -c scopa-arena -f -a '(__scopa_arena_complete)'
