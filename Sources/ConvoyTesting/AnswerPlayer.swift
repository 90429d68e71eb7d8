import ConvoyCore
import ConvoyServer

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Does the steps of an answer on a connection.
struct AnswerPlayer {
    private let connection: Connection
    /// Missing while nothing was read from the connection.
    private let exchange: Exchange?
    private let answer: Answer
    /// Told about each piece of the request's body: its size, its bytes if they are to be kept, whether it was the last.
    private let received: (_ count: Int, _ kept: Data?, _ isLast: Bool) -> Void
    private var counted = 0

    /// Thrown to leave the steps when the connection is closed.
    private struct Ended: Error {}

    init(
        _ answer: Answer, connection: Connection, exchange: Exchange?,
        received: @escaping (_ count: Int, _ kept: Data?, _ isLast: Bool) -> Void = { _, _, _ in }
    ) {
        self.answer = answer
        self.connection = connection
        self.exchange = exchange
        self.received = received
    }

    mutating func play() throws {
        do {
            for step in answer.steps { try play(step) }
        } catch is Ended {}
    }

    private mutating func play(_ step: Answer.Step) throws {
        switch step {
        case .readBody(let limit, let size, let pause, let keeps):
            try readBody(upTo: limit, size, pause, keeps)
        case .response(let response): try send(response)
        case .raw(let data): try emit(Array(data), .body)
        case .pause(let duration): try connection.pause(duration)
        case .stall: try connection.pause(nil)
        case .repeating(let data, let interval):
            while !data.isEmpty {
                try emit(Array(data), .body)
                if interval > .zero { try connection.pause(interval) }
            }
        case .close:
            exchange?.closeAfterwards()
            connection.closeGracefully()
            throw Ended()
        case .reset:
            exchange?.closeAfterwards()
            connection.reset()
            throw Ended()
        }
    }

    private func readBody(upTo limit: Int64?, _ size: Int, _ pause: Duration, _ keeps: Bool) throws {
        guard let exchange else { return }
        var left = limit ?? .max
        while left > 0, !exchange.isBodyComplete {
            var kept: Data?
            let count = try exchange.readPiece(upTo: Int(min(left, Int64(size)))) { kept = keeps ? Data($0) : nil }
            received(count, kept, exchange.isBodyComplete)
            left -= Int64(count)
            if pause > .zero, !exchange.isBodyComplete { try connection.pause(pause) }
        }
    }

    private mutating func send(_ response: ServerResponse) throws {
        guard let exchange else { return }
        let head = exchange.head(of: response)
        try emit(head.bytes, .everything)
        // Also where there is no body: the place is right behind the head.
        try interruptIfDue()
        var sent: Int64 = 0
        for piece in response.pieces where !piece.bytes.isEmpty && head.framing != .none {
            if piece.delay > .zero { try connection.pause(piece.delay) }
            sent += Int64(piece.bytes.count)
            if head.framing == .chunked {
                let size = String(piece.bytes.count, radix: 16)
                try emit(Array("\(size)\r\n".utf8) + Array(piece.bytes) + [0x0D, 0x0A], .body)
            } else {
                try emit(Array(piece.bytes), .body)
            }
        }
        switch head.framing {
        case .chunked:
            let lines = response.trailers.map { "\($0.name.rawName): \($0.value)\r\n" }.joined()
            try emit(Array("0\r\n\(lines)\r\n".utf8), .body)
        case .length(let length) where length != sent: exchange.closeAfterwards()
        case .length, .untilClose, .none: break
        }
        if head.closes { exchange.closeAfterwards() }
    }

    /// Sends bytes at the answer's pace, up to the place where it is interrupted.
    private mutating func emit(_ bytes: [UInt8], _ part: Answer.Part) throws {
        let counts = part == .body || answer.interruption?.part == .everything
        if counts { try interruptIfDue() }
        var rest = bytes[...]
        while !rest.isEmpty {
            var size = min(rest.count, answer.pace?.bytes ?? rest.count)
            if counts, let interruption = answer.interruption { size = min(size, interruption.bytes - counted) }
            try transmit(rest.prefix(size))
            rest = rest.dropFirst(size)
            if counts {
                counted += size
                try interruptIfDue()
            }
            if let pace = answer.pace, !rest.isEmpty { try connection.pause(pace.interval) }
        }
    }

    private mutating func interruptIfDue() throws {
        guard let interruption = answer.interruption, counted >= interruption.bytes else { return }
        try play(interruption.step)
    }

    private func transmit(_ bytes: ArraySlice<UInt8>) throws {
        if let exchange { return try exchange.sendRaw(bytes) }
        try bytes.withUnsafeBytes { try connection.send($0) }
    }
}
