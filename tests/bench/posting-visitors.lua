-- Posts BODY from 10,000 visitors in turn, with the number of each request in the place of #: each is another person.
local n, visitors = 0, 10000
local body = os.getenv("BODY")
wrk.method = "POST"
wrk.headers["Content-Type"] = "application/json"
wrk.headers["Origin"] = os.getenv("ORIGIN")
request = function()
  n = n + 1
  local visitor = n % visitors
  wrk.headers["X-Forwarded-For"] = string.format("10.0.%d.%d", math.floor(visitor / 256), visitor % 256)
  return wrk.format(nil, nil, nil, (body:gsub("#", n)))
end
