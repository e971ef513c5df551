-- Speaks the protocol of docs/conformance.md for slotkey.sql:
--
--     psql -X -q -f conform.sql
--
-- It takes in all requests and then answers them, in a transaction that is rolled back: nothing stays in the database.

\set ON_ERROR_STOP on
BEGIN;
CREATE SCHEMA conform;
SET LOCAL search_path = conform;
\ir slotkey.sql

-- By way of a text where the bytes are UTF-8 without NUL, as in a query; else null.
CREATE FUNCTION as_text(key bytea) RETURNS text LANGUAGE plpgsql AS $$
BEGIN
    RETURN convert_from(key, 'UTF8');
EXCEPTION WHEN character_not_in_repertoire OR untranslatable_character THEN
    RETURN NULL;
END
$$;

CREATE FUNCTION hex32(h bigint) RETURNS text LANGUAGE sql AS $$ SELECT lpad(to_hex(h), 8, '0') $$;

CREATE FUNCTION hashes(key bytea) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
    state bigint := slotkey_fnv1a32(key);
BEGIN
    RETURN hex32(state) || E'\t' || hex32(slotkey_fmix32(state));
END
$$;

CREATE FUNCTION attribute(field text) RETURNS bytea LANGUAGE sql AS $$
    SELECT CASE WHEN field <> '-' THEN decode(field, 'hex') END
$$;

CREATE FUNCTION answer(f text[]) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
    key bytea;
    txt text;
BEGIN
    IF f[2] = 'key' THEN
        RETURN coalesce(encode(slotkey_routing_key(attribute(f[3]), attribute(f[4])), 'hex'), '-');
    END IF;
    key := decode(f[3], 'hex');
    txt := as_text(key);
    CASE f[2]
    WHEN 'hash' THEN
        RETURN hashes(key);
    WHEN 'slot' THEN
        RETURN hashes(key) || E'\t'
            || CASE WHEN txt IS NULL THEN slotkey_slot(key, f[4]::bigint) ELSE slotkey_slot(txt, f[4]::bigint) END;
    WHEN 'owns' THEN
        RETURN CASE WHEN txt IS NULL THEN slotkey_owns(key, f[4]::bigint, f[5]::bigint)
            ELSE slotkey_owns(txt, f[4]::bigint, f[5]::bigint) END;
    END CASE;
EXCEPTION WHEN numeric_value_out_of_range OR case_not_found THEN
    RETURN E'error\t' || SQLERRM;
END
$$;

CREATE TABLE request (line text);
SELECT concat_ws(E'\t', 'slotkey-port/1', 'SQL', 'PostgreSQL ' || split_part(current_setting('server_version'), ' ', 1), 'nul bytes') AS hello \gset
\echo :hello
-- Lines as they are: with neither a delimiter nor a quote that occurs in them.
\copy request FROM pstdin WITH (FORMAT csv, DELIMITER E'\x01', QUOTE E'\x02')
\copy (SELECT f[1] || E'\t' || answer(f) FROM (SELECT string_to_array(line, E'\t') AS f FROM request) AS r ORDER BY f[1]::bigint) TO pstdout WITH (FORMAT csv, DELIMITER E'\x01', QUOTE E'\x02')
ROLLBACK;
