import ConvoyCore
import ConvoyServer
import ConvoyTesting
import Foundation
import Testing

@testable import ConvoyCurl

/// TLS and HTTP/2, against nginx and the embedded server with certificates of our own.
@Suite(.enabled(if: Servers.areUp, Servers.missing))
struct SecureTests {
    private func withClient(
        _ trust: Network.Trust = .only(pemFile: Servers.root), _ body: (Client) async throws -> Void
    ) async throws {
        let client = Client(transport: CurlTransport()) {
            $0.network.trust = trust
            $0.retry = .none
        }
        do { try await body(client) } catch {
            await client.shutdown()
            throw error
        }
        try await LeakCheck.close(client)
    }

    private func address(_ server: String, _ path: String) -> String { (Servers.variable(server) ?? "") + path }

    @Test func speaksHTTP2AndSaysWithWhom() async throws {
        try await withClient { client in
            let response = try await client.get(address("NGINX_TLS", "/1k"))
            #expect(response.version == .http2)
            #expect(response.body.data?.count == 1024)
            let tls = try #require(response.metrics.connection?.tls)
            #expect(tls.version == "TLSv1.3")
            #expect(!tls.cipher.isEmpty)
            #expect(tls.certificates.count == 2)
            let own = try #require(tls.certificates.first)
            #expect(own.subject.contains("CN="))
            #expect(own.issuer == tls.certificates.last?.subject)
            #expect(own.notBefore < own.notAfter && own.notAfter.hasSuffix("Z"))
            #expect(own.der.first == 0x30)
        }
    }

    @Test func multiplexesOverOneConnection() async throws {
        try await withClient { client in
            let address = address("NGINX_TLS", "/1k")
            let connections = try await withThrowingTaskGroup(of: String.self) { group in
                for _ in 0..<100 {
                    group.addTask {
                        let response = try await client.get(address)
                        #expect(response.version == .http2 && response.body.data?.count == 1024)
                        return response.metrics.connection?.localAddress ?? ""
                    }
                }
                return try await group.reduce(into: Set<String>()) { $0.insert($1) }
            }
            #expect(connections.count == 1)
        }
    }

    @Test func speaksTheVersionThatIsAskedFor() async throws {
        try await withClient { client in
            var request = Request(.get, address("NGINX_TLS", "/1k"))
            request.network = client.configuration.network
            request.network?.versions = .http1
            try await #expect(client.send(request).version == .http11)
            request.network?.versions = .http2
            try await #expect(client.send(request).version == .http2)
            // Also where a connection of the other version is open.
            request.network?.versions = .http1
            try await #expect(client.send(request).version == .http11)
            let server = try TestServer(tls: Servers.tls())
            server.enqueue(.text("one"))
            request.network?.versions = .http2
            request.address = Address("https://localhost:\(server.port)/")
            let sent = request
            let error = try await failure { try await client.send(sent) }
            #expect(error.code == .unsupported)
            #expect(server.requests.isEmpty)
            server.stop()
        }
    }

    @Test func sendsBodiesOverHTTP2() async throws {
        try await withClient { client in
            let address = address("NGINX_TLS", "/upload")
            for count in [0, 1, 70_000, 5_000_000] {
                let response = try await client.put(address, body: .bytes(Data(count: count)))
                #expect(try response.text().trimmingCharacters(in: .whitespacesAndNewlines) == "\(count)")
            }
            let body = Body.stream { Endless(counter: Counter(), limit: 1_000_000) }
            let response = try await client.post(address, body: body)
            #expect(try response.text().trimmingCharacters(in: .whitespacesAndNewlines) == "1000000")
        }
    }

    /// B006: what is wrong with a certificate has a name each; nothing of the request is sent.
    @Test(arguments: [
        ("NGINX_TLS_EXPIRED", ConvoyError.Code.certificateExpired),
        ("NGINX_TLS_WRONG_HOST", .certificateHostMismatch),
        ("NGINX_TLS_SELF_SIGNED", .certificateSelfSigned),
        ("NGINX_TLS_UNTRUSTED", .certificateUntrusted),
    ])
    func refuses(server: String, code: ConvoyError.Code) async throws {
        try await withClient { client in
            let error = try await failure { try await client.get(address(server, "/1k")) }
            #expect(error.code == code)
            #expect(error.isTrust)
            #expect(error.phase == .connecting)
            #expect(error.message.contains("localhost"))
        }
    }

    /// The system's authorities do not know ours.
    @Test func trustsTheSystemOnlyByDefault() async throws {
        try await withClient(.system) { client in
            let error = try await failure { try await client.get(address("NGINX_TLS", "/1k")) }
            #expect(error.code == .certificateUntrusted)
        }
        try await withClient(.systemAnd(pemFile: Servers.root)) { client in
            try await #expect(client.get(address("NGINX_TLS", "/1k")).status == .ok)
        }
        try await withClient(.only(pemFile: "/no/such/file.pem")) { client in
            let error = try await failure { try await client.get(address("NGINX_TLS", "/1k")) }
            #expect(error.code == .tlsFailed)
            #expect(error.message.contains("/no/such/file.pem"))
        }
    }

    /// Trust of one request does not open a connection to another.
    @Test func keepsTrustApart() async throws {
        try await withClient { client in
            let address = address("NGINX_TLS", "/1k")
            try await #expect(client.get(address).status == .ok)
            var request = Request(.get, address)
            request.network = Network()
            request.network?.trust = .system
            let sent = request
            let error = try await failure { try await client.send(sent) }
            #expect(error.code == .certificateUntrusted)
        }
    }

    @Test func speaksTLSWithTheEmbeddedServer() async throws {
        let server = try TestServer(tls: Servers.tls())
        try await withClient { client in
            server.on(nil, "/*", .text("secret"))
            let first = try await client.get("https://localhost:\(server.port)/x")
            let second = try await client.get("https://localhost:\(server.port)/x")
            #expect(first.version == .http11 && first.content == "secret")
            #expect(!first.metrics.isReusedConnection && second.metrics.isReusedConnection)
            // What is known of a connection is shared by its exchanges.
            #expect(first.metrics.connection === second.metrics.connection)
            #expect(first.metrics.tls > first.metrics.connect)
        }
        server.stop()
    }

    @Test func saysWhenThePeerSpeaksNoTLS() async throws {
        let server = try TestServer()
        try await withClient { client in
            let error = try await failure { try await client.get("https://localhost:\(server.port)/x") }
            #expect(error.code == .tlsFailed)
            #expect(error.isTrust)
        }
        server.stop()
    }
}
