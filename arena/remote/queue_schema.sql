-- The queue of Scopa Arena in a database of PostgreSQL.  `scopa-arena db create`
-- runs this file as one transaction.  If there is a queue of this version already,
-- only the functions and what follows them are run.  So the version needs to be
-- raised only if a table changes, or the arguments or columns of a function.
--
-- run, worker		the runs, and the workers with their own reports
-- lease		a small row for each block that is not settled: whether it
--			may be claimed, its worker, the end of its lease
-- loss			each time that a worker was lost with its blocks
-- job, result		the texts.  Most are written once and dropped with their
--			partition, so they leave no dead rows.  Rows change only
--			if a block is put again, refused or cancelled
--
-- Every scan of the leases that is repeated begins at the head of the run.  So it
-- does not read dead rows of settled leases, even if an old transaction prevents
-- the server from removing them.
--
-- A worker's login role may only call the functions that are granted at the end.
-- These run with the rights of the owner, and identify the worker by
-- session_user.  All times are clock_timestamp() of the server.  Rows are locked
-- in the order lease, played, run, so that no two functions wait for each other;
-- expire() has the row of the run first, and skips leases that others have locked.
--
-- Conditions that the functions raise: SC403 not enrolled, revoked or not the
-- enrolled key; SC409 this worker cannot play the run; SC410 the run has ended;
-- SC413 too large; SC422 what the organiser gave; SC426 another schema.

CREATE SCHEMA scopa;

DO $$
BEGIN
	IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'scopa_worker') THEN
		CREATE ROLE scopa_worker NOLOGIN;
	END IF;
	-- What every user of a database may do, a worker may not.
	EXECUTE format('REVOKE TEMPORARY ON DATABASE %I FROM PUBLIC',
		current_database());
	IF (SELECT rolsuper FROM pg_roles WHERE rolname = current_user) THEN
		REVOKE EXECUTE ON FUNCTION lo_creat(integer), lo_create(oid),
			lo_from_bytea(oid, bytea), lo_put(oid, bigint, bytea)
			FROM PUBLIC;
	END IF;
	EXECUTE format('ALTER DATABASE %I SET '
		'idle_in_transaction_session_timeout = ''10s''',
		current_database());
END $$;

CREATE TABLE scopa.version (version integer NOT NULL);
INSERT INTO scopa.version VALUES (2);

CREATE TABLE scopa.run (
	id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
	uid text NOT NULL UNIQUE,
	name text NOT NULL,
	engine text NOT NULL,
	labels text NOT NULL,
	trusted_only boolean NOT NULL,
	lease_s integer NOT NULL CHECK (lease_s > 0),
	spec text NOT NULL,
	state text NOT NULL DEFAULT 'paused',
	head bigint NOT NULL DEFAULT 0, -- no lease is of a block below
	idle boolean NOT NULL DEFAULT false, -- its coordinator waits for results
	expire_at timestamptz NOT NULL DEFAULT clock_timestamp()
) WITH (fillfactor = 50);

CREATE TABLE scopa.worker (
	id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
	name text NOT NULL UNIQUE,
	role text NOT NULL UNIQUE,
	key bytea NOT NULL,
	trusted boolean NOT NULL,
	quarantined boolean NOT NULL,
	revoked boolean NOT NULL,
	-- Counts of runs that have ended.
	blocks bigint NOT NULL DEFAULT 0,
	games bigint NOT NULL DEFAULT 0,
	faults bigint NOT NULL DEFAULT 0,
	-- Reported by the worker itself.
	engine text NOT NULL DEFAULT '',
	labels text NOT NULL DEFAULT '',
	host text NOT NULL DEFAULT '',
	cores integer NOT NULL DEFAULT 0,
	speed double precision NOT NULL DEFAULT 0,
	games_per_s double precision NOT NULL DEFAULT 0,
	lag_s double precision NOT NULL DEFAULT 0,
	clock_ahead_s double precision NOT NULL DEFAULT 0,
	seen timestamptz
) WITH (fillfactor = 50);

-- The workers that have claimed a block of a run.
CREATE TABLE scopa.played (
	run bigint NOT NULL,
	worker integer NOT NULL,
	blocks bigint NOT NULL DEFAULT 0,
	games bigint NOT NULL DEFAULT 0,
	faults bigint NOT NULL DEFAULT 0,
	PRIMARY KEY (run, worker)
) WITH (fillfactor = 50);

-- Losses of workers.  All leases of a worker that end within the time of one lease
-- are one loss.
CREATE TABLE scopa.loss (
	run bigint NOT NULL,
	worker integer NOT NULL,
	at timestamptz NOT NULL DEFAULT clock_timestamp()
);
CREATE INDEX loss_run ON scopa.loss (run, worker, at);

CREATE TABLE scopa.bundle (
	digest bytea PRIMARY KEY,
	bytes bytea NOT NULL
);
CREATE TABLE scopa.run_bundle (
	run bigint NOT NULL,
	digest bytea NOT NULL,
	PRIMARY KEY (run, digest)
);

-- Columns that change often are in no index, so that rows are updated in their page.
-- Only a claim, and making a block ready again, change the index `lease_ready`.
CREATE TABLE scopa.lease (
	run bigint NOT NULL,
	block bigint NOT NULL,
	copy smallint NOT NULL,
	attempt integer NOT NULL DEFAULT 0,
	failures integer NOT NULL DEFAULT 0, -- of which there is a reason
	losses integer NOT NULL DEFAULT 0, -- times that its lease ended
	claimed boolean NOT NULL DEFAULT false,
	paused boolean NOT NULL DEFAULT false,
	done boolean NOT NULL DEFAULT false, -- there is a result
	worker integer,	-- of the last claim, while it may still finish
	first integer,	-- of an audit: who has finished the counted copy
	excluded integer, -- the worker that may not have it again
	until timestamptz,
	progress bigint NOT NULL DEFAULT 0,
	given bigint NOT NULL DEFAULT 0, -- cursor under which it was given
	reason text,
	PRIMARY KEY (run, block, copy)
) WITH (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.01,
	autovacuum_vacuum_threshold = 500, autovacuum_vacuum_cost_delay = 0);
