# Goal: the Go kit (bots/go) passes its own test, and plays as it is.
# Release: it is no program of C.
. "$SRC/tests/e2e/lib.sh"
. "$SRC/tests/e2e/kits.bash"

kit_needs go gofmt
copy_kit go
export GOCACHE=$PWD/cache GOPATH=$PWD/path GOENV=off GOPROXY=off
export GOFLAGS=-buildvcs=false

scenario 'the Go kit is laid out and without warnings'
expect_run 0 gofmt -l kit
expect_out_empty
expect_run 0 env -C kit go vet .

scenario 'the Go kit passes its own test'
expect_run 0 env -C kit go test -v .
expect_out '^ *--- PASS: TestGames/scopa_AB '

scenario 'the Go kit builds, and answers a position'
expect_run 0 env -C kit go build -o ../bot .
expect_kit_answers ./bot

scenario 'the Go kit plays'
expect_kit_plays ./bot

scenario 'the Go kit says why choose has failed'
sed -i 's/^	best := view.Legal\[0\]/	best := view.Legal[99]/' kit/bot.go
expect_run 0 env -C kit go build -o ../failing .
expect_kit_fails ./failing 'index out of range \[99\]'
expect_err 'bot\.go:'

finish
