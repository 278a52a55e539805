-- The requests come from 2,000 visitors in turn: a call counts toward a limit of each address.
local n, visitors = 0, 2000
request = function()
  n = (n + 1) % visitors
  wrk.headers["X-Forwarded-For"] = string.format("10.0.%d.%d", math.floor(n / 256), n % 256)
  return wrk.format()
end
