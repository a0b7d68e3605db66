# Goal: bots in the usual languages play in the default sandbox of this machine
# without changes, and can use the features of their run-time systems: threads,
# children, time zones, generated code.
# Release: interpreters and their sandbox do not depend on sanitizers.
# Full: the starter bots are run in the sandbox in any case.
# Disk: --scratch cannot replace /dev/shm for a bot whose files are there.
. "$SRC/tests/e2e/lib.sh"

unset JAVA_TOOL_OPTIONS _JAVA_OPTIONS

level=$(level_of)

# Begins a scenario that needs these programs, or reports it as skipped.
scenario_with() { # PROGRAMS NAME
	local program
	for program in $1; do
		command -v "$program" >/dev/null && continue
		skip "$2" "no $program here"
		return 1
	done
	scenario "$2"
}

# Reports the scenario that has begun as skipped.
skip_rest() { # WHY
	local name=$scenario_name
	scenario_name=
	skip "$name" "$1"
}

# Expects that a bot plays a match to its end without an offence, in the sandbox
# of this machine.  A bot that finds something wrong must exit with 1 before it
# is ready, since the stderr of a bot that plays is not shown.
expect_plays() { # BOT OPTION...
	local bot=$1
	shift
	rm -f games.scopa
	arena 0 match "$bot" @greedy "$@" --rules scopa --deals 3 \
		--startup-ms 60000 --tc move:30 --record games.scopa
	expect_out '^result '
	expect_lines 3 '^enddeal ' games.scopa
	expect_no_line '^(offence|abort) ' games.scopa
	expect grep -qF " sandbox=${level:-none} " games.scopa
	expect_no_children
}

# Begins a scenario that needs these programs, in which a bot plays.
plays() { # PROGRAMS NAME BOT [OPTION...]
	! scenario_with "$1" "$2" || expect_plays "${@:3}"
}

# The same bot in C and C++.
cat >bot.c <<'BOT'
#include <stdio.h>
#include <string.h>

int
main(void)
{
	char line[8192], move[64] = "", turn[64];

	while (fgets(line, sizeof(line), stdin) != NULL) {
		if (strncmp(line, "usp ", 4) == 0)
			puts("id name=c\nuspok 1");
		else if (strncmp(line, "isready", 7) == 0)
			puts("readyok");
		else if (sscanf(line, "go %63s", turn) == 1)
			printf("move %s %s\n", move, turn);
		else if (strncmp(line, "quit", 4) == 0)
			break;
		else
			sscanf(line, "legal %63s", move);
		fflush(stdout);
	}
	return 0;
}
BOT

# Compiles a program; if that fails, the scenario is skipped.
compiles() { # COMPILER OPTION...
	"$@" 2>compiler.err && return
	skip_rest "$1 cannot: $(head -n 1 compiler.err)"
	return 1
}

while IFS='|' read -r compiler name options; do
	scenario_with "$compiler" "$compiler: $name" || continue
	# The options are split into words.
	# shellcheck disable=SC2086
	! compiles $compiler -o bot $options bot.c || expect_plays ./bot
done <<'END'
gcc|a program with shared libraries|
gcc|a static program|-static
gcc|AddressSanitizer|-fsanitize=address,undefined
gcc|ThreadSanitizer|-fsanitize=thread
clang|a program with shared libraries|
clang|a static program|-static
clang|AddressSanitizer|-fsanitize=address,undefined
clang|ThreadSanitizer|-fsanitize=thread
clang|MemorySanitizer|-fsanitize=memory
g++|a program in C++|-x c++
END

# Threads that wait for each other, and for their end.
cat >threads.c <<'BOT'
#include <assert.h>
#include <omp.h>
#include <pthread.h>
#include <semaphore.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

int play(void);

static void *
count(void *context)
{
	static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

	for (int i = 0; i < 1000; i++) {
		pthread_mutex_lock(&mutex);
		++*(int *)context;
		pthread_mutex_unlock(&mutex);
	}
	return NULL;
}

