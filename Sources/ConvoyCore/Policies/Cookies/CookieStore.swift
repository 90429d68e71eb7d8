#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The cookies of a client: in memory, or in a file too. Clients that are given one store share it.
///
/// ```swift
/// let client = Client(baseURL: "https://api.example.com") { $0.cookies = .memory }
/// ```
///
/// A file is read when its cookies are first needed, and written after each answer that changed them, with mode 0600 and
/// as a whole: another program sees the old one or the new one. It is for one process at a time; of several the last one
/// to write wins.
public final class CookieStore: Sendable {
    private struct State {
        var jar = CookieJar()
        var isLoaded: Bool
        var skippedLines = 0
        /// What the file holds, as far as we know.
        var saved: [UInt8] = []
        var failure: ConvoyError?
    }

    private let state: Locked<State>
    /// Held while the file is written, so that nobody who only wants cookies has to wait for it.
    private let writing = Locked(())
    private let file: PrivateFile?
    private let keepsSessionCookies: Bool

    /// Cookies in memory.
    public init() {
        file = nil
        keepsSessionCookies = true
        state = Locked(State(isLoaded: true))
    }

    /// Cookies in a file, in Netscape's format: the one of `curl --cookie-jar`. It is made when there is something to keep.
    ///
    /// - Parameter keepsSessionCookies: whether the file holds the cookies that last until the end of the session, too.
    ///   Default: false, and so a session ends with the store.
    public init(file path: String, keepsSessionCookies: Bool = false) {
        file = PrivateFile(path: path)
        self.keepsSessionCookies = keepsSessionCookies
        state = Locked(State(isLoaded: false))
    }

    /// Cookies in memory.
    public static var memory: CookieStore { CookieStore() }

    /// Cookies in a file: see `init(file:keepsSessionCookies:)`.
    public static func file(_ path: String, keepsSessionCookies: Bool = false) -> CookieStore {
        CookieStore(file: path, keepsSessionCookies: keepsSessionCookies)
    }

    /// The cookies as they are now.
    ///
    /// Throws `.cookieFileFailed` if the file cannot be read, as does each call that needs it.
    public var jar: CookieJar { get throws { try loaded(now: Date()) { $0.jar } } }

    /// Changes the cookies, and saves them. A closure that throws changes nothing; it must not use the store itself.
    ///
    /// Throws what the closure throws, and `.cookieFileFailed` if the file cannot be read or written. What could not be
    /// written is kept in memory.
    public func update<Result: Sendable>(_ change: (inout CookieJar) throws -> Result) throws -> Result {
        let result = try loaded(now: Date()) { state in
            var jar = state.jar
            let result = try change(&jar)
            state.jar = jar
            return result
        }
        try save()
        return result
    }

    /// How many lines of the file were no cookies when it was read; they are gone when it is next written.
    public var skippedLines: Int { state.withLock { $0.skippedLines } }

    /// Why the file could not be written when cookies last came in; nil if it could. Calls do not fail for it, and each
    /// further change tries again.
    public var failure: ConvoyError? { state.withLock { $0.failure } }

    // MARK: For the pipeline

    /// Adds the cookies that go to the request's address. Throws `.cookieFileFailed`.
    func apply(to request: inout Request, now: Date) throws {
        guard let uri = request.uri else { return }
        let cookies = try loaded(now: now) { $0.jar.used(for: uri, now: now) }
        if !cookies.isEmpty { request.headers.add(cookies) }
    }

    /// Takes in what the answer from an address sets. A file that cannot be written is no reason to lose the answer.
    func receive(from response: Response, at uri: URI, now: Date) {
        guard response.headers.contains(.setCookie) else { return }
        do {
            try loaded(now: now) { $0.jar.receive(response.headers, from: uri, now: now) }
            try save()
        } catch {
            let error = error as? ConvoyError ?? ConvoyError(.cookieFileFailed, "\(error)")
            state.withLock { $0.failure = error }
        }
    }

    // MARK: The file

    private func loaded<Result: Sendable>(now: Date, _ body: (inout State) throws -> Result) throws -> Result {
        try state.withLock { state in
            if !state.isLoaded, let file {
                if let bytes = try file.read() {
                    (state.jar, state.skippedLines) = CookieFile.jar(bytes, now: now)
                }
                state.saved = CookieFile.bytes(of: state.jar, keepsSession: keepsSessionCookies)
                state.isLoaded = true
            }
            return try body(&state)
        }
    }

    private func save() throws {
        guard let file else { return }
        try writing.withLock { _ in
            // The newest state, whoever changed it: one that waited here finds its change written.
            let (bytes, isSaved) = state.withLock { state in
                let bytes = CookieFile.bytes(of: state.jar, keepsSession: keepsSessionCookies)
                return (bytes, bytes == state.saved)
            }
            if !isSaved { try file.replace(bytes) }
            state.withLock { state in
                state.saved = bytes
                state.failure = nil
            }
        }
    }
}

extension CookieStore: CustomStringConvertible {
    /// Where the cookies are: `cookies in memory`.
    public var description: String { file.map { "cookies in \($0.path)" } ?? "cookies in memory" }
}
