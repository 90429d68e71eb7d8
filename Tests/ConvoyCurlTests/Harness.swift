import ConvoyCore
import ConvoyServer
import ConvoyTesting
import Foundation
import Testing

@testable import ConvoyCurl

/// Runs a test against a server of its own with a client of its own, and fails it if anything of the two is left.
func withServer(
    _ server: TestServer? = nil, connectionsPerHost: Int = 6, configure: (inout Configuration) -> Void = { _ in },
    _ body: (TestServer, Client) async throws -> Void
) async throws {
    let server = try server ?? TestServer()
    let client = Client(
        baseURL: server.url.description, transport: CurlTransport(connectionsPerHost: connectionsPerHost)
    ) {
        $0.network.proxy = .none
        // What is tested is one exchange.
        $0.retry = .none
        $0.redirects = .none
        configure(&$0)
    }
    do { try await body(server, client) } catch {
        await client.shutdown()
        server.stop()
        throw error
    }
    try await LeakCheck.close(client, server)
}

/// The error of a call that must fail; fails the test if it does not, or with anything but a `ConvoyError`.
func failure(
    _ sourceLocation: SourceLocation = #_sourceLocation, _ body: () async throws -> Any
) async throws -> ConvoyError {
    let error = await #expect(throws: ConvoyError.self, sourceLocation: sourceLocation) { _ = try await body() }
    return try #require(error, sourceLocation: sourceLocation)
}

extension Client {
    /// Waits until the engine has so many exchanges: that a call has come to it.
    func hasExchanges(_ count: Int) async throws {
        for _ in 0..<5000 where transport.resources.exchanges != count { try await Task.sleep(for: .milliseconds(1)) }
        #expect(transport.resources.exchanges == count)
    }
}

extension Response {
    /// The body as text.
    var content: String { (try? text()) ?? "no text: \(body)" }
}

/// The servers that `scripts/with-servers.sh` starts.
enum Servers {
    static func variable(_ name: String) -> String? { ProcessInfo.processInfo.environment["CONVOY_TEST_" + name] }
    static let areUp = variable("NGINX") != nil
    static let missing: Comment = "nginx and httpbin are not up: run `make test`"
    static var root: String { (variable("CERTIFICATES") ?? "") + "/root.pem" }

    static func tls(_ name: String = "server") -> Server.TLS {
        let folder = variable("CERTIFICATES") ?? ""
        return Server.TLS(certificateFile: "\(folder)/\(name).pem", keyFile: "\(folder)/\(name).key")
    }
}
