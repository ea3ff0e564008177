-- Adapter for the JSON parsers of Lua: lua adapter.lua cjson|dkjson
local name = arg[1] or "dkjson"
local library = require(name)

local function answer(body)
  io.stdout:write(string.pack(">s4", body))
  io.stdout:flush()
end

local function decode(text)
  if name == "cjson" then
    return library.decode(text)
  end
  local value, position, why = library.decode(text, 1, library.null)
  if why then
    error(why, 0)
  end
  if text:find("[^ \t\r\n]", position) then
    error("more after the value", 0)
  end
  return value
end

answer("I" .. string.format('{"name":"%s","version":"%s","language":"Lua"}', name, (library._VERSION or library.version):match("[%d.]+")))
while true do
  local head = io.read(4)
  if not head then
    break
  end
  local size = string.unpack(">I4", head)
  local text = size > 0 and io.read(size) or ""
  local read, value = pcall(decode, text)
  if not read then
    answer("R" .. tostring(value):sub(1, 1000))
  else
    local could, written = pcall(library.encode, value)
    answer(could and "A" .. written or "a")
  end
end
