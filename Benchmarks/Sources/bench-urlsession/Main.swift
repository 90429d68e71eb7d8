import BenchSupport
import Foundation
import FoundationNetworking

/// Foundation's URLSession, without a cache and with as many connections as requests under way.
struct SessionClient: BenchClient {
    private let session: URLSession

    init(_ options: Options) throws {
        // `--ca` is not for this one: on Linux URLSession reads the system's bundle and nothing else (the variable
        // URLSessionCertificateAuthorityInfoFile is for Android only), so the runner puts a file in that one's place.
        let configuration = URLSessionConfiguration.ephemeral
        configuration.urlCache = nil
        configuration.requestCachePolicy = .reloadIgnoringLocalCacheData
        configuration.httpMaximumConnectionsPerHost = options.connections ?? max(6, options.concurrency)
        // The default of 60 s would end a large upload over a slow path.
        configuration.timeoutIntervalForRequest = 600
        session = URLSession(configuration: configuration)
    }

    func get(_ url: String) async throws -> Int {
        let (data, response) = try await session.data(from: Self.parsed(url))
        try Self.check(response)
        return data.count
    }

    func download(_ url: String, to file: String) async throws {
        let (temporary, response) = try await session.download(from: Self.parsed(url))
        try Self.check(response)
        try? FileManager.default.removeItem(atPath: file)
        try FileManager.default.moveItem(at: temporary, to: URL(fileURLWithPath: file))
    }

    func upload(_ file: String, to url: String) async throws -> Int {
        var request = URLRequest(url: try Self.parsed(url))
        request.httpMethod = "POST"
        let (data, response) = try await session.upload(for: request, fromFile: URL(fileURLWithPath: file))
        try Self.check(response)
        return Int(String(decoding: data, as: UTF8.self).prefix { $0.isNumber }) ?? -1
    }

    private static func parsed(_ text: String) throws -> URL {
        guard let url = URL(string: text) else { throw Failure("\(text) is no URL") }
        return url
    }

    private static func check(_ response: URLResponse) throws {
        let status = (response as? HTTPURLResponse)?.statusCode
        guard status == 200 else { throw Failure("the status is \(status.map(String.init) ?? "missing")") }
    }
}

@main
enum Main {
    static func main() async { await Bench.main("urlsession", SessionClient.self) }
}
