-- Posts the body given after `--`, each time from another visitor with another mailbox.
local n = 0
init = function(args)
  body = args[1]
  wrk.headers["Content-Type"] = "application/json"
end
request = function()
  n = n + 1
  wrk.headers["X-Forwarded-For"] =
    string.format("10.%d.%d.%d", math.floor(n / 65536) % 256, math.floor(n / 256) % 256, n % 256)
  return wrk.format("POST", nil, nil, (body:gsub("jane@", "jane-" .. n .. "@")))
end
