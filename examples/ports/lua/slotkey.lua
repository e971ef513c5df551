-- Which member of a group owns an event: the slotkey rule "fnv1a32-fmix32 subject,id". Lua 5.3 or newer.
--
-- Every member of a group receives every event and keeps those whose slot it holds. Members in all languages agree,
-- because all compute: key = subject, else id; hash = FNV-1a (32 bit) over the key's bytes in UTF-8, then MurmurHash3's
-- finalizer; slot = hash mod size, unsigned. The rule never changes. Keys are taken as they are: no trimming, no folding, no
-- normalisation. A string is its bytes, valid UTF-8 or not.
--
--     if not slotkey.owns(key, 3, 1) then return end -- acknowledge and forget: another member has it

local slotkey = { MAX_SIZE = 1024 }

-- The key of an event, or nil where it has none. An attribute that is nil or empty is absent.
function slotkey.routing_key(subject, id)
  if subject and subject ~= "" then return subject end
  if id and id ~= "" then return id end
  return nil
end

-- The first stage of the hash. Integers have 64 bits and wrap, so the low 32 are always right.
function slotkey.fnv1a32(key)
  local h = 2166136261
  for i = 1, #key do
    h = (h ~ key:byte(i)) * 16777619 & 0xffffffff
  end
  return h
end

-- The second stage of the hash.
function slotkey.fmix32(h)
  h = (h ~ h >> 16) * 0x85ebca6b & 0xffffffff
  h = (h ~ h >> 13) * 0xc2b2ae35 & 0xffffffff
  return h ~ h >> 16
end

-- The hash of a key, 0 to 2^32 - 1.
function slotkey.hash32(key)
  return slotkey.fmix32(slotkey.fnv1a32(key))
end

-- The slot of a key in a group of size slots, from 0.
function slotkey.slot(key, size)
  if math.type(size) ~= "integer" or size < 1 or size > slotkey.MAX_SIZE then
    error(("size %s is not 1 to %d"):format(size, slotkey.MAX_SIZE), 0)
  end
  return slotkey.hash32(key) % size
end

-- Whether the member that holds slot index owns the key.
function slotkey.owns(key, size, index)
  if math.type(index) ~= "integer" or index < 0 or index >= size then
    error(("index %s is not below size %s"):format(index, size), 0)
  end
  return slotkey.slot(key, size) == index
end

-- The holders of slots 0 to slots - 1, if members share them: balanced, and stable when members change. The holder of slot s is
-- at s + 1.
function slotkey.deal(slots, members)
  if members < 1 or members > slots or slots > slotkey.MAX_SIZE then
    error(("%d members cannot share %d slots"):format(members, slots), 0)
  end
  local hands = { {} }
  for s = 0, slots - 1 do hands[1][s + 1] = s end
  while #hands < members do
    local taken = {}
    for n = 1, slots // (#hands + 1) do
      local giver = hands[1]
      for _, hand in ipairs(hands) do
        if #hand >= #giver then giver = hand end
      end
      taken[n] = table.remove(giver)
    end
    table.sort(taken)
    hands[#hands + 1] = taken
  end
  local holders = {}
  for member, hand in ipairs(hands) do
    for _, s in ipairs(hand) do holders[s + 1] = member - 1 end
  end
  return holders
end

return slotkey
