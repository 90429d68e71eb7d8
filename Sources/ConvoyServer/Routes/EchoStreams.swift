import ConvoyCore

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

extension Routes {
    /// Bodies that take their time, or much room.
    mutating func addStreams() {
        handle(nil, "/delay/:seconds") { exchange in
            try exchange.readBody()
            let text = exchange.request.parameters["seconds"] ?? ""
            guard let seconds = Double(text), (0...60).contains(seconds) else {
                return try exchange.respond(.badNumber("seconds", 0...60))
            }
            try exchange.pause(for: .seconds(seconds))
            try exchange.respond(.json(encoding: Echo.all(of: exchange.request)))
        }
        handle(.get, "/bytes/:count") { exchange in
            let bounds = 0...(4 << 30)
            guard let count = exchange.request.number("count", in: bounds) else {
                return try exchange.respond(.badNumber("count", bounds))
            }
            let fields: Headers = [.contentType: "application/octet-stream", .contentLength: String(count)]
            try exchange.begin(ServerResponse(headers: fields))
            // Every byte tells its place: the position modulo 256.
            let block = Data((0..<65536).map { UInt8(truncatingIfNeeded: $0) })
            var left = count
            while left > 0, exchange.request.method != .head {
                try exchange.write(block.prefix(left))
                left -= min(left, block.count)
            }
            try exchange.end()
        }
        on(.get, "/stream/:count") { request in
            guard let count = request.number("count", in: 0...10_000) else { return .badNumber("count", 0...10_000) }
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
            var echo = Echo.all(of: request)
            let pieces = try (0..<count).map { index in
                echo["id"] = .integer(Int64(index))
                return ServerResponse.Piece(try encoder.encode(echo) + Data("\n".utf8))
            }
            var response = ServerResponse(headers: [.contentType: "application/json"], pieces: pieces)
            response.isChunked = true
            return response
        }
        on(.get, "/drip") { request in
            guard let count = request.queryNumber("numbytes", in: 0...10_000, default: 10),
                let seconds = request.queryNumber("duration", in: 0...60, default: 2),
                let delay = request.queryNumber("delay", in: 0...60, default: 0),
                let code = request.queryNumber("code", in: 200...599, default: 200)
            else {
                let bounds = "numbytes is 0 to 10000, duration and delay 0 to 60, code 200 to 599"
                return .text("\(bounds)\n", status: .badRequest)
            }
            let pieces = (0..<Int(count)).map { index in
                let pause = index == 0 ? delay : seconds / max(1, count - 1)
                return ServerResponse.Piece(Data("*".utf8), delay: .seconds(pause))
            }
            return ServerResponse(
                Status(Int(code)), headers: [.contentType: "application/octet-stream"], pieces: pieces)
        }
        on(.get, "/sse") { request in
            guard let count = request.queryNumber("count", in: 0...10_000, default: 3),
                let delay = request.queryNumber("delay", in: 0...60, default: 0)
            else { return .text("count is 0 to 10000, delay 0 to 60\n", status: .badRequest) }
            let pieces = (0..<Int(count)).map { index in
                let event = "id: \(index)\nevent: tick\ndata: {\"count\": \(index)}\n\n"
                return ServerResponse.Piece(Data(event.utf8), delay: .seconds(delay))
            }
            var response = ServerResponse(
                headers: [.contentType: "text/event-stream", .cacheControl: "no-store"], pieces: pieces)
            response.isChunked = true
            return response
        }
    }
}
