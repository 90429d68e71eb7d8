import Convoy

/// What `convoy send` was asked for, checked.
struct SendOptions: Sendable {
    var parts: Parts
    var look: Look?
    var outputFile: String?
    var streams: Bool
    var checksStatus: Bool
    var timeouts: Timeouts
    var network: Network
    var redirects: RedirectPolicy
    var retry: RetryPolicy

    /// What is shown, by the letters of `--print`.
    struct Parts: OptionSet, Sendable {
        let rawValue: Int
        static let requestHead = Parts(rawValue: 1)
        static let requestBody = Parts(rawValue: 2)
        static let responseHead = Parts(rawValue: 4)
        static let responseBody = Parts(rawValue: 8)
        static let metrics = Parts(rawValue: 16)
        static let all = Parts(rawValue: 31)

        static let letters: [Character: Parts] = [
            "H": .requestHead, "B": .requestBody, "h": .responseHead, "b": .responseBody, "m": .metrics,
        ]

        init(rawValue: Int) { self.rawValue = rawValue }

        init(letters: String) throws {
            self = []
            for letter in letters {
                guard let part = Self.letters[letter] else {
                    throw UsageError("--print takes the letters H, B, h, b, m, not \(String(letter).quotedForMessage)")
                }
                insert(part)
            }
        }
    }

    /// - Parameter isInteractive: whether both streams are a terminal; then the answer's head is shown too.
    init(_ arguments: Arguments, isInteractive: Bool) throws {
        for (one, other) in [(Option.http1, Option.http2), (.json, .form), (.checkStatus, .noCheckStatus)]
        where arguments.has(one) && arguments.has(other) {
            throw UsageError("--\(one.name) and --\(other.name) exclude each other")
        }
        if let letters = arguments.value(.print) {
            parts = try Parts(letters: letters)
        } else if arguments.has(.verbose) {
            parts = .all
        } else {
            parts = isInteractive ? [.responseHead, .responseBody] : .responseBody
        }
        look = arguments.value(.pretty).map { Look(named: $0) }
        outputFile = try arguments.nonEmptyValue(.output)
        streams = arguments.has(.stream)
        checksStatus = !arguments.has(.noCheckStatus)
        timeouts = .standard
        if let text = arguments.value(.timeout) { timeouts.total = try Seconds.parse(text, for: .timeout) }
        if let text = arguments.value(.connectTimeout) {
            timeouts.connect = try Seconds.parse(text, for: .connectTimeout)
        }
        network = try Self.network(arguments)
        let limit = try arguments.value(.maxRedirects).map { try Self.count($0, for: .maxRedirects) }
        redirects = limit.map { .limit($0) } ?? (arguments.has(.follow) ? .standard : .none)
        retry = .limit(try arguments.value(.retry).map { try Self.count($0, for: .retry) } ?? 0)
        // Somebody who asks for ten attempts gets them.
        retry.budget = nil
    }

    private static func count(_ text: String, for option: Option) throws -> Int {
        guard text.utf8.allSatisfy(\.isDigit), let number = Int(text), number <= 1000 else {
            throw UsageError("--\(option.name) takes a number from 0 to 1000, not \(text.quotedForMessage)")
        }
        return number
    }

    private static func network(_ arguments: Arguments) throws -> Network {
        var network = Network()
        if let proxy = try arguments.nonEmptyValue(.proxy) {
            // `host:3128` is how people write a proxy; curl takes it for HTTP as well.
            network.proxy = proxy == "none" ? .none : .url(proxy.contains("://") ? proxy : "http://" + proxy)
        }
        network.unixSocket = try arguments.nonEmptyValue(.unixSocket)
        if arguments.has(.http1) { network.versions = .http1 }
        if arguments.has(.http2) { network.versions = .http2 }
        if let file = try arguments.nonEmptyValue(.cacert) {
            _ = try LocalFile.open(file, for: .cacert)
            network.trust = .only(pemFile: file)
        }
        return network
    }
}

extension Arguments {
    /// A value that names something: empty, it is a variable of a script that was never set.
    func nonEmptyValue(_ option: Option) throws -> String? {
        guard let value = value(option) else { return nil }
        guard !value.isEmpty else { throw UsageError("--\(option.name) has an empty value") }
        return value
    }
}
