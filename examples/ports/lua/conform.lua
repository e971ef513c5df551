-- Speaks the protocol of docs/conformance.md for slotkey.lua.

package.path = arg[0]:match("^(.-)[^/]*$") .. "?.lua;" .. package.path
local slotkey = require("slotkey")

local byte = {} -- byte["0a"] is the character 10
for i = 0, 255 do byte[("%02x"):format(i)] = string.char(i) end

local function key(field)
  if field == "-" then return nil end
  return (field:gsub("..", byte))
end

local function hex(bytes)
  return (bytes:gsub(".", function(c) return ("%02x"):format(c:byte()) end))
end

local function hashes(k)
  local state = slotkey.fnv1a32(k)
  return ("%08x\t%08x"):format(state, slotkey.fmix32(state))
end

local operations = {}

function operations.hash(k) return hashes(key(k)) end

function operations.slot(k, size)
  k = key(k)
  local slot = slotkey.slot(k, math.tointeger(size))
  return hashes(k) .. "\t" .. slot
end

function operations.owns(k, size, index)
  return tostring(slotkey.owns(key(k), math.tointeger(size), math.tointeger(index)))
end

function operations.key(subject, id)
  local k = slotkey.routing_key(key(subject), key(id))
  return k and hex(k) or "-"
end

function operations.deal(slots, members)
  return table.concat(slotkey.deal(math.tointeger(slots), math.tointeger(members)), ",")
end

io.write("slotkey-port/1\tLua\t", _VERSION:match("[%d.]+"), "\tnul bytes deal\n")
io.stdout:flush()
io.stdout:setvbuf("full")
for line in io.lines() do
  local fields = {}
  for field in (line .. "\t"):gmatch("([^\t]*)\t") do fields[#fields + 1] = field end
  local ok, answer = pcall(operations[fields[2]], table.unpack(fields, 3))
  io.write(fields[1], ok and "\t" or "\terror\t", answer, "\n")
end
