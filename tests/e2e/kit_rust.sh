# Goal: the kit for Rust passes its own test, and its example plays.
# Release: no code in C is tested.
# Full: it needs another compiler: `make test-kits` runs it, and so does .ci/run.
. "$SRC/tests/e2e/kits.bash"

kit_needs cargo rustc
copy_kit rust
export CARGO_HOME=$PWD/cargo CARGO_NET_OFFLINE=true
unset CARGO_TARGET_DIR RUSTFLAGS RUST_BACKTRACE

scenario 'the kit is compiled without warnings, and its test passes'
expect_run 0 env -C 'my bots' RUSTFLAGS='-D warnings' \
	cargo test --quiet --locked
expect_out '^test result: ok\.'

scenario 'without the arena that test skips the games and passes'
test=$(find 'my bots/target/debug/deps' -name 'bot-*' -type f -perm -100)
expect_run 0 "${without_arena[@]}" "./$test" --nocapture
expect_err '^skipped: '
expect_out '^test result: ok\.'

# With TEST_FULL, new.sh builds an optimized bot.
expect_run 0 env -C 'my bots' cargo build --quiet --locked
play_kit "'my bots/target/debug/bot'"

scenario 'a panic in choose is shown, and the bot has lost'
sed -i 's/best\.expect(.*)\.clone()/panic!("nothing to choose")/' \
	'my bots/src/main.rs'
expect_run 0 env -C 'my bots' cargo build --quiet --locked
expect_kit_fails "'my bots/target/debug/bot'" 'stderr +: panic: nothing to choose'
expect_out 'stderr +: .*main\.rs:'

finish