CREATE INDEX lease_ready ON scopa.lease (run, block, copy)
	WHERE NOT claimed AND NOT paused;

CREATE TABLE scopa.job (
	run bigint NOT NULL,
	block bigint NOT NULL,
	copy smallint NOT NULL,
	games integer NOT NULL,
	text text NOT NULL,
	PRIMARY KEY (run, block, copy)
) PARTITION BY RANGE (run, block);

CREATE TABLE scopa.result (
	run bigint NOT NULL,
	block bigint NOT NULL,
	copy smallint NOT NULL,
	attempt integer NOT NULL,
	worker integer NOT NULL,
	conflict boolean NOT NULL DEFAULT false,
	digest bytea NOT NULL, -- of head and record
	signature bytea NOT NULL,
	head text NOT NULL,
	record bytea NOT NULL,
	PRIMARY KEY (run, block, copy)
) PARTITION BY RANGE (run, block);

-- A second result of a worker for the same attempt.
CREATE TABLE scopa.conflict (
	run bigint NOT NULL,
	block bigint NOT NULL,
	copy smallint NOT NULL,
	attempt integer NOT NULL,
	worker integer NOT NULL,
	at timestamptz NOT NULL DEFAULT clock_timestamp(),
	signature bytea NOT NULL,
	head text NOT NULL,
	record bytea NOT NULL,
	PRIMARY KEY (run, block, copy, attempt)
);

-- The partitions that exist: each has the blocks from `first` on.
CREATE TABLE scopa.part (
	run bigint NOT NULL,
	first bigint NOT NULL,
	PRIMARY KEY (run, first)
);

CREATE OR REPLACE FUNCTION scopa.part_size() RETURNS bigint
LANGUAGE sql IMMUTABLE AS 'SELECT 4096::bigint';

-- Attaching a partition does not block sessions that use the others.
CREATE OR REPLACE FUNCTION scopa.part_add(of_run bigint, at bigint) RETURNS void
LANGUAGE plpgsql AS $$
DECLARE
	parent text;
	child text;
BEGIN
	FOREACH parent IN ARRAY ARRAY['job', 'result'] LOOP
		child := format('scopa.%s_%s_%s', parent, of_run, at);
		EXECUTE format('CREATE TABLE %s (LIKE scopa.%s INCLUDING ALL) '
			'WITH (autovacuum_vacuum_insert_threshold = -1)',
			child, parent);
		EXECUTE format('ALTER TABLE scopa.%s ATTACH PARTITION %s '
			'FOR VALUES FROM (%s, %s) TO (%s, %s)', parent, child,
			of_run, at, of_run, at + scopa.part_size());
	END LOOP;
	INSERT INTO scopa.part VALUES (of_run, at);
END $$;

-- Drops partitions below a block, as a transaction of its own.  If another session
-- holds the tables for longer than a moment, or drops them, nothing is dropped this
-- time.  The tables are locked in the same order as in finish().
CREATE OR REPLACE FUNCTION scopa.part_drop(of_run bigint, below bigint) RETURNS void
LANGUAGE plpgsql SET lock_timeout = '200ms' AS $$
DECLARE
	old bigint;
BEGIN
	FOR old IN SELECT first FROM scopa.part
		WHERE run = of_run AND first + scopa.part_size() <= below
	LOOP
		BEGIN
			EXECUTE format('DROP TABLE scopa.result_%s_%s, '
				'scopa.job_%s_%s', of_run, old, of_run, old);
			DELETE FROM scopa.part
				WHERE run = of_run AND first = old;
		EXCEPTION WHEN lock_not_available OR undefined_table THEN
			RETURN;
		END;
	END LOOP;
END $$;

CREATE OR REPLACE FUNCTION scopa.version_check(needed integer) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
	here integer := (SELECT version FROM scopa.version);
BEGIN
	IF here <> needed THEN
		RAISE EXCEPTION USING ERRCODE = 'SC426', MESSAGE = format(
			'the queue of this database is of version %s, and this '
			'program needs version %s', here, needed), HINT =
			'use the program that made it, or another database';
	END IF;
END $$;

--
-- The coordinator
--

CREATE OR REPLACE FUNCTION scopa.run_begin(its_uid text, its_name text, its_engine text,
	its_labels text, its_trusted_only boolean, its_lease_s bigint,
	its_spec text) RETURNS bigint
LANGUAGE plpgsql AS $$
DECLARE
	its_id bigint;
BEGIN
	INSERT INTO scopa.run (uid, name, engine, labels, trusted_only, lease_s,
		spec)
	VALUES (its_uid, its_name, its_engine, its_labels, its_trusted_only,
		its_lease_s, its_spec)
	ON CONFLICT (uid) DO UPDATE SET engine = its_engine,
		labels = its_labels, trusted_only = its_trusted_only,
		lease_s = its_lease_s, spec = its_spec
	RETURNING id INTO its_id;
	UPDATE scopa.lease SET paused = false, claimed = false, failures = 0,
		losses = 0, reason = NULL
	WHERE run = its_id AND paused AND reason NOT LIKE 'keys%';
	RETURN its_id;
END $$;

CREATE OR REPLACE FUNCTION scopa.run_end(of_run bigint) RETURNS void
LANGUAGE plpgsql AS $$
BEGIN
	DELETE FROM scopa.lease WHERE run = of_run;
	UPDATE scopa.worker SET blocks = worker.blocks + played.blocks,
		games = worker.games + played.games,
		faults = worker.faults + played.faults
	FROM scopa.played
	WHERE played.run = of_run AND played.worker = worker.id;
	DELETE FROM scopa.played WHERE run = of_run;
	DELETE FROM scopa.run WHERE id = of_run;
	DELETE FROM scopa.loss WHERE run = of_run;
	DELETE FROM scopa.conflict WHERE run = of_run;
	DELETE FROM scopa.run_bundle WHERE run = of_run;
	-- If another run begins to use a bundle at this moment, this waits for it, and
	-- the next statement sees it.
	PERFORM FROM scopa.bundle ORDER BY digest FOR UPDATE;
	DELETE FROM scopa.bundle WHERE NOT EXISTS (SELECT FROM scopa.run_bundle
		WHERE run_bundle.digest = bundle.digest);
