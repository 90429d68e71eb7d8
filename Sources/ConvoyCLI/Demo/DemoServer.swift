import ConvoyCompression
import ConvoyCore
import ConvoyServer
import Synchronization

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

extension Routes {
    /// The routes of the tour: those of `convoy serve`, and some that misbehave.
    static func demo() -> Routes {
        var routes = Routes()
        let attempts = Counter()
        routes.on(.get, "/flaky") { _ in
            attempts.next().isMultiple(of: 2) ? .text("here at last\n") : .text("busy\n", status: .serviceUnavailable)
        }
        routes.handle(.post, "/upload") { exchange in
            var count = 0
            while let piece = try exchange.readPiece() { count += piece.count }
            try exchange.respond(.json("{\"bytes\": \(count)}"))
        }
        routes.on(.get, "/page") { request in
            let coding = request.headers[.acceptEncoding] ?? ""
            let page = Data(String(repeating: "The caravan moves on. ", count: 3000).utf8)
            guard let coded = try Compression.standard.encode(page, as: coding) else { return .bytes(page) }
            var response = ServerResponse.bytes(coded, contentType: "text/plain")
            response.headers[.contentEncoding] = coding
            return response
        }
        // Says a thousand bytes, sends ten, and goes.
        routes.handle(.get, "/cut") { exchange in
            try exchange.begin(ServerResponse(headers: [.contentType: "text/plain", .contentLength: "1000"]))
            try exchange.write(Data("0123456789".utf8))
            exchange.close()
        }
        // A gzip stream without its end, framed as if it were complete.
        routes.on(.get, "/cut-gzip") { _ in
            let whole = try Compression.standard.encode(Data("The caravan moves on.".utf8), as: "gzip") ?? Data()
            var response = ServerResponse.bytes(whole.dropLast(9), contentType: "text/plain")
            response.headers[.contentEncoding] = "gzip"
            return response
        }
        routes.append(.echo(Compression.standard))
        return routes
    }

    private final class Counter: Sendable {
        private let value = Atomic(0)
        func next() -> Int { value.add(1, ordering: .relaxed).newValue }
    }
}

/// What the echo routes answer, as far as the tour looks at it.
struct EchoAnswer: Decodable, Sendable {
    var args: [String: String]
    var headers: [String: String]
    var data: String
    var url: String
}
