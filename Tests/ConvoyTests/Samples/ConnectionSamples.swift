import Convoy
import ConvoyServer
import ConvoyTesting
import Foundation
import Testing

/// Documentation/connections.md
@Suite(.samples) struct ConnectionSamples {
    /// Where `scripts/with-servers.sh` has its certificates; nil without it.
    static let certificates = ProcessInfo.processInfo.environment["CONVOY_TEST_CERTIFICATES"]

    @Test func reuse() async throws {
        let server = try TestServer()
        let origin = server.url.origin
        server.on(.get, "/v1/users/:id", .status(.ok))

        let client = Client(baseURL: "\(origin)/v1")
        let first = try await client.get("users/1").metrics
        let second = try await client.get("users/2").metrics
        print(first.isReusedConnection, second.isReusedConnection)  // false true
        await client.shutdown()

        #expect(Printed.lines == ["false true"])
        #expect(client.transport.resources.isEmpty)
        try await server.waitForConnections(open: 0)
    }

    @Test func versions() async throws {
        let server = try TestServer()
        server.on(.get, "/users/1", .status(.ok))
        let client = Client(baseURL: server.url.origin)
        _ = try await client.get("users/1")

        var request = Request(.get, "users/1")
        request.network = client.configuration.network
        request.network?.versions = .http1
        request.network?.usesFreshConnection = true
        let response = try await client.send(request)
        print(response.version, response.metrics.isReusedConnection)  // HTTP/1.1 false

        #expect(Printed.lines == ["HTTP/1.1 false"])
        #expect(server.connections.accepted == 2)
    }

    @Test func proxies() async throws {
        let server = try TestServer()
        let proxy = server.url.origin
        server.enqueue(.json(#"{"id": 42, "name": "Ada"}"#))

        let client = Client(baseURL: "http://service.example") {
            $0.network.proxy = .url(proxy, bypass: ["localhost", "10.0.0.0/8"])
        }
        let user = try await client.get("users/42").decode(User.self)

        #expect(user.name == "Ada")
        #expect(server.requests.first?.target == "http://service.example/users/42")
    }

    @Test func unixSockets() async throws {
        let socket = FileManager.default.temporaryDirectory.appending(path: "convoy-\(UUID()).sock").path
        let server = try TestServer(Server.Configuration { $0.unixPath = socket })
        server.enqueue(.text("27.1"))

        let docker = Client(baseURL: "http://localhost") { $0.network.unixSocket = socket }
        let version = try await docker.get("version").decode(String.self)

        #expect(version == "27.1")
        #expect(server.requests.first?.headers[.host] == "localhost")
    }

    @Test(.enabled(if: certificates != nil, "needs the certificates of `make test`")) func trust() async throws {
        let folder = try #require(Self.certificates)
        let server = try TestServer(
            tls: Server.TLS(certificateFile: "\(folder)/server.pem", keyFile: "\(folder)/server.key"))
        let origin = server.url.origin
        let authority = "\(folder)/root.pem"
        server.enqueue(.status(.ok))

        let client = Client(baseURL: "\(origin)") { $0.network.trust = .only(pemFile: authority) }
        let metrics = try await client.get("users/42").metrics
        print(metrics.connection?.tls?.version ?? "clear")  // TLSv1.3

        #expect(Printed.lines == ["TLSv1.3"])
        let error = await #expect(throws: ConvoyError.self) { try await Client(baseURL: origin).get("users/42") }
        #expect(error?.code == .certificateUntrusted)
    }

    @Test(.enabled(if: certificates != nil, "needs the certificates of `make test`")) func ownCertificate() async throws
    {
        let folder = try #require(Self.certificates)
        let certificate = "\(folder)/self-signed.pem"
        let server = try TestServer(
            tls: Server.TLS(certificateFile: certificate, keyFile: "\(folder)/self-signed.key"))
        server.enqueue(.text("safe"))
        let client = Client(baseURL: server.url.origin) { $0.network.trust = .only(pemFile: certificate) }
        try await #expect(client.get("a").text() == "safe")
        let error = await #expect(throws: ConvoyError.self) { try await Client(baseURL: server.url.origin).get("a") }
        #expect(error?.code == .certificateSelfSigned)
    }
}
