# Goal: the organiser enrols workers in a queue, lists them, and decides what
# each of them may do; every mistake is reported in one sentence.
. "$SRC/tests/e2e/postgres.bash"
postgres_open 'the workers of a queue'

key=$(printf '%064d' 7)
other=$(printf '%064d' 8)

scenario 'without a queue workers cannot be listed'
arena 5 workers --store "$postgres_url"
expect_err '^error: ' '^  try     : .*scopa-arena db create'
arena 2 workers
expect_err '^error: --store is missing'

scenario 'a queue has no workers at first'
arena 0 db create --store "$postgres_url"
arena 0 workers --store "$postgres_url"
expect_out '^no worker is enrolled$'

scenario 'a worker is enrolled, with a role and a password of its own'
arena 0 workers enroll anna --key "$key" --trusted --store "$postgres_url"
expect_out '^worker anna is enrolled, and is trusted$' \
	'^  role    : scopa_anna$' '^  password: [0-9a-f]{64}$' \
	"^  PGPASSWORD=[0-9a-f]* scopa-arena worker --store 'postgres://scopa_anna@/postgres[?]host=.*'\$"
password=$(sed -n 's/^  password: //p' "$out")
url=$(sed -n "s/.*--store '\(.*\)'/\1/p" "$out")
expect_login() { # PASSWORD
	expect [ "$(PGPASSWORD=$1 postgres_sql 'SELECT 1' "$url")" = 1 ]
}
expect_login "$password"
case $url in *organiser*) fail "the URL has the organiser's password" ;; esac

scenario 'the command of a worker is quoted for a shell'
arena 0 workers enroll anna --replace --key "$key" --trusted \
	--store "$postgres_url&application_name=o'hara"
expect_out "worker --store \"postgres://.*name=o'hara\"\$"
password=$(sed -n 's/^  password: //p' "$out")

scenario 'workers are listed, for people and as JSON'
arena 0 workers enroll bruno --key "$other" --store "$postgres_url"
arena 0 workers --store "$postgres_url"
expect_out '^worker *state *trusted' '^anna  *never seen  *yes' \
	'^bruno  *never seen'
arena 0 workers --store "$postgres_url" --json
expect_json '[w["name"] for w in d["workers"]] == ["anna", "bruno"]' \
	"d['workers'][0]['trusted'] and d['workers'][0]['key'] == '$key'" \
	'd["workers"][1]["state"] == "never seen" and
	not d["workers"][1]["trusted"]' \
	'd["workers"][1]["seen_s"] is None and d["workers"][1]["blocks"] == 0'

scenario 'workers can be trusted, quarantined, released and revoked'
arena 0 workers trust bruno --store "$postgres_url"
arena 0 workers --store "$postgres_url"
expect_out '^bruno  *never seen  *yes'
arena 0 workers quarantine bruno --store "$postgres_url"
arena 0 workers --store "$postgres_url"
expect_out '^bruno  *quarantine  *0'
arena 0 workers release bruno --store "$postgres_url"
arena 0 workers revoke anna --store "$postgres_url"
arena 0 workers --store "$postgres_url"
expect_out '^bruno  *never seen  *0' '^anna  *revoked'
for change in trust quarantine release; do
	refuses 'worker "anna" is revoked' workers $change anna \
		--store "$postgres_url"
	expect_err '^  hint    : .*workers enroll NAME --replace'
done
arena 0 workers revoke anna --store "$postgres_url"

scenario 'a worker is enrolled again only with an option'
arena 2 workers enroll anna --key "$other" --store "$postgres_url"
expect_err '^error: worker "anna" is enrolled already'
expect_err '^  hint    : --replace '
arena 0 workers enroll anna --key "$other" --replace --store "$postgres_url"
fresh=$(sed -n 's/^  password: //p' "$out")
PGPASSWORD=$password postgres_sql 'SELECT 1' "$url" >refused 2>&1 &&
	fail 'the old password is still valid'
expect_login "$fresh"
arena 0 workers --store "$postgres_url"
expect_out '^anna  *never seen  *0'

scenario 'numbers that a worker reports about itself are limited'
for number in NaN Infinity -Infinity 1e308; do
	PGPASSWORD=$fresh postgres_sql "SELECT scopa.hello('\\x$other', 'x',
		'', 'x', 1, '$number', '$number', '$number', 0)" "$url" >hello
	arena 0 workers --store "$postgres_url"
	expect_out '^anna  *here  *1 '
	arena 0 workers --store "$postgres_url" --json
	expect_json 'all(0 <= (d["workers"][0][name] or 0) <= 1e6
		for name in ("speed", "games_per_s", "lag_s"))'
done

scenario 'mistakes are refused with one sentence'
arena 2 workers trust ana --store "$postgres_url"
expect_err '^error: no worker "ana" is enrolled$'
expect_err '^  hint    : did you mean "anna"'
arena 2 workers enroll 'Anna!' --key "$key" --store "$postgres_url"
expect_err '^error: "Anna!" is no name for a worker$'
arena 2 workers enroll worker --key "$key" --store "$postgres_url"
expect_err '^error: "worker" is no name for a worker$'
expect_err '^  hint    : .*not .worker.'
expect_no_err dropuser
postgres_sql 'CREATE ROLE scopa_carla'
arena 5 workers enroll carla --key "$key" --store "$postgres_url"
expect_err '^error: the server has a role scopa_carla already'
expect_err '^  hint .*dropuser scopa_carla'
postgres_sql 'DROP ROLE scopa_carla'
arena 2 workers enroll carla --store "$postgres_url"
expect_err '^error: --key is missing$'
arena 2 workers enroll carla --key 12ab --store "$postgres_url"
expect_err '^error: --key: "12ab" is no key$'
arena 2 workers enroll --key "$key" --store "$postgres_url"
expect_err '^error: arguments are missing: NAME$'
arena 2 workers dance --store "$postgres_url"
refuses 'unknown command "workers enrol"' workers enrol anna --key "$key" \
	--store "$postgres_url"
expect_err '^  hint    : did you mean "workers enroll"'

finish
