import Convoy

/// What the tool tells the shell. The numbers are part of its interface and documented in `--help`.
struct ExitCode: Sendable, Hashable {
    let rawValue: Int32

    /// Done.
    static let success = ExitCode(rawValue: 0)
    /// The command line is wrong, or something on this machine failed: a file, a port, an option the engine lacks.
    static let local = ExitCode(rawValue: 1)
    /// A time limit ran out.
    static let timeout = ExitCode(rawValue: 2)
    /// The answer's status is 3xx.
    static let redirection = ExitCode(rawValue: 3)
    /// The answer's status is 4xx.
    static let clientError = ExitCode(rawValue: 4)
    /// The answer's status is 5xx.
    static let serverError = ExitCode(rawValue: 5)
    /// A redirect that could not be followed: too many, a circle, a place where it must not lead.
    static let redirect = ExitCode(rawValue: 6)
    /// No connection, or a transfer that broke.
    static let connection = ExitCode(rawValue: 7)
    /// The server could not be trusted.
    static let trust = ExitCode(rawValue: 8)
    /// Interrupted, as by Ctrl-C: 128 and the signal's number.
    static let interrupted = ExitCode(rawValue: 130)
    /// Told to end by SIGTERM.
    static let terminated = ExitCode(rawValue: 143)
    /// Whoever read the output went away, as if by SIGPIPE.
    static let brokenPipe = ExitCode(rawValue: 141)

    /// The table for the help.
    static let explanations: [(code: String, meaning: String)] = [
        ("0", "done"),
        ("1", "wrong usage, or a failure on this machine"),
        ("2", "a time limit ran out"),
        ("3, 4, 5", "the status is 3xx, 4xx, 5xx (unless --no-check-status); the body is printed all the same"),
        ("6", "a redirect could not be followed: too many, a circle, to another scheme"),
        ("7", "no connection, or a broken transfer"),
        ("8", "the server could not be trusted"),
        ("130", "interrupted"),
    ]

    init(rawValue: Int32) { self.rawValue = rawValue }

    /// By the class of a status; statuses outside 300 to 599 are no failure.
    init(_ status: Status) {
        switch status.kind {
        case .redirection: self = .redirection
        case .clientError: self = .clientError
        case .serverError: self = .serverError
        case .informational, .successful, nil: self = .success
        }
    }

    /// By what went wrong.
    init(_ error: ConvoyError) {
        if error.isTimeout {
            self = .timeout
        } else if error.code == .redirectFailed {
            self = .redirect
        } else if error.isTrust {
            self = .trust
        } else if error.isCancelled {
            self = .interrupted
        } else if error.code == .unacceptableStatus {
            let code = error.status.map { ExitCode($0) } ?? .local
            // A status that was refused is a failure, whatever its class.
            self = code == .success ? .local : code
        } else if error.isConnection || Self.brokenTransfers.contains(error.code) {
            self = .connection
        } else {
            self = .local
        }
    }

    /// What is the peer's or the network's doing, and no timeout, trust or status.
    private static let brokenTransfers: Set<ConvoyError.Code> = [
        .invalidResponse, .responseHeaderTooLarge, .corruptContent, .truncatedContent, .contentLimitExceeded,
        .engineFailed,
    ]
}
