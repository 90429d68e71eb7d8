import ConvoyCore

/// Undoes all the codings that a `Content-Encoding` field names, the last applied first (RFC 9110 §8.4).
///
/// What each of the codings hands out counts against the limits, not only the last: a body that grows in the middle
/// and shrinks again costs as much.
public final class ContentDecoderStack: ContentDecoder {
    /// The most codings that one body may have on top of each other.
    public static let maximumCodings = 5

    /// The codings in the order in which they were applied, in lower case, `identity` left out. Empty when there is
    /// nothing to undo; bytes then pass through as they are, and no limit applies.
    public let codings: [String]

    private let stages: [Stage]
    private let limits: ContentLimits
    private var received: Int64 = 0
    private var failure: (any Error)?

    /// A decoder for the values of `Content-Encoding`; nil if a coding among them is unknown to the coder.
    ///
    /// For nil, leave the bytes and the field as they came. The known codings on top of an unknown one stay too, so
    /// that the field keeps telling what the bytes are.
    ///
    /// Throws `.corruptContent` when there are more than `maximumCodings`.
    public init?(_ fieldValues: [String], coder: some ContentCoder, limits: ContentLimits = ContentLimits()) throws {
        let codings = Self.codings(in: fieldValues)
        guard codings.count <= Self.maximumCodings else {
            throw ConvoyError(
                .corruptContent, "The content has more than \(Self.maximumCodings) codings on top of each other.",
                phase: .receiving)
        }
        var stages: [Stage] = []
        for coding in codings.reversed() {
            guard let decoder = coder.makeDecoder(for: coding) else { return nil }
            stages.append(Stage(coding: coding, decoder: decoder))
        }
        self.codings = codings
        self.stages = stages
        self.limits = limits
    }

    /// The codings of field values, in the order applied and in lower case: empty elements (RFC 9110 §5.6.1) and
    /// `identity` left out.
    public static func codings(in fieldValues: [String]) -> [String] {
        fieldValues.flatMap { $0.split(separator: ",") }
            .map { String(String($0).trimmingOWS).lowercasedASCII }
            .filter { !$0.isEmpty && $0 != "identity" }
    }

    /// Takes the next piece of the body as it came and hands out what it decodes to, in pieces of up to 64 KiB.
    ///
    /// Throws `.corruptContent`, `.contentLimitExceeded`, and whatever `output` throws; every further call throws the
    /// same again.
    public func decode(_ input: UnsafeRawBufferPointer, output: (UnsafeRawBufferPointer) throws -> Void) throws {
        try guarded {
            received += Int64(input.count)
            try push(input, into: 0, output: output)
        }
    }

    /// Says that no more bytes come. Throws `.truncatedContent` when one of the codings has not reached its end.
    public func finish(output: (UnsafeRawBufferPointer) throws -> Void) throws {
        try guarded {
            for index in stages.indices {
                try stages[index].decoder.finish { try pass($0, from: index, output: output) }
            }
        }
    }

    private func push(
        _ input: UnsafeRawBufferPointer, into index: Int, output: (UnsafeRawBufferPointer) throws -> Void
    ) throws {
        guard index < stages.count else { return try output(input) }
        try stages[index].decoder.decode(input) { try pass($0, from: index, output: output) }
    }

    private func pass(
        _ piece: UnsafeRawBufferPointer, from index: Int, output: (UnsafeRawBufferPointer) throws -> Void
    ) throws {
        let stage = stages[index]
        stage.produced += Int64(piece.count)
        try limits.check(
            produced: stage.produced, received: received, coding: stage.coding, isLast: index == stages.count - 1)
        try push(piece, into: index + 1, output: output)
    }

    private func guarded(_ body: () throws -> Void) throws {
        if let failure { throw failure }
        do {
            try body()
        } catch {
            failure = error
            throw error
        }
    }
}

/// One coding of a stack and how much it handed out.
private final class Stage {
    let coding: String
    let decoder: any ContentDecoder
    var produced: Int64 = 0

    init(coding: String, decoder: any ContentDecoder) {
        self.coding = coding
        self.decoder = decoder
    }
}