/* Two processes and two semaphores. */
static void
share(void)
{
	sem_t *pair = mmap(NULL, 4096, PROT_READ | PROT_WRITE,
	    MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	int status;

	assert(sem_init(&pair[0], 1, 0) == 0 && sem_init(&pair[1], 1, 0) == 0);
	if (fork() == 0) {
		for (int i = 0; i < 100; i++) {
			sem_wait(&pair[0]);
			sem_post(&pair[1]);
		}
		_exit(0);
	}
	for (int i = 0; i < 100; i++) {
		sem_post(&pair[0]);
		sem_wait(&pair[1]);
	}
	assert(wait(&status) > 0 && status == 0);
}

int
main(void)
{
	pthread_t threads[8];
	int sum = 0, counted = 0;

	for (int i = 0; i < 8; i++)
		assert(!pthread_create(&threads[i], NULL, count, &counted));
	for (int i = 0; i < 8; i++)
		assert(!pthread_join(threads[i], NULL));
	assert(counted == 8000);
	for (int round = 0; round < 100; round++) {
#pragma omp parallel for reduction(+ : sum)
		for (int i = 0; i < 100; i++)
			sum += i;
	}
	assert(sum == 495000);
	share();
	return play();
}
BOT
if scenario_with gcc 'threads, OpenMP and semaphores that processes share'; then
	sed 's/^main(/play(/' bot.c >play.c
	! compiles gcc -fopenmp -o threads threads.c play.c ||
		expect_plays ./threads
fi

# At its end the leak checker uses ptrace: the refusal must not look like a
# crash of the bot.
if scenario_with gcc 'AddressSanitizer finds a fault in a sandbox'; then
	printf '#include <stdlib.h>\nint main(void) { char *p = malloc(4);\n%s' \
		'return p[atoi("5")]; }' >fault.c
	if compiles gcc -fsanitize=address -o fault fault.c; then
		arena 4 match ./fault @first --deals 1 --sandbox auto
		expect_err 'heap-buffer-overflow'
	fi
fi

python_bot bot.py <<'BOT'
import asyncio
import concurrent.futures
import ctypes
import datetime
import locale
import mmap
import os
import subprocess
import time

import helper


async def echo():
    child = await asyncio.create_subprocess_exec(
        'echo', 'said', stdout=asyncio.subprocess.PIPE)
    return (await child.communicate())[0]

with concurrent.futures.ThreadPoolExecutor(32) as pool:
    assert sum(pool.map(abs, range(-100, 0))) == 5050
assert asyncio.run(echo()) == b'said\n'
assert subprocess.run('echo said | cat', shell=True,
                      capture_output=True).stdout == b'said\n'
assert ctypes.CFUNCTYPE(ctypes.c_int)(lambda: 7)() == 7
assert len(mmap.mmap(-1, 4096)) == 4096
assert locale.setlocale(locale.LC_ALL, '')
assert os.sched_getaffinity(0)
assert helper.NAME
time.tzset()
datetime.datetime.now().astimezone()
BOT
echo "NAME = 'python'" >helper.py

if scenario_with python3 'Python, with threads, children and a module of its own'; then
	expect_plays 'python3 bot.py'
	expect_plays ./bot.py
fi
if scenario_with python3 'Python in a virtual environment'; then
	if python3 -m venv --without-pip environment >/dev/null 2>&1; then
		mkdir environment/lib/extra
		expect_plays 'environment/bin/python bot.py'
		expect_plays "$PWD/environment/bin/python3 $PWD/bot.py"
	else
		skip_rest 'no module venv here'
	fi
fi
if scenario_with python3 'Python by the shims of a version manager'; then
	mkdir -p manager/shims manager/versions/mine/bin
	ln -s "$(python3 -c 'import sys; print(sys.executable)')" \
		manager/versions/mine/bin/python3
	program manager/shims/python3 \
		"exec '$PWD/manager/versions/mine/bin/python3' \"\$@\""
	PATH=$PWD/manager/shims:$PATH expect_plays 'python3 bot.py'
	PATH=$PWD/manager/shims:$PATH expect_plays ./bot.py
fi
# The semaphores of multiprocessing have names, and so need a folder.
cat >crowd.py <<'BOT'
import multiprocessing
import runpy
import tempfile

if __name__ == '__main__':
    with multiprocessing.Pool(2) as pool:
        assert pool.map(abs, [-1, -2, -3]) == [1, 2, 3]
    with tempfile.TemporaryFile() as file:
        file.write(b'weights')
    runpy.run_path('bot.py')
BOT
if scenario_with python3 'Python, with processes and a folder to write in'; then
	if [ "$level" = box ]; then
		expect_plays 'python3 crowd.py bot.py' --scratch 16M
	else
		skip_rest "sandbox: ${level:-none}"
	fi
fi
if scenario_with pyenv 'Python by pyenv'; then
	expect_plays "$(pyenv root)/shims/python3 bot.py"
fi

cat >bot.js <<'BOT'
const assert = require('assert');
const children = require('child_process');
const fs = require('fs');
const { Worker } = require('worker_threads');
const { run } = require('./scopa_bot.js');

assert.strictEqual(String(children.execSync('echo said | cat')), 'said\n');
assert(new WebAssembly.Module(new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0])));
assert(Intl.DateTimeFormat().resolvedOptions().timeZone);
assert(fs.readFileSync(__filename, 'utf8').startsWith('const'));

