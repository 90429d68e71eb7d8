import ConvoyCore
import Foundation

/// The moment at which the tests of cookies take place.
let noon = Date(timeIntervalSince1970: 1_800_000_000)

/// What some `Set-Cookie` lines from one address make a client send to another, or the same.
func cookies(
    _ lines: [String], from: String = "http://www.example.com/", to: String? = nil, now: Date = noon,
    later: Date? = nil
) throws -> String {
    var jar = CookieJar()
    try jar.receive(lines, from: from, now: now)
    return try jar.sent(to: to ?? from, now: later ?? now)
}

func cookies(
    _ line: String, from: String = "http://www.example.com/", to: String? = nil, now: Date = noon, later: Date? = nil
) throws -> String { try cookies([line], from: from, to: to, now: now, later: later) }

extension CookieJar {
    mutating func receive(_ lines: [String], from uri: String = "http://www.example.com/", now: Date = noon) throws {
        receive(Headers(lines.map { Headers.Field(.setCookie, $0) }), from: try URI(uri), now: now)
    }

    /// The cookies as a `Cookie` field has them.
    func sent(to uri: String = "http://www.example.com/", now: Date = noon) throws -> String {
        try cookies(for: URI(uri), now: now).map { $0.name.isEmpty ? $0.value : "\($0.name)=\($0.value)" }
            .joined(separator: "; ")
    }
}

/// A folder that is gone after the test.
func withFolder(_ body: (String) async throws -> Void) async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "convoy-\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
    defer { try? FileManager.default.removeItem(at: folder) }
    try await body(folder.path)
}
