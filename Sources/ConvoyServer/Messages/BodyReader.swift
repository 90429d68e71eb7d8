import ConvoyCore

/// Takes a request's body apart: counted or chunked, its pieces as they come, its trailers (RFC 9112 §6, §7.1).
struct BodyReader {
    private enum State {
        case counted(Int64)
        case chunkSize
        case chunk(Int64)
        case chunkEnd
        case trailers
        case done
    }

    private var state: State
    private var lines: LineReader
    private let trailerLimit: Int
    /// The fields behind the last chunk.
    private(set) var trailers = Headers()

    private static let chunkLineLimit = 4096

    init(_ framing: Framing, trailerLimit: Int) {
        self.trailerLimit = trailerLimit
        lines = LineReader(budget: Self.chunkLineLimit)
        state =
            switch framing {
            case .none: .done
            case .length(let count): count == 0 ? .done : .counted(count)
            case .chunked: .chunkSize
            }
    }

    /// Whether the whole body was taken.
    var isComplete: Bool {
        if case .done = state { return true }
        return false
    }

    /// The bytes still to come; nil if that is not known.
    var remaining: Int64? {
        switch state {
        case .done: 0
        case .counted(let count): count
        default: nil
        }
    }

    /// Takes what it can from the bytes and hands out at most one piece of the body, of at most the given size.
    mutating func take(
        _ bytes: UnsafeRawBufferPointer, upTo maximum: Int, piece: (UnsafeRawBufferPointer) -> Void
    ) throws(Rejection) -> Int {
        var taken = 0
        while taken < bytes.count {
            let rest = UnsafeRawBufferPointer(rebasing: bytes[taken...])
            switch state {
            case .done: return taken
            case .counted(let left), .chunk(let left):
                let count = Int(min(left, Int64(min(rest.count, maximum))))
                piece(UnsafeRawBufferPointer(rebasing: rest[..<count]))
                advance(left - Int64(count))
                return taken + count
            case .chunkSize, .chunkEnd, .trailers:
                let isTrailers = if case .trailers = state { true } else { false }
                let step = try lines.take(rest, tooLong: isTrailers ? .headTooLarge : .chunkLineTooLong)
                taken += step.taken
                if let line = step.line { try end(line) }
            }
        }
        return taken
    }

    private mutating func advance(_ left: Int64) {
        if case .counted = state {
            state = left == 0 ? .done : .counted(left)
        } else {
            state = left == 0 ? .chunkEnd : .chunk(left)
        }
    }

    private mutating func end(_ line: [UInt8]) throws(Rejection) {
        switch state {
        case .chunkSize:
            let size = try Self.chunkSize(line)
            state = size == 0 ? .trailers : .chunk(size)
            lines.budget = size == 0 ? trailerLimit : Self.chunkLineLimit
        case .chunkEnd:
            guard line.isEmpty else { throw .bad("a chunk is longer than its size says") }
            state = .chunkSize
            lines.budget = Self.chunkLineLimit
        case .trailers:
            if line.isEmpty { state = .done } else { try trailers.append(line: line) }
        case .counted, .chunk, .done: break
        }
    }

    private static func chunkSize(_ line: [UInt8]) throws(Rejection) -> Int64 {
        let end = line.firstIndex { $0.hexValue == nil } ?? line.endIndex
        let digits = line[..<end]
        // Extensions are skipped; white space before them is not forgiven.
        guard (1...15).contains(digits.count), end == line.endIndex || line[end] == 0x3B else {
            throw .bad("a chunk's size is no hexadecimal number")
        }
        return digits.reduce(0) { $0 << 4 | Int64($1.hexValue ?? 0) }
    }
}