END $$;

-- Drops the remaining rows of runs that have ended.
CREATE OR REPLACE FUNCTION scopa.part_clean() RETURNS void
LANGUAGE sql AS $$
	SELECT scopa.part_drop(run, 9223372036854775807)
	FROM (SELECT DISTINCT run FROM scopa.part
		WHERE run NOT IN (SELECT id FROM scopa.run)) AS old
$$;

CREATE OR REPLACE FUNCTION scopa.run_set(of_run bigint, its_state text) RETURNS void
LANGUAGE plpgsql AS $$
BEGIN
	IF its_state = 'ended' THEN
		PERFORM scopa.run_end(of_run);
	ELSE
		UPDATE scopa.run SET state = its_state WHERE id = of_run;
	END IF;
	PERFORM pg_notify('scopa_jobs', '');
END $$;

-- Whether the bundle is stored and whole.  If so, it now also belongs to the run.
CREATE OR REPLACE FUNCTION scopa.bundle_use(of_run bigint, of_digest bytea) RETURNS boolean
LANGUAGE plpgsql AS $$
BEGIN
	PERFORM FROM scopa.bundle
	WHERE digest = of_digest AND sha256(bytes) = of_digest FOR KEY SHARE;
	IF FOUND THEN
		INSERT INTO scopa.run_bundle VALUES (of_run, of_digest)
		ON CONFLICT DO NOTHING;
		RETURN true;
	END IF;
	RETURN false;
END $$;

CREATE OR REPLACE FUNCTION scopa.bundle_put(of_run bigint, of_digest bytea, its_bytes bytea)
RETURNS void
LANGUAGE sql AS $$
	INSERT INTO scopa.bundle VALUES (of_digest, its_bytes)
	ON CONFLICT (digest) DO UPDATE SET bytes = its_bytes;
	INSERT INTO scopa.run_bundle VALUES (of_run, of_digest)
	ON CONFLICT DO NOTHING;
$$;

-- Makes the partitions for these blocks, as a transaction before that of put():
-- a session that sees a job must know its partition, and sessions learn of a
-- partition a moment after its transaction.
CREATE OR REPLACE FUNCTION scopa.part_make(of_run bigint, blocks bigint[]) RETURNS void
LANGUAGE plpgsql AS $$
BEGIN
	-- If the call is repeated while the server still runs the first one, the second
	-- one waits for it here, and finds its partitions.
	PERFORM FROM scopa.run WHERE id = of_run FOR NO KEY UPDATE;
	IF NOT FOUND THEN
		RAISE EXCEPTION USING ERRCODE = 'SC410',
			MESSAGE = 'the run has ended';
	END IF;
	PERFORM scopa.part_add(of_run, missing.first) FROM (
		SELECT DISTINCT block - block % scopa.part_size() AS first
		FROM unnest(blocks) AS block
		EXCEPT SELECT part.first FROM scopa.part WHERE run = of_run
	) AS missing;
END $$;

-- A run that was restored from an older copy may put a settled block again; then
-- the old result is removed.
--
-- An audit is for other workers than the one that has finished the counted copy.
-- If that copy is settled, any trusted worker may play the audit: 0 is no worker.
CREATE OR REPLACE FUNCTION scopa.put(of_run bigint, blocks bigint[], copies bigint[],
	game_counts bigint[], texts text[]) RETURNS void
LANGUAGE plpgsql AS $$
BEGIN
	WITH given AS MATERIALIZED (
		SELECT of_run AS run, * FROM unnest(blocks, copies, game_counts,
			texts) AS given (block, copy, games, text)
	), added AS (
		INSERT INTO scopa.lease (run, block, copy, first)
		SELECT run, block, copy, CASE WHEN copy > 0 THEN coalesce(
			(SELECT worker FROM scopa.result AS r
			WHERE r.run = given.run AND r.block = given.block AND
				r.copy = 0),
			(SELECT 0 WHERE NOT EXISTS (SELECT
			FROM scopa.lease AS l
			WHERE l.run = given.run AND l.block = given.block AND
				l.copy = 0))) END
		FROM given
		ON CONFLICT DO NOTHING
		RETURNING run, block, copy
	), reopened AS (
		UPDATE scopa.lease AS l SET paused = false, claimed = false,
			failures = 0, losses = 0, reason = NULL, worker = NULL
		FROM given
		WHERE l.run = given.run AND l.block = given.block AND
			l.copy = given.copy AND l.paused
		RETURNING l.run, l.block, l.copy
	), changed AS MATERIALIZED (
		SELECT * FROM added UNION ALL SELECT * FROM reopened
	), settled AS (
		DELETE FROM scopa.result AS r USING changed
		WHERE r.run = changed.run AND r.block = changed.block AND
			r.copy = changed.copy
	)
	INSERT INTO scopa.job
	SELECT run, block, copy, games, text
	FROM given JOIN changed USING (run, block, copy)
	ON CONFLICT (run, block, copy) DO UPDATE
	SET games = excluded.games, text = excluded.text;
	UPDATE scopa.run SET head = (SELECT min(block) FROM unnest(blocks) AS block)
	WHERE id = of_run AND
		head > (SELECT min(block) FROM unnest(blocks) AS block);
	PERFORM pg_notify('scopa_jobs', '');
END $$;

-- Counts a failed attempt; the third pauses the block.
CREATE OR REPLACE FUNCTION scopa.fail(INOUT l scopa.lease, why text)
LANGUAGE plpgsql AS $$
BEGIN
	l.failures := l.failures + 1;
	l.paused := l.failures >= 3;
	l.reason := why;
	IF l.paused THEN
		l.reason := format('%s attempts; the last: %s', l.failures,
			why);
	END IF;
END $$;

