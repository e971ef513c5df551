-- Which member of a group owns an event: the slotkey rule "fnv1a32-fmix32 subject,id". PostgreSQL 11 or newer.
--
-- Every member of a group receives every event and keeps those whose slot it holds. Members in all languages agree,
-- because all compute: key = subject, else id; hash = FNV-1a (32 bit) over the key's bytes in UTF-8, then MurmurHash3's
-- finalizer; slot = hash mod size, unsigned. The rule never changes. Keys are taken as they are: no trimming, no folding, no
-- normalisation. A text counts as its UTF-8, whatever the database's encoding; a bytea as its bytes, valid UTF-8 or not.
--
--     SELECT … FROM event WHERE slotkey_owns(slotkey_routing_key(subject, id), 3, 1);  -- the others' events are left out
--
-- All functions are immutable: an index on slotkey_slot(slotkey_routing_key(subject, id), 360), or a generated column,
-- makes such a query read only its own rows. A null key has a null slot.

-- The key of an event, or null where it has none. An attribute that is null or empty is absent.
CREATE FUNCTION slotkey_routing_key(subject text, id text) RETURNS text
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    AS $$ SELECT coalesce(nullif(subject, ''), nullif(id, '')) $$;

CREATE FUNCTION slotkey_routing_key(subject bytea, id bytea) RETURNS bytea
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    AS $$ SELECT coalesce(nullif(subject, ''), nullif(id, '')) $$;

-- The first stage of the hash. A bigint, because an integer is signed; a product stays below 2^57.
CREATE FUNCTION slotkey_fnv1a32(key bytea) RETURNS bigint
    LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE
    AS $$
DECLARE
    h bigint := 2166136261;
BEGIN
    FOR i IN 0 .. length(key) - 1 LOOP
        h := (h # get_byte(key, i)) * 16777619 & 4294967295;
    END LOOP;
    RETURN h;
END
$$;

-- a * b modulo 2^32, in halves: PostgreSQL refuses a product beyond 2^63.
CREATE FUNCTION slotkey_multiply(a bigint, b bigint) RETURNS bigint
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
    AS $$ SELECT ((a & 65535) * b + (((a >> 16) * b & 65535) << 16)) & 4294967295 $$;

-- The second stage of the hash. # and >> bind alike, from the left: hence the parentheses.
CREATE FUNCTION slotkey_fmix32(h bigint) RETURNS bigint
    LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE
    AS $$
BEGIN
    h := slotkey_multiply(h # (h >> 16), 2246822507);
    h := slotkey_multiply(h # (h >> 13), 3266489909);
    RETURN h # (h >> 16);
END
$$;

-- The hash of a key, 0 to 2^32 - 1.
CREATE FUNCTION slotkey_hash32(key bytea) RETURNS bigint
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
    AS $$ SELECT slotkey_fmix32(slotkey_fnv1a32(key)) $$;

CREATE FUNCTION slotkey_hash32(key text) RETURNS bigint
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
    AS $$ SELECT slotkey_hash32(convert_to(key, 'UTF8')) $$;

-- The slot of a key in a group of size slots, from 0.
CREATE FUNCTION slotkey_slot(key bytea, size bigint) RETURNS integer
    LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE
    AS $$
BEGIN
    IF size NOT BETWEEN 1 AND 1024 THEN
        RAISE numeric_value_out_of_range USING MESSAGE = format('size %s is not 1 to 1024', size);
    END IF;
    RETURN slotkey_hash32(key) % size;
END
$$;

CREATE FUNCTION slotkey_slot(key text, size bigint) RETURNS integer
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
    AS $$ SELECT slotkey_slot(convert_to(key, 'UTF8'), size) $$;

-- Whether the member that holds slot index owns the key.
CREATE FUNCTION slotkey_owns(key bytea, size bigint, index bigint) RETURNS boolean
    LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE
    AS $$
BEGIN
    IF index < 0 OR index >= size THEN
        RAISE numeric_value_out_of_range USING MESSAGE = format('index %s is not below size %s', index, size);
    END IF;
    RETURN slotkey_slot(key, size) = index;
END
$$;

CREATE FUNCTION slotkey_owns(key text, size bigint, index bigint) RETURNS boolean
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
    AS $$ SELECT slotkey_owns(convert_to(key, 'UTF8'), size, index) $$;
