// An answer read line by line while it comes, with progress.

import Convoy
import ConvoyServer
import Dispatch

struct Failed: Error { var what: String }

let total = 5000
var routes = Routes()
routes.on(.get, "/log") { _ in
    .text((1...total).map { "line \($0) of a long log that comes piece by piece\n" }.joined())
}
let server = try Server(routes: routes)
let client = Client(baseURL: server.url.origin)

var request = Request(.get, "log")
request.progress = ProgressHandler(on: DispatchQueue(label: "progress")) { progress in
    let percent = progress.fractionReceived.map { "\(Int($0 * 100)) %" } ?? "of unknown size"
    print("\(progress.received) bytes, \(percent)")
}

// The body is a sequence of pieces of any size, so a line may end in a later piece than it begins. While nobody asks
// for the next piece the server waits.
let response = try await client.stream(request)
var rest = ""
var lines = 0
for try await piece in response.body {
    rest += String(decoding: piece, as: UTF8.self)
    var parts = rest.split(separator: "\n", omittingEmptySubsequences: false)
    rest = String(parts.removeLast())
    lines += parts.count
}

print("\(lines) lines")
guard lines == total, rest.isEmpty else { throw Failed(what: "\(lines) lines came, and \(rest) behind them") }

await client.shutdown()
server.stop()
