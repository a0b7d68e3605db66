# Goal: the kit for Go passes its own test, and its example plays.
# Release: no code in C is tested.
# Full: it needs another compiler: `make test-kits` runs it, and so does .ci/run.
. "$SRC/tests/e2e/kits.bash"

kit_needs go gofmt
copy_kit go
export GOPATH=$PWD/path GOENV=off GOPROXY=off

scenario 'the kit is formatted by gofmt and has no warnings'
expect_run 0 gofmt -l 'my bots'
expect_out_empty
expect_run 0 env -C 'my bots' go vet .

scenario 'the test of the kit passes'
expect_run 0 env -C 'my bots' go test -v .
expect_out '^--- PASS: TestGames '

if [ -n "$TEST_FULL" ]; then
	scenario 'without the arena that test skips the games and passes'
	expect_run 0 env -C 'my bots' "${without_arena[@]}" \
		"$(command -v go)" test -v .
	expect_out '^--- SKIP: TestGames '
fi

expect_run 0 env -C 'my bots' go build -o bot .
play_kit "'my bots/bot'"

scenario 'a panic in choose is shown, and the bot has lost'
sed -i 's/^	best := view.Legal\[0\]/	best := view.Legal[99]/' \
	'my bots/bot.go'
expect_run 0 env -C 'my bots' go build -o failing .
expect_kit_fails "'my bots/failing'" \
	'stderr +: panic: .*index out of range \[99\]'
expect_out 'stderr +: .*/bot\.go:'

finish