-- Whether a block was lost so often by chance, because its workers were lost for other
-- reasons.  With each lost worker as many played blocks were lost as it has cores,
-- which gives the share of blocks that are lost.  Workers that were lost with this
-- block do not count, because the block may be the reason.  It is not chance if fewer
-- than one of 1,000 runs like this one would have such a block.
CREATE OR REPLACE FUNCTION scopa.is_chance(of_run bigint, times integer) RETURNS boolean
LANGUAGE sql AS $$
	SELECT times < 3 OR times < 10 AND played.blocks * least(1,
		greatest(0, lost.workers - times) * lost.cores / played.blocks
		) ^ (times - 1) >= 0.001
	FROM (
		SELECT greatest(sum(blocks), 1)::float8 AS blocks
		FROM scopa.played WHERE run = of_run
	) AS played, (
		SELECT count(*)::float8 AS workers,
			coalesce(avg(greatest(cores, 1)), 1)::float8 AS cores
		FROM scopa.loss JOIN scopa.worker ON id = worker
		WHERE run = of_run
	) AS lost
$$;

-- Makes blocks ready again whose lease has ended.  Looks a few times in the time of a
-- lease.  The worker may still finish until another worker claims the block.  If the
-- server's clock was set back, leases end later than any new lease could: these count
-- as ended.
CREATE OR REPLACE FUNCTION scopa.expire(of_run bigint) RETURNS void
LANGUAGE plpgsql AS $$
DECLARE
	from_block bigint;
	lease interval;
	beyond timestamptz;
	often bigint[];
BEGIN
	SELECT head, make_interval(secs => lease_s) INTO from_block, lease
	FROM scopa.run
	WHERE id = of_run AND
		expire_at NOT BETWEEN clock_timestamp() AND clock_timestamp() +
			make_interval(secs => lease_s)
	FOR NO KEY UPDATE SKIP LOCKED;
	IF NOT FOUND THEN
		RETURN;
	END IF;
	beyond := clock_timestamp() + 2 * lease;
	UPDATE scopa.run SET expire_at = clock_timestamp() + lease / 60
	WHERE id = of_run;
	WITH late AS (
		SELECT run, block, copy FROM scopa.lease
		WHERE run = of_run AND block >= from_block AND claimed AND
			NOT done AND
			until NOT BETWEEN clock_timestamp() AND beyond
		FOR NO KEY UPDATE SKIP LOCKED
	), lost AS (
		UPDATE scopa.lease AS l SET claimed = false, losses = losses + 1
		FROM late
		WHERE l.run = late.run AND l.block = late.block AND
			l.copy = late.copy
		RETURNING l.block, l.losses, l.worker
	), noted AS (
		INSERT INTO scopa.loss
		SELECT DISTINCT of_run, worker FROM lost
		WHERE NOT EXISTS (SELECT FROM scopa.loss AS before
			WHERE before.run = of_run AND
				before.worker = lost.worker AND
				before.at > clock_timestamp() - lease)
	)
	SELECT array_agg(block) FILTER (WHERE losses >= 3) INTO often FROM lost;
	UPDATE scopa.lease AS l SET paused = true, reason = format(
		'%s attempts; the last: worker %s was lost, or '
		'its bots made no move for the time of a lease (--lease)',
		losses, (SELECT name FROM scopa.worker WHERE id = worker))
	WHERE run = of_run AND block = ANY (often) AND NOT claimed AND
		NOT paused AND NOT scopa.is_chance(of_run, losses);
END $$;

CREATE OR REPLACE FUNCTION scopa.results(of_run bigint, cursor bigint, at_most bigint)
RETURNS TABLE (block bigint, copy smallint, attempt integer, worker text,
	key bytea, trusted boolean, quarantined boolean, revoked boolean,
	head text, record bytea, signature bytea, conflict boolean)
LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
	from_block bigint := (SELECT head FROM scopa.run WHERE id = of_run);
BEGIN
	IF from_block IS NULL THEN
		RAISE EXCEPTION USING ERRCODE = 'SC410',
			MESSAGE = 'the run has ended';
	END IF;
	RETURN QUERY
	WITH fresh AS (
		SELECT l.run, l.block, l.copy FROM scopa.lease AS l
		WHERE l.run = of_run AND l.block >= from_block AND l.done AND
			l.given <> cursor
		ORDER BY l.run, l.block, l.copy
		LIMIT at_most
		FOR NO KEY UPDATE SKIP LOCKED
	), taken AS (
		UPDATE scopa.lease AS l SET given = cursor
		FROM fresh
		WHERE l.run = fresh.run AND l.block = fresh.block AND
			l.copy = fresh.copy
		RETURNING l.run, l.block, l.copy
	)
	SELECT r.block, r.copy, r.attempt, w.name, w.key, w.trusted,
		w.quarantined, w.revoked, r.head, r.record, r.signature,
		r.conflict
	FROM taken CROSS JOIN LATERAL (
		SELECT * FROM scopa.result
		WHERE result.run = taken.run AND
			result.block = taken.block AND
			result.copy = taken.copy
		OFFSET 0
	) AS r JOIN scopa.worker AS w ON w.id = r.worker
	ORDER BY 1, 2;
	UPDATE scopa.run SET idle = true WHERE id = of_run AND NOT idle;
END $$;

-- Returns the block below which all are settled, if a partition can be dropped.
CREATE OR REPLACE FUNCTION scopa.settle(of_run bigint, blocks bigint[], copies bigint[])
RETURNS bigint
LANGUAGE plpgsql AS $$
DECLARE
	step constant integer := 1024;
	old bigint := (SELECT head FROM scopa.run WHERE id = of_run);
	below bigint;
BEGIN
	WITH given AS MATERIALIZED (
		SELECT of_run AS run, *
		FROM unnest(blocks, copies) AS given (block, copy)
	)
	DELETE FROM scopa.lease AS l USING given
	WHERE l.run = given.run AND l.block = given.block AND
		l.copy = given.copy;
	SELECT coalesce(min(block),
		(SELECT max(block) + 1 FROM unnest(blocks) AS block))
	INTO below FROM scopa.lease WHERE run = of_run AND block >= old;
	UPDATE scopa.run SET head = below
	WHERE id = of_run AND below >= old + step;
	RETURN (SELECT below WHERE EXISTS (SELECT FROM scopa.part
		WHERE run = of_run AND first + scopa.part_size() <= below));
