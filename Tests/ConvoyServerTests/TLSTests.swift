import COpenSSL
import ConvoyCore
import ConvoyServer
import ConvoyTesting
import FoundationEssentials
import Testing

/// A client of TLS that blocks and trusts anybody.
private final class TLSClient {
    private let raw: RawClient
    private let context: OpaquePointer
    private let session: OpaquePointer
    let isConnected: Bool

    init(port: Int, protocols: [String], maximumVersion: Int32 = TLS1_3_VERSION) throws {
        raw = try RawClient(port: port)
        context = try #require(SSL_CTX_new(TLS_client_method()))
        SSL_CTX_ctrl(context, SSL_CTRL_SET_MAX_PROTO_VERSION, Int(maximumVersion), nil)
        SSL_CTX_set_cipher_list(context, "ALL:@SECLEVEL=0")
        session = try #require(SSL_new(context))
        let list = protocols.flatMap { [UInt8($0.utf8.count)] + Array($0.utf8) }
        if !list.isEmpty { SSL_set_alpn_protos(session, list, UInt32(list.count)) }
        SSL_set_fd(session, raw.descriptor)
        isConnected = SSL_connect(session) == 1
        ERR_clear_error()
    }

    deinit {
        SSL_free(session)
        SSL_CTX_free(context)
    }

    var chosenProtocol: String {
        var pointer: UnsafePointer<UInt8>?
        var length: UInt32 = 0
        SSL_get0_alpn_selected(session, &pointer, &length)
        return String(decoding: UnsafeBufferPointer(start: pointer, count: Int(length)), as: UTF8.self)
    }

    func send(_ text: String) {
        _ = SSL_write(session, text, Int32(text.utf8.count))
    }

    /// Everything up to the peer's end; whether that was an orderly one.
    func receiveAll() -> (text: String, isOrderly: Bool) {
        var bytes: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 65536)
        while true {
            let count = SSL_read(session, &piece, Int32(piece.count))
            guard count > 0 else {
                let isOrderly = SSL_get_error(session, count) == SSL_ERROR_ZERO_RETURN
                ERR_clear_error()
                return (String(decoding: bytes, as: UTF8.self), isOrderly)
            }
            bytes += piece[..<Int(count)]
        }
    }
}

private let folder = ProcessInfo.processInfo.environment["CONVOY_TEST_CERTIFICATES"]
private let certificate = Server.TLS(
    certificateFile: "\(folder ?? "")/server.pem", keyFile: "\(folder ?? "")/server.key")

@Suite(
    .enabled(if: folder != nil, "CONVOY_TEST_CERTIFICATES names no folder with server.pem and server.key"),
    .timeLimit(.minutes(1)))
struct TLSTests {
    private func makeServer(handler: @escaping Server.Handler) throws -> Server {
        try Server(.init { $0.tls = certificate }, handler: handler)
    }

    @Test func requestsGoOverTLS() throws {
        let server = try makeServer { exchange in
            try exchange.readBody()
            try exchange.respond(.text("\(exchange.request.isSecure) \(exchange.request.body.count)"))
        }
        #expect(server.url.description == "https://127.0.0.1:\(server.port)/")
        let client = try TLSClient(port: server.port, protocols: ["h2", "http/1.1"])
        #expect(client.isConnected)
        #expect(client.chosenProtocol == "http/1.1")
        client.send("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 200000\r\nConnection: close\r\n\r\n")
        for _ in 0..<20 { client.send(String(repeating: "x", count: 10_000)) }
        let (text, isOrderly) = client.receiveAll()
        #expect(text.hasSuffix("\r\n\r\ntrue 200000"))
        #expect(isOrderly)
    }

    @Test func largeAnswersGoOverTLS() throws {
        let body = String(repeating: "0123456789", count: 500_000)
        let server = try makeServer { try $0.respond(.text(body)) }
        let client = try TLSClient(port: server.port, protocols: [])
        client.send("GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
        #expect(client.receiveAll().text.hasSuffix("\r\n\r\n\(body)"))
    }

    @Test func oldVersionsAndOtherProtocolsAreRefused() throws {
        let server = try makeServer { try $0.respond(.text("hello")) }
        #expect(try TLSClient(port: server.port, protocols: ["http/1.1"], maximumVersion: TLS1_2_VERSION).isConnected)
        #expect(try !TLSClient(port: server.port, protocols: [], maximumVersion: TLS1_1_VERSION).isConnected)
        #expect(try !TLSClient(port: server.port, protocols: ["h2"]).isConnected)
        let plain = try RawClient(port: server.port)
        try plain.send("GET / HTTP/1.1\r\nHost: x\r\n\r\n")
        #expect(try !plain.receiveAll().hasPrefix("HTTP/"))
        #expect(server.connections.accepted == 4)
    }

    @Test func aPauseEndsWhenThePeerLeaves() async throws {
        let server = try TestServer(tls: certificate)
        server.enqueue(.stall)
        var client: TLSClient? = try TLSClient(port: server.port, protocols: [])
        client?.send("GET / HTTP/1.1\r\nHost: x\r\n\r\n")
        _ = try await server.request(at: 0)
        client = nil
        #expect(try await server.request(at: 0) { $0.isAbandoned }.isAnswered == false)
        try await server.waitForConnections(open: 0)
    }

    @Test func stopEndsAHandshakeThatStalls() throws {
        let server = try makeServer { try $0.respond(.text("hello")) }
        let client = try RawClient(port: server.port)
        try client.send([0x16, 0x03, 0x01])
        #expect(ContinuousClock().measure { server.stop() } < .seconds(5))
        #expect((try? client.receiveAll()) ?? "" == "")
    }

    @Test func anUnusableCertificateIsAnError() {
        for tls in [
            Server.TLS(certificateFile: "/nowhere/server.pem", keyFile: certificate.keyFile),
            Server.TLS(certificateFile: certificate.certificateFile, keyFile: certificate.certificateFile),
        ] {
            #expect {
                try Server(.init { $0.tls = tls }, handler: { _ in })
            } throws: { error in
                (error as? ConvoyError)?.code == .cannotListen
            }
        }
    }
}
