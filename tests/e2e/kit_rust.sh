# Goal: the Rust kit (bots/rust) passes its own test, and plays as it is.
# Release: it is no program of C.
. "$SRC/tests/e2e/lib.sh"
. "$SRC/tests/e2e/kits.bash"

kit_needs cargo rustc
copy_kit rust
export CARGO_HOME=$PWD/cargo CARGO_TARGET_DIR=$PWD/target CARGO_NET_OFFLINE=true
bot=target/release/bot

scenario 'the Rust kit passes its own test without warnings'
expect_run 0 env RUSTFLAGS='-D warnings' \
	cargo test --quiet --locked --manifest-path kit/Cargo.toml
expect_out '^test result: ok. 5 passed'

scenario 'the Rust kit answers a position'
expect_run 0 cargo build --release --locked --manifest-path kit/Cargo.toml
expect_kit_answers "$bot"

scenario 'the Rust kit plays'
expect_kit_plays "$bot"

scenario 'the Rust kit says why choose has failed'
sed -i 's/best\.expect(.*)\.clone()/panic!("nothing to choose")/' kit/src/main.rs
expect_run 0 cargo build --locked --manifest-path kit/Cargo.toml
expect_kit_fails target/debug/bot 'nothing to choose'
expect_err 'main\.rs:'

finish
