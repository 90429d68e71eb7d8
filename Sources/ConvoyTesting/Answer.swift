import ConvoyCore
import ConvoyServer

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// What a `TestServer` does for one request: steps, done in order, with control of every byte.
///
/// ```swift
/// server.enqueue(
///     .json(#"{"id": 7}"#),                                   // a proper answer
///     .text("hello").delayed(by: .milliseconds(10)),          // slow to begin
///     .text("hello").dripping(1, every: .milliseconds(10)),   // slow on the way
///     .text("hello").cut(after: 3),                           // closed after three bytes of the body
///     .status(413).early,                                     // before the request's body was read
///     Answer([.readBody(), .raw("HTTP/1.1 200 OK\r\nContent-Length: x\r\n\r\n"), .stall])
/// )
/// ```
public struct Answer: Sendable {
    /// The steps, in order.
    public var steps: [Step]
    var pace: Pace?
    var interruption: Interruption?

    /// An answer of steps. None of them reads the request's body unless it is `.readBody`.
    public init(_ steps: [Step]) { self.steps = steps }

    /// One thing that is done.
    public enum Step: Sendable {
        /// Reads the request's body: so many bytes, or all if nil, in pieces of at most a size with a wait after each.
        /// Where `keeps` is false they are counted and not recorded, for bodies of any size.
        case readBody(upTo: Int64? = nil, pieceSize: Int = 65536, pause: Duration = .zero, keeps: Bool = true)
        /// Sends a well-formed answer. One of status 1xx is an interim answer: another has to follow.
        case response(ServerResponse)
        /// Sends bytes as they are. The connection is kept; close it if they need that.
        case raw(Data)
        /// Waits.
        case pause(Duration)
        /// Does nothing until the peer closes or the server stops.
        case stall
        /// Sends bytes again and again, with a wait after each time, until the peer closes or the server stops.
        case repeating(Data, every: Duration = .zero)
        /// Closes the connection, in order: the peer sees the end of the stream.
        case close
        /// Closes the connection with a reset: the peer sees `ECONNRESET`.
        case reset

        /// Sends text as it is.
        public static func raw(_ text: String) -> Step { .raw(Data(text.utf8)) }
        /// Sends text again and again, with a wait after each time, until the peer closes or the server stops.
        public static func repeating(_ text: String, every interval: Duration = .zero) -> Step {
            .repeating(Data(text.utf8), every: interval)
        }
    }

    /// The part of an answer whose bytes are counted.
    public enum Part: Sendable {
        /// Everything that is sent for the request.
        case everything
        /// What follows the head of a well-formed answer, as it goes on the wire; bytes sent raw count too.
        case body
    }

    struct Pace: Sendable {
        var bytes: Int
        var interval: Duration
    }

    struct Interruption: Sendable {
        var bytes: Int
        var part: Part
        var step: Step
    }
}

extension Answer {
    /// A well-formed answer, after the request's body was read.
    public static func response(_ response: ServerResponse) -> Answer { Answer([.readBody(), .response(response)]) }

    /// A status without a body.
    public static func status(_ status: Status, headers: Headers = [:]) -> Answer {
        .response(.status(status, headers: headers))
    }

    /// Text, `text/plain; charset=utf-8`.
    public static func text(_ text: String, status: Status = .ok, headers: Headers = [:]) -> Answer {
        .response(.text(text, status: status), headers)
    }

    /// Text that is JSON already.
    public static func json(_ text: String, status: Status = .ok, headers: Headers = [:]) -> Answer {
        .response(.json(text, status: status), headers)
    }

    /// Bytes, `application/octet-stream` unless the fields say otherwise.
    public static func bytes(
        _ bytes: some Sequence<UInt8>, status: Status = .ok, headers: Headers = [:]
    ) -> Answer {
        .response(.bytes(bytes, status: status), headers)
    }

    /// Texts that go as one chunk each, with fields behind the last if given.
    public static func chunks(_ chunks: [String], status: Status = .ok, trailers: Headers = [:]) -> Answer {
        var response = ServerResponse(status, pieces: chunks.map { .init(Data($0.utf8)) })
        response.isChunked = true
        response.trailers = trailers
        return .response(response)
    }

    /// The head of an answer alone, with the fields as they are: what follows is up to further steps.
    ///
    /// ```swift
    /// server.enqueue(.head(200, ["Content-Length": "10"]).then(.raw("12345"), .stall))
    /// ```
    public static func head(_ status: Status, _ headers: Headers = [:]) -> Answer {
        let lines = headers.map { "\($0.name.rawName): \($0.value)\r\n" }.joined()
        return Answer([.readBody(), .raw("HTTP/1.1 \(status.code) \(status.standardReason)\r\n\(lines)\r\n")])
    }

    /// A redirect, 302 by default.
    public static func redirect(to location: String, status: Status = .found) -> Answer {
        .response(.redirect(to: location, status: status))
    }

    /// Reads the request's body and then does nothing until the peer closes or the server stops.
    public static var stall: Answer { Answer([.readBody(), .stall]) }

    /// Text sent as it is, after the request's body was read.
    public static func raw(_ text: String) -> Answer { Answer([.readBody(), .raw(text)]) }

    /// Reads the request's body and closes the connection without an answer.
    public static var close: Answer { Answer([.readBody(), .close]) }

    /// Reads the request's body and resets the connection without an answer.
    public static var reset: Answer { Answer([.readBody(), .reset]) }

    private static func response(_ response: ServerResponse, _ headers: Headers) -> Answer {
        var response = response
        response.headers = headers.merging(defaults: response.headers)
        return .response(response)
    }
}

extension Answer {
    /// The same without reading the request's body: it comes while that is still on its way.
    public var early: Answer {
        with {
            $0.steps.removeAll { step in if case .readBody = step { true } else { false } }
        }
    }

    /// The same with the request's body counted and thrown away as it comes, for bodies of any size.
    public var discardingBody: Answer {
        with { $0.steps = [.readBody(keeps: false)] + early.steps }
    }

    /// The same after a wait, which begins when the request's body was read.
    public func delayed(by duration: Duration) -> Answer {
        with {
            let start = $0.steps.firstIndex { step in if case .readBody = step { false } else { true } }
            $0.steps.insert(.pause(duration), at: start ?? $0.steps.endIndex)
        }
    }

    /// The same with everything sent so many bytes at a time, with a wait after each.
    public func dripping(_ bytes: Int, every interval: Duration) -> Answer {
        with { $0.pace = Pace(bytes: max(1, bytes), interval: interval) }
    }

    /// The same, closed in order when so many bytes were sent.
    public func cut(after bytes: Int, of part: Part = .body) -> Answer {
        with { $0.interruption = Interruption(bytes: bytes, part: part, step: .close) }
    }

    /// The same, reset when so many bytes were sent.
    public func reset(after bytes: Int, of part: Part = .body) -> Answer {
        with { $0.interruption = Interruption(bytes: bytes, part: part, step: .reset) }
    }

    /// The same, silent for ever when so many bytes were sent.
    public func stalled(after bytes: Int, of part: Part = .body) -> Answer {
        with { $0.interruption = Interruption(bytes: bytes, part: part, step: .stall) }
    }

    /// The same with further steps behind it.
    public func then(_ steps: Step...) -> Answer { with { $0.steps += steps } }

    /// The same with the connection closed behind it, which `Connection: close` does not announce.
    public var closing: Answer { then(.close) }

    private func with(_ change: (inout Answer) -> Void) -> Answer {
        var copy = self
        change(&copy)
        return copy
    }
}