END $$;

CREATE OR REPLACE FUNCTION scopa.reject(of_run bigint, of_block bigint, of_copy bigint,
	of_attempt bigint, why text, by_others boolean) RETURNS void
LANGUAGE plpgsql AS $$
DECLARE
	old scopa.lease;
	its_worker integer;
BEGIN
	DELETE FROM scopa.result
	WHERE run = of_run AND block = of_block AND copy = of_copy AND
		attempt = of_attempt
	RETURNING worker INTO its_worker;
	SELECT * INTO old FROM scopa.lease
	WHERE run = of_run AND block = of_block AND copy = of_copy AND done
	FOR NO KEY UPDATE;
	IF its_worker IS NULL OR old.run IS NULL THEN
		RETURN;
	END IF;
	old := scopa.fail(old, why);
	UPDATE scopa.lease SET done = false, claimed = false, worker = NULL,
		given = 0, failures = old.failures, paused = old.paused,
		reason = old.reason, excluded =
			CASE WHEN by_others THEN its_worker ELSE excluded END
	WHERE run = of_run AND block = of_block AND copy = of_copy;
	UPDATE scopa.lease SET first = NULL
	WHERE run = of_run AND block = of_block AND copy > of_copy;
	UPDATE scopa.played SET faults = faults + 1
	WHERE run = of_run AND worker = its_worker;
	PERFORM pg_notify('scopa_jobs', '');
END $$;

CREATE OR REPLACE FUNCTION scopa.cancel(of_run bigint, from_block bigint) RETURNS void
LANGUAGE sql AS $$
	DELETE FROM scopa.lease WHERE run = of_run AND block >= from_block;
	DELETE FROM scopa.job WHERE run = of_run AND block >= from_block;
	DELETE FROM scopa.result WHERE run = of_run AND block >= from_block;
$$;

CREATE OR REPLACE FUNCTION scopa.paused(of_run bigint)
RETURNS TABLE (block bigint, copy smallint, attempt integer, reason text)
LANGUAGE plpgsql AS $$
#variable_conflict use_column
BEGIN
	PERFORM scopa.expire(of_run);
	RETURN QUERY SELECT l.block, l.copy, l.attempt, l.reason
	FROM scopa.lease AS l WHERE l.run = of_run AND l.paused AND
		l.block >= (SELECT head FROM scopa.run WHERE id = of_run)
	ORDER BY 1, 2;
END $$;

CREATE OR REPLACE FUNCTION scopa.held(of_run bigint) RETURNS bigint
LANGUAGE sql AS $$
	SELECT count(*) FROM scopa.lease
	WHERE run = of_run AND claimed AND NOT done AND
		until >= clock_timestamp() AND
		block >= (SELECT head FROM scopa.run WHERE id = of_run)
$$;

CREATE OR REPLACE FUNCTION scopa.workers(of_run bigint)
RETURNS TABLE (name text, key bytea, engine text, labels text, host text,
	cores integer, speed double precision, games_per_s double precision,
	blocks bigint, games bigint, faults bigint, lag_s double precision,
	trusted boolean, quarantined boolean, revoked boolean,
	seen_s double precision, clock_ahead_s double precision)
LANGUAGE sql AS $$
	SELECT w.name, w.key, w.engine, w.labels, w.host, w.cores, w.speed,
		w.games_per_s, p.blocks, p.games, p.faults, w.lag_s, w.trusted,
		w.quarantined, w.revoked,
		extract(epoch FROM clock_timestamp() - w.seen)::float8,
		w.clock_ahead_s
	FROM scopa.worker AS w JOIN (
		SELECT worker, blocks, games, faults FROM scopa.played
		WHERE run = of_run
		UNION ALL
		SELECT worker.id, worker.blocks + coalesce(sum(p.blocks), 0),
			worker.games + coalesce(sum(p.games), 0),
			worker.faults + coalesce(sum(p.faults), 0)
		FROM scopa.worker LEFT JOIN scopa.played AS p
			ON p.worker = worker.id
		WHERE of_run = 0
		GROUP BY worker.id
	) AS p ON p.worker = w.id
	ORDER BY w.name COLLATE "C"
$$;

-- Enrols or changes a worker.  `hash`: of the password of its login role; null: the
-- role does not change.
CREATE OR REPLACE FUNCTION scopa.worker_set(its_name text, its_role text, its_key bytea,
	is_trusted boolean, is_quarantined boolean, is_revoked boolean, hash text)
RETURNS void
LANGUAGE plpgsql AS $$
DECLARE
	known integer := (SELECT id FROM scopa.worker WHERE name = its_name);
	other_key boolean := EXISTS (SELECT FROM scopa.worker
		WHERE name = its_name AND key <> its_key);
	there boolean := EXISTS (SELECT FROM pg_roles
		WHERE rolname = its_role);
