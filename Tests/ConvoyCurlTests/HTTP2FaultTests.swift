import ConvoyCore
import ConvoyServer
import ConvoyTesting
import Foundation
import Testing

@testable import ConvoyCurl

/// HTTP/2 servers that misbehave, frame by frame (RFC 9113): B019, B047, B048, B135. The server says its part without
/// looking at what comes: it speaks on a clear connection to a client that knows it does.
@Suite struct HTTP2FaultTests {
    private enum Frame {
        static func frame(_ type: UInt8, flags: UInt8 = 0, stream: UInt32 = 0, _ payload: [UInt8] = []) -> Data {
            let length = payload.count
            let header = [UInt8(length >> 16 & 255), UInt8(length >> 8 & 255), UInt8(length & 255), type, flags]
            return Data(header + number(stream) + payload)
        }

        static func number(_ value: UInt32) -> [UInt8] {
            [UInt8(value >> 24), UInt8(value >> 16 & 255), UInt8(value >> 8 & 255), UInt8(value & 255)]
        }

        static let settings = frame(4) + frame(4, flags: 1)
        /// `:status: 200` from the static table; the stream goes on.
        static let headers = frame(1, flags: 4, stream: 1, [0x88])
        static func data(_ text: String, isLast: Bool) -> Data {
            frame(0, flags: isLast ? 1 : 0, stream: 1, Array(text.utf8))
        }
        static func reset(_ code: UInt32) -> Data { frame(3, stream: 1, number(code)) }
        static func goAway(last: UInt32, _ code: UInt32) -> Data { frame(7, number(last) + number(code)) }
        static func frame(_ type: UInt8, _ payload: [UInt8]) -> Data { frame(type, flags: 0, stream: 0, payload) }
    }

    private func run(
        _ steps: [Answer.Step], method: Method = .get, _ check: (Result<Response, ConvoyError>) throws -> Void
    ) async throws {
        try await withServer(configure: { $0.network.versions = .http2 }) { server, client in
            server.enqueue(connections: steps)
            var request = Request(method, "x")
            request.network = client.configuration.network
            request.timeouts = Timeouts(idle: .seconds(5))
            do { try check(.success(try await client.send(request))) } catch let error as ConvoyError {
                #expect(!error.isTimeout, "\(error)")
                try check(.failure(error))
            }
        }
    }

    private func isBroken(_ result: Result<Response, ConvoyError>) {
        guard case .failure(let error) = result else {
            Issue.record("an error was expected, not \(result)")
            return
        }
        #expect(error.isConnection || error.code == .invalidResponse, "\(error.code): \(error)")
    }

    @Test func answersOverAClearConnection() async throws {
        let steps: [Answer.Step] = [
            .raw(Frame.settings), .raw(Frame.headers), .raw(Frame.data("hello", isLast: true)), .stall,
        ]
        try await run(steps) { result in
            let response = try result.get()
            #expect(response.version == .http2)
            #expect(response.content == "hello")
        }
    }

    @Test func waitsForLateSettings() async throws {
        let steps: [Answer.Step] = [
            .pause(.milliseconds(300)), .raw(Frame.settings), .raw(Frame.headers),
            .raw(Frame.data("late", isLast: true)), .stall,
        ]
        try await run(steps) { try #expect($0.get().content == "late") }
    }

    @Test(arguments: [0, 1, 2, 7, 8, 11] as [UInt32]) func takesAResetBeforeTheHeader(code: UInt32) async throws {
        try await run([.raw(Frame.settings), .pause(.milliseconds(20)), .raw(Frame.reset(code)), .stall]) {
            isBroken($0)
        }
    }

    @Test(arguments: [1, 2, 8] as [UInt32]) func takesAResetAfterTheHeader(code: UInt32) async throws {
        let steps: [Answer.Step] = [
            .raw(Frame.settings), .raw(Frame.headers), .raw(Frame.data("par", isLast: false)), .raw(Frame.reset(code)),
            .stall,
        ]
        try await run(steps) { isBroken($0) }
    }

    /// A refused stream is not sent again behind the caller's back (RFC 9113 §8.7 would allow it).
    @Test func doesNotRepeatARefusedStream() async throws {
        try await run([.raw(Frame.settings), .pause(.milliseconds(20)), .raw(Frame.reset(7)), .stall], method: .post) {
            isBroken($0)
        }
    }

    @Test(arguments: [0, 1, 2, 11, 13] as [UInt32]) func takesAGoAwayBeforeTheHeader(code: UInt32) async throws {
        let steps: [Answer.Step] = [
            .raw(Frame.settings), .pause(.milliseconds(20)), .raw(Frame.goAway(last: 0, code)), .close,
        ]
        try await run(steps) { isBroken($0) }
    }

    /// B047: early header, then the connection is taken away.
    @Test(arguments: [0, 2] as [UInt32]) func takesAGoAwayAfterTheHeader(code: UInt32) async throws {
        let steps: [Answer.Step] = [
            .raw(Frame.settings), .raw(Frame.headers), .raw(Frame.goAway(last: 0, code)), .close,
        ]
        try await run(steps) { isBroken($0) }
    }

    /// A server that goes away in order finishes what it has accepted.
    @Test func finishesAfterAnOrderlyGoAway() async throws {
        let steps: [Answer.Step] = [
            .raw(Frame.settings), .raw(Frame.headers), .raw(Frame.goAway(last: 1, 0)),
            .raw(Frame.data("done", isLast: true)), .stall,
        ]
        try await run(steps) { try #expect($0.get().content == "done") }
    }

    @Test func takesNonsense() async throws {
        let nonsense: [Data] = [
            Data("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok".utf8),
            Frame.settings + Frame.frame(4, flags: 0, stream: 3),
            Frame.settings + Frame.frame(1, flags: 4, stream: 1, [0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF]),
            Frame.settings + Frame.frame(0, flags: 1, stream: 9, [1]), Data(repeating: 0xFF, count: 64),
            Frame.settings + Frame.frame(6, flags: 0, stream: 0, [1]),
            Frame.settings + Frame.frame(8, flags: 0, stream: 0, [0, 0, 0, 0]),
        ]
        for bytes in nonsense {
            try await run([.raw(bytes), .pause(.milliseconds(20)), .close]) { isBroken($0) }
        }
    }
}
