// Two plugins: one changes every exchange, one looks at every call.

import Convoy
import ConvoyServer

struct Failed: Error { var what: String }

/// Gives every request the time and the call it belongs to.
struct Stamp: Plugin {
    func exchange(_ request: Request, context: Context, next: Next) async throws -> Response {
        var request = request
        request.headers["X-Sent-At"] = context.now.description
        request.headers["X-Call"] = context.call.description
        return try await next(request)
    }
}

/// Says how long each call took, whatever came of it.
struct Timing: Plugin {
    func call(_ request: Request, context: Context, next: Next) async throws -> Response {
        let start = ContinuousClock.now
        do {
            let response = try await next(request)
            print("\(request): \(response.statusLine) in \(ContinuousClock.now - start)")
            return response
        } catch {
            print("\(request): failed in \(ContinuousClock.now - start)")
            throw error
        }
    }
}

var routes = Routes()
routes.on(.get, "/call") { .text($0.headers["X-Call"] ?? "none") }
let server = try Server(routes: routes)
let client = Client(baseURL: server.url.origin) { $0.plugins = [Timing(), Stamp()] }

let response = try await client.get("call")
let seen = try response.text()
guard seen == response.call?.description else { throw Failed(what: "the server saw \(seen)") }

do {
    _ = try await client.get("nowhere")
    throw Failed(what: "no error came")
} catch let error as ConvoyError where error.code == .unacceptableStatus {
    print("the server saw \(seen); the second call was refused: \(error.message)")
}

await client.shutdown()
server.stop()