BEGIN
	IF known IS NULL AND hash IS NULL THEN
		RAISE EXCEPTION USING ERRCODE = 'SC422', MESSAGE = format(
			'there is no worker "%s"', its_name);
	ELSIF known IS NULL AND there THEN
		RAISE EXCEPTION USING ERRCODE = 'SC422', MESSAGE = format(
			'the server has a role %s already, which is of no '
			'worker of this database', its_role),
			HINT = format('choose another name for the worker; or, '
			'if the role is left of a database that is gone, '
			'remove it: `dropuser %s`', its_role);
	END IF;
	INSERT INTO scopa.worker (name, role, key, trusted, quarantined,
		revoked)
	VALUES (its_name, its_role, its_key, is_trusted, is_quarantined,
		is_revoked)
	ON CONFLICT (name) DO UPDATE SET key = its_key, trusted = is_trusted,
		quarantined = is_quarantined, revoked = is_revoked;
	IF hash IS NOT NULL AND NOT there THEN
		EXECUTE format('CREATE ROLE %I CONNECTION LIMIT 16', its_role);
		EXECUTE format('GRANT scopa_worker TO %I', its_role);
		EXECUTE format('ALTER ROLE %I SET statement_timeout = ''30s''',
			its_role);
	END IF;
	IF hash IS NOT NULL THEN
		EXECUTE format('ALTER ROLE %I PASSWORD %L', its_role, hash);
	END IF;
	IF hash IS NOT NULL OR there THEN
		EXECUTE format('ALTER ROLE %I %s', its_role,
			CASE WHEN is_revoked THEN 'NOLOGIN' ELSE 'LOGIN' END);
	END IF;
	-- What was signed with the old key cannot be checked any more.
	IF other_key THEN
		WITH freed AS (
			UPDATE scopa.lease SET claimed = false, done = false,
				worker = NULL, given = 0
			WHERE worker = known AND claimed
			RETURNING run, block, copy
		)
		DELETE FROM scopa.result AS r USING freed
		WHERE r.run = freed.run AND r.block = freed.block AND
			r.copy = freed.copy;
		PERFORM pg_notify('scopa_jobs', '');
	END IF;
	IF is_quarantined OR is_revoked THEN
		UPDATE scopa.lease SET claimed = false, worker = NULL
		WHERE worker = known AND claimed AND NOT done;
		PERFORM pg_notify('scopa_jobs', '');
	END IF;
END $$;

--
-- The workers.  Each function runs with the rights of the owner.
--

-- The worker of this connection.
CREATE OR REPLACE FUNCTION scopa.me() RETURNS scopa.worker
LANGUAGE plpgsql STABLE AS $$
DECLARE
	me scopa.worker;
BEGIN
	SELECT * INTO me FROM scopa.worker WHERE role = session_user::text;
	IF NOT FOUND THEN
		RAISE EXCEPTION USING ERRCODE = 'SC403', MESSAGE = format(
			'the user %s is not enrolled as a worker',
			session_user);
	ELSIF me.revoked THEN
		RAISE EXCEPTION USING ERRCODE = 'SC403', MESSAGE = format(
			'the organiser has revoked worker %s', me.name),
			HINT = 'that is for good: only the organiser can '
			'enrol a worker of this name again';
	END IF;
	-- Other processes of the same worker may have said hello since.
	IF current_setting('scopa.engine', true) <> '' THEN
		me.engine := current_setting('scopa.engine');
		me.labels := current_setting('scopa.labels');
	END IF;
	RETURN me;
END $$;

-- Why a worker cannot play a run, or null.
CREATE OR REPLACE FUNCTION scopa.refusal(me scopa.worker, r scopa.run) RETURNS text
LANGUAGE sql IMMUTABLE AS $$
	SELECT CASE
	WHEN me.quarantined THEN
		'this worker is in quarantine until the organiser releases it'
	WHEN me.engine <> r.engine THEN
		format('the run needs the program "%s", and this is "%s"',
			r.engine, me.engine)
	WHEN NOT string_to_array(r.labels, ',') <@
		string_to_array(me.labels, ',') THEN
		format('the run needs workers with the labels %s', r.labels)
	WHEN r.trusted_only AND NOT me.trusted THEN
		'the run is for workers that the organiser trusts'
	END
$$;

CREATE OR REPLACE FUNCTION scopa.hello(its_key bytea, its_engine text, its_labels text,
	its_host text, its_cores bigint, its_speed double precision,
	its_games_per_s double precision, its_lag_s double precision,
	utc_ns bigint)
RETURNS TABLE (name text, trusted boolean, quarantined boolean,
	clock_ahead_s double precision)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
#variable_conflict use_column
DECLARE
	me scopa.worker := scopa.me();
BEGIN
	IF me.key <> its_key THEN
		RAISE EXCEPTION USING ERRCODE = 'SC403', MESSAGE = format(
			'the key of worker %s is not the one that is enrolled',
			me.name), HINT = format('start it with the file of '
			'that key (--key), or the organiser calls '
			'`scopa-arena workers enroll %s --replace --key %s '
			'--store URL`', me.name, encode(its_key, 'hex'));
	END IF;
	PERFORM set_config('scopa.engine', left(its_engine, 127), false),
		set_config('scopa.labels', left(its_labels, 255), false);
	RETURN QUERY UPDATE scopa.worker AS w SET
		engine = left(its_engine, 127), labels = left(its_labels, 255),
		host = left(its_host, 63),
		cores = least(greatest(its_cores, 0), 65536),
		speed = its_speed, games_per_s = its_games_per_s,
		lag_s = its_lag_s, seen = clock_timestamp(),
		clock_ahead_s = utc_ns / 1e9 -
			extract(epoch FROM clock_timestamp())
	WHERE w.id = me.id
	RETURNING w.name, w.trusted, w.quarantined, w.clock_ahead_s;
END $$;

CREATE OR REPLACE FUNCTION scopa.runs()
RETURNS TABLE (id bigint, uid text, name text, engine text, labels text,
	trusted_only boolean, lease_s integer, spec text, refusal text)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
#variable_conflict use_column
DECLARE
	me scopa.worker := scopa.me();
BEGIN
	RETURN QUERY SELECT r.id, r.uid, r.name, r.engine, r.labels,
		r.trusted_only, r.lease_s, r.spec, scopa.refusal(me, r)
	FROM scopa.run AS r WHERE r.state = 'open' ORDER BY r.id;
END $$;

-- Checks that the worker may play the run.
CREATE OR REPLACE FUNCTION scopa.run_of(me scopa.worker, of_run bigint) RETURNS scopa.run
LANGUAGE plpgsql AS $$
DECLARE
	r scopa.run;
BEGIN
	SELECT * INTO r FROM scopa.run WHERE id = of_run;
	IF NOT FOUND THEN
		RAISE EXCEPTION USING ERRCODE = 'SC410',
			MESSAGE = 'the run has ended';
	ELSIF scopa.refusal(me, r) IS NOT NULL THEN
		RAISE EXCEPTION USING ERRCODE = 'SC409',
			MESSAGE = scopa.refusal(me, r);
	END IF;
	RETURN r;