let heard = 0;
for (let i = 0; i < 4; i++) {
	const worker = new Worker(
		'require("worker_threads").parentPort.postMessage(1)',
		{ eval: true });
	worker.on('error', (error) => { console.error(error); process.exit(1); });
	worker.on('message', () => {
		if (++heard === 4) run((view) => view.legal[0], { name: 'node' });
	});
}
BOT
cp "$SRC/bots/javascript/scopa_bot.js" .
if scenario_with node 'Node, with workers, children and WebAssembly'; then
	expect_plays 'node bot.js'
	printf '{ "main": "bot.js" }\n' >package.json
	expect_plays "node $PWD"
fi

mkdir -p java/classes
cat >java/Bot.java <<'BOT'
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.time.ZonedDateTime;
import java.util.concurrent.CountDownLatch;
import java.util.stream.IntStream;

public class Bot {
	static void use() throws Exception {
		CountDownLatch done = new CountDownLatch(100);

		for (int i = 0; i < 100; i++)
			new Thread(done::countDown).start();
		done.await();
		if (IntStream.range(0, 100000).parallel().sum() != 704982704)
			throw new Exception("sum");
		if (new ProcessBuilder("echo", "said").start()
				.getInputStream().readAllBytes().length != 5)
			throw new Exception("child");
		ZonedDateTime.now();
	}

	public static void main(String[] arguments) throws Exception {
		BufferedReader lines = new BufferedReader(
			new InputStreamReader(System.in));
		String line, move = null;

		use();
		while ((line = lines.readLine()) != null) {
			String[] word = line.split(" ");

			switch (word[0]) {
			case "usp": System.out.println("id name=java\nuspok 1"); break;
			case "isready": System.out.println("readyok"); break;
			case "legal": move = word[1]; break;
			case "go": System.out.println("move " + move + " " + word[1]);
				break;
			case "quit": System.exit(0);
			}
			System.out.flush();
		}
	}
}
BOT
if scenario_with java 'Java from a source file'; then
	if java --list-modules 2>&1 | grep -q '^jdk.compiler'; then
		expect_plays 'java java/Bot.java'
	else
		skip_rest 'this Java cannot compile'
	fi
fi
if scenario_with 'java javac jar' 'Java, from classes and from an archive'; then
	javac -d java/classes java/Bot.java
	expect_plays 'java -cp java/classes Bot'
	expect_plays 'java -classpath java:java/classes Bot'
	jar --create --file java/bot.jar --main-class Bot -C java/classes .
	expect_plays 'java -jar java/bot.jar'
fi

cat >bot.pl <<'BOT'
#!/usr/bin/env perl
use strict;
use warnings;
use POSIX ();

$| = 1;
POSIX::tzset();
die 'no child' if `echo said | cat` ne "said\n";
die 'no time' if !localtime;
my $move;
while (<STDIN>) {
	my ($verb, $first) = split;
	if ($verb eq 'usp') { print "id name=perl\nuspok 1\n" }
	elsif ($verb eq 'isready') { print "readyok\n" }
	elsif ($verb eq 'legal') { $move = $first }
	elsif ($verb eq 'go') { print "move $move $first\n" }
	elsif ($verb eq 'quit') { last }
}
BOT
chmod +x bot.pl
if scenario_with perl 'Perl'; then
	expect_plays 'perl bot.pl'
	expect_plays ./bot.pl
fi

cat >bot.sh <<'BOT'
case $(echo said | cat; date) in said*) ;; *) exit 1 ;; esac
while read -r line; do
	set -- $line
	case $1 in
	usp) printf 'id name=sh\nuspok 1\n' ;;
	isready) echo readyok ;;
	legal) move=$2 ;;
	go)
		cat <<-END
			move $move $2
		END
		;;
	quit) exit 0 ;;
	esac
done
exit 0
BOT
for shell in sh dash bash ksh 'busybox sh'; do
	plays "${shell% *}" "$shell, with here-documents and pipes" "$shell bot.sh"
done
# Here-documents of zsh are files in /tmp, where no bot in a sandbox may write.
# shellcheck disable=SC2016 # The bot expands them.
sed '/cat <</,/END$/c echo move $move $2' bot.sh >bot.zsh
plays zsh 'zsh, with pipes' 'zsh --emulate sh bot.zsh'

cat >bot.awk <<'BOT'
$1 == "usp" { print "id name=awk\nuspok 1" }
$1 == "isready" { print "readyok" }
$1 == "legal" { move = $2 }
$1 == "go" { print "move", move, $2 }
$1 == "quit" { exit 0 }
{ fflush() }
BOT
for awk in gawk 'busybox awk'; do
	plays "${awk% *}" "$awk" "$awk -f bot.awk"
done
# Otherwise mawk would wait for a full buffer.
plays mawk 'mawk' 'mawk -W interactive -f bot.awk'

finish