END $$;

CREATE OR REPLACE FUNCTION scopa.bundle_get(of_run bigint, of_digest bytea) RETURNS bytea
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
	me scopa.worker := scopa.me();
	r scopa.run := scopa.run_of(me, of_run);
BEGIN
	RETURN (SELECT bytes FROM scopa.bundle JOIN scopa.run_bundle
		USING (digest) WHERE run = r.id AND digest = of_digest);
END $$;

-- Blocks that a worker may begin now, in the order of the schedule.
CREATE OR REPLACE FUNCTION scopa.ready(me scopa.worker, r scopa.run, at_most bigint,
	losses_most integer) RETURNS SETOF scopa.lease
LANGUAGE sql AS $$
	SELECT * FROM scopa.lease AS l
	WHERE l.run = r.id AND l.block >= r.head AND
		NOT l.claimed AND NOT l.paused AND
		l.losses <= losses_most AND
		l.excluded IS DISTINCT FROM me.id AND
		(l.copy = 0 OR me.trusted AND l.first <> me.id) AND
		NOT (me.trusted AND l.copy = 0 AND EXISTS (
			SELECT FROM scopa.lease AS other
			WHERE other.run = r.id AND
				other.block = l.block AND
				other.copy = 1 AND
				other.worker = me.id))
	ORDER BY l.run, l.block, l.copy
	LIMIT least(at_most, 256)
	FOR NO KEY UPDATE SKIP LOCKED
$$;

-- A block that was lost with its worker is claimed alone, as soon as it is the first.
-- A worker that plays such a block already (`busy`) gets other blocks as long as there
-- are any, first those that were lost least often.
CREATE OR REPLACE FUNCTION scopa.claim(of_run bigint, at_most bigint, busy boolean)
RETURNS TABLE (block bigint, copy smallint, attempt integer, job text,
	lost boolean)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
#variable_conflict use_column
DECLARE
	me scopa.worker := scopa.me();
	r scopa.run := scopa.run_of(me, of_run);
	chosen scopa.lease[];
BEGIN
	IF r.state <> 'open' THEN
		RETURN;
	END IF;
	PERFORM scopa.expire(of_run);
	IF NOT busy THEN
		SELECT array_agg(l) INTO chosen
		FROM scopa.ready(me, r, 1, 10) AS l;
	END IF;
	IF busy OR at_most > 1 AND (chosen[1]).losses = 0 THEN
		SELECT array_agg(l) INTO chosen
		FROM scopa.ready(me, r, at_most, 0) AS l;
	END IF;
	FOR most IN 1 .. 10 LOOP
		EXIT WHEN chosen IS NOT NULL OR NOT busy;
		SELECT array_agg(l) INTO chosen
		FROM scopa.ready(me, r, 1, most) AS l;
	END LOOP;
	RETURN QUERY
	WITH mine AS (
		UPDATE scopa.lease AS l SET claimed = true, worker = me.id,
			attempt = l.attempt + 1, progress = 0,
			until = clock_timestamp() +
				make_interval(secs => r.lease_s)
		FROM unnest(chosen) AS chosen
		WHERE l.run = chosen.run AND l.block = chosen.block AND
			l.copy = chosen.copy
		RETURNING l.run, l.block, l.copy, l.attempt, l.losses
	)
	SELECT mine.block, mine.copy, mine.attempt,
		(SELECT j.text FROM scopa.job AS j WHERE j.run = mine.run AND
			j.block = mine.block AND j.copy = mine.copy),
		mine.losses > 0
	FROM mine ORDER BY 1, 2;
	IF FOUND AND NOT EXISTS (SELECT FROM scopa.played
		WHERE run = of_run AND worker = me.id)
	THEN
		INSERT INTO scopa.played (run, worker) VALUES (of_run, me.id)
		ON CONFLICT DO NOTHING;
	END IF;
END $$;

-- Returns for each job whether its lease is lost.
CREATE OR REPLACE FUNCTION scopa.renew(of_run bigint, blocks bigint[], copies bigint[],
	attempts bigint[], progresses bigint[]) RETURNS SETOF boolean
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
	me scopa.worker := scopa.me();
BEGIN
	WITH given AS MATERIALIZED (
		SELECT of_run AS run, * FROM unnest(blocks, copies, attempts,
			progresses) AS given (block, copy, attempt, progress)
	)
	UPDATE scopa.lease AS l SET claimed = true, paused = false,
		progress = given.progress, until = clock_timestamp() +
			make_interval(secs => (SELECT lease_s FROM scopa.run
				WHERE id = of_run))
	FROM given
	WHERE l.run = given.run AND l.block = given.block AND
		l.copy = given.copy AND l.attempt = given.attempt AND
		l.worker = me.id AND NOT l.done AND
		l.progress <> given.progress;
	RETURN QUERY SELECT NOT EXISTS (SELECT FROM scopa.lease AS l
		WHERE l.run = of_run AND l.block = given.block AND
			l.copy = given.copy AND l.attempt = given.attempt AND
			l.worker = me.id AND NOT l.done)
	FROM unnest(blocks, copies, attempts) WITH ORDINALITY
		AS given (block, copy, attempt, place)
	ORDER BY place;
END $$;

-- Returns for each result: 0: it counts, or was stored already; 1: this worker
-- does not have the block any more; 2: this worker has sent another result for
-- this attempt.
CREATE OR REPLACE FUNCTION scopa.finish(of_run bigint, blocks bigint[], copies bigint[],
	attempts bigint[], heads text[], records bytea[], signatures bytea[])
RETURNS SETOF integer
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
#variable_conflict use_column
DECLARE
	me scopa.worker := scopa.me();
	outcomes integer[];
	block_count bigint;
	game_count bigint;
BEGIN
	IF EXISTS (SELECT FROM unnest(heads, records) AS given (head, record)
		WHERE length(head) > 262144 OR length(record) > 67108864)
	THEN
		RAISE EXCEPTION USING ERRCODE = 'SC413',
			MESSAGE = 'a result is too large';
	END IF;
	WITH given AS MATERIALIZED (
		SELECT of_run AS run, *,
			sha256(convert_to(head, 'UTF8') || record) AS digest
		FROM unnest(blocks, copies, attempts, heads, records,
			signatures) WITH ORDINALITY AS given (block, copy,
			attempt, head, record, signature, place)
	), mine AS (
		UPDATE scopa.lease AS l SET done = true, claimed = true,
			paused = false, reason = NULL
		FROM given
		WHERE l.run = given.run AND l.block = given.block AND
			l.copy = given.copy AND l.attempt = given.attempt AND
			l.worker = me.id AND NOT l.done
		RETURNING given.*
	), kept AS (
		INSERT INTO scopa.result
		SELECT run, block, copy, attempt, me.id, false, digest,
			signature, head, record
		FROM mine
		ON CONFLICT DO NOTHING
	), audits AS (
		UPDATE scopa.lease AS l SET first = me.id
		FROM mine
		WHERE mine.copy = 0 AND l.run = mine.run AND
			l.block = mine.block AND l.copy = 1
	), judged AS (
		SELECT given.place, mine.place IS NOT NULL AS fresh, CASE
			WHEN mine.place IS NOT NULL THEN 0
			ELSE coalesce((SELECT CASE
				WHEN r.digest = given.digest THEN 0
				WHEN r.worker = me.id AND
					r.attempt = given.attempt THEN 2
				END
				FROM scopa.result AS r
				WHERE r.run = given.run AND
					r.block = given.block AND
					r.copy = given.copy), 1)
			END AS outcome, CASE
			WHEN mine.place IS NOT NULL THEN
				(SELECT games FROM scopa.job AS j
				WHERE j.run = given.run AND
					j.block = given.block AND
					j.copy = given.copy)
			END AS games
		FROM given LEFT JOIN (SELECT place FROM mine) AS mine
			ON mine.place = given.place
	)
	SELECT array_agg(outcome ORDER BY place), count(*) FILTER (WHERE fresh),
		sum(games)
	INTO outcomes, block_count, game_count FROM judged;
	IF block_count > 0 THEN
		UPDATE scopa.played SET blocks = blocks + block_count,
			games = games + game_count
		WHERE run = of_run AND worker = me.id;
		UPDATE scopa.run SET idle = false WHERE id = of_run AND idle;
		IF FOUND THEN
			PERFORM pg_notify('scopa_results', of_run::text);
		END IF;
	END IF;
	IF 2 = ANY (outcomes) THEN
		INSERT INTO scopa.conflict
		SELECT of_run, block, copy, attempt, me.id, clock_timestamp(),
			signature, head, record
		FROM unnest(blocks, copies, attempts, heads, records,
			signatures, outcomes) AS given (block, copy, attempt,
			head, record, signature, outcome)
		WHERE outcome = 2
		ON CONFLICT DO NOTHING;
		UPDATE scopa.result AS r SET conflict = true
		FROM unnest(blocks, copies, outcomes)
			AS given (block, copy, outcome)
		WHERE outcome = 2 AND r.run = of_run AND
			r.block = given.block AND r.copy = given.copy;
		UPDATE scopa.lease AS l SET given = 0
		FROM unnest(blocks, copies, outcomes)
			AS given (block, copy, outcome)
		WHERE outcome = 2 AND l.run = of_run AND
			l.block = given.block AND l.copy = given.copy;
	END IF;
	RETURN QUERY SELECT unnest(outcomes);
END $$;

-- Does nothing if the lease is lost.
CREATE OR REPLACE FUNCTION scopa.release(of_run bigint, of_block bigint, of_copy bigint,
	of_attempt bigint, why text) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
	me scopa.worker := scopa.me();
	old scopa.lease;
BEGIN
	SELECT * INTO old FROM scopa.lease
	WHERE run = of_run AND block = of_block AND copy = of_copy AND
		attempt = of_attempt AND worker = me.id AND NOT done
	FOR NO KEY UPDATE;
	IF NOT FOUND THEN
		RETURN;
	END IF;
	IF why LIKE 'keys%' THEN
		old.paused := true;
		old.reason := left(why, 500);
	ELSIF why IS NOT NULL THEN
		old := scopa.fail(old, left(why, 400));
	END IF;
	UPDATE scopa.lease SET claimed = false, worker = NULL,
		failures = old.failures, paused = old.paused,
		reason = old.reason
	WHERE run = of_run AND block = of_block AND copy = of_copy;
	IF old.paused THEN
		PERFORM pg_notify('scopa_results', of_run::text);
	ELSE
		PERFORM pg_notify('scopa_jobs', '');
	END IF;
END $$;

-- These functions find leases by their keys, and their plans are made once.  Without
-- these settings the server would plan for a table that is nearly empty; and the high
-- cost of a plan that is switched off would make it compile the plan.
DO $$
DECLARE
	name text;
	setting text;
BEGIN
	FOREACH name IN ARRAY ARRAY['put', 'expire', 'results', 'settle',
		'claim', 'renew', 'finish']
	LOOP
		EXECUTE format('ALTER FUNCTION scopa.%I '
			'SET plan_cache_mode = force_generic_plan', name);
		FOREACH setting IN ARRAY ARRAY['enable_seqscan',
			'enable_bitmapscan', 'enable_hashjoin',
			'enable_mergejoin', 'jit']
		LOOP
			EXECUTE format('ALTER FUNCTION scopa.%I SET %I = off',
				name, setting);
		END LOOP;
	END LOOP;
END $$;

REVOKE ALL ON ALL FUNCTIONS IN SCHEMA scopa FROM PUBLIC;
GRANT USAGE ON SCHEMA scopa TO scopa_worker;
GRANT EXECUTE ON FUNCTION scopa.version_check, scopa.hello, scopa.runs,
	scopa.bundle_get, scopa.claim, scopa.renew, scopa.finish, scopa.release
	TO scopa_worker;
