import Convoy
import ConvoyCompression
import ConvoyTesting
import Foundation
import Testing

/// Documentation/responses.md
@Suite(.samples) struct ResponseSamples {
    @Test func response() async throws {
        let server = try TestServer()
        server.enqueue(.json(#"{"id": 42, "name": "Ada"}"#))
        let client = Client(baseURL: server.url.origin)

        let response = try await client.get("users/42")
        print(response.status, response.headers[.contentType] ?? "no type")
        let user = try response.decode(User.self)

        #expect(user == User(id: 42, name: "Ada"))
        #expect(Printed.lines == ["200 OK application/json"])
    }

    @Test func ownDecoder() async throws {
        let server = try TestServer()
        server.enqueue(.json(#"["1970-01-01T00:00:00Z"]"#))
        let client = Client(baseURL: server.url.origin)

        client.update { $0.decoder = JSONBodyDecoder { $0.dateDecodingStrategy = .iso8601 } }
        let dates = try await client.get("dates").decode([Date].self)

        #expect(dates == [Date(timeIntervalSince1970: 0)])
    }

    @Test(arguments: [
        (Answer.json(#"{"id": 42, "name": "Ada"}"#), User(id: 42, name: "Ada") as User?),
        (.json("{}", status: .notFound), nil),
    ])
    func success(_ scripted: Answer, _ expected: User?) async throws {
        let server = try TestServer()
        server.enqueue(scripted)
        let client = Client(baseURL: server.url.origin)

        var request = Request(.get, "users/42")
        request.validation = .statuses([.ok, .notFound]).contentTypes("application/json")
        let answer = try await client.send(request)
        let known: User? = answer.status == .notFound ? nil : try answer.decode()

        #expect(known == expected)
        server.enqueue(.text("ok"))
        let error = await #expect(throws: ConvoyError.self) { try await client.send(request) }
        #expect(error?.code == .unacceptableContentType)
    }

    @Test func emptyBodies() async throws {
        let server = try TestServer()
        server.on(.get, "/empty", .status(.ok))
        let response = try await Client(baseURL: server.url.origin).get("empty")
        #expect(try response.decode(User?.self) == nil)
        #expect(try response.decode(Data.self).isEmpty)
        #expect(try response.decode(String.self) == "")
        try response.decode(Void.self)
        let error = #expect(throws: ConvoyError.self) { try response.decode(User.self) }
        #expect(error?.code == .decodingFailed)
    }

    @Test func streamsAndFiles() async throws {
        let server = try TestServer()
        server.enqueue(.chunks(["a\nb", "\nc\n"]), at: "/export")
        server.enqueue(.bytes(Array(repeating: 7, count: 200_000)), at: "/image")
        let client = Client(baseURL: server.url.origin)
        let target = FileManager.default.temporaryDirectory.appending(path: "convoy-samples-\(UUID())").path
        defer { try? FileManager.default.removeItem(atPath: target) }

        let export = try await client.stream(Request(.get, "export"))
        var lines = 0
        for try await piece in export.body { lines += piece.count { $0 == UInt8(ascii: "\n") } }

        var download = Request(.get, "image")
        download.delivery = .file(path: target)
        download.progress = ProgressHandler(on: .main) { print($0.fractionReceived ?? 0) }
        let saved = try await client.send(download)

        #expect(lines == 3)
        guard case .file(target) = saved.body.storage else { throw ConvoyError(.decodingFailed, "not in a file") }
        try await #expect(saved.body.collect().count == 200_000)
        #expect(FileManager.default.contents(atPath: target)?.count == 200_000)
        let attributes = try FileManager.default.attributesOfItem(atPath: target)
        #expect(attributes[.posixPermissions] as? Int == 0o600)
    }

    @Test func bodiesAboveTheLimit() async throws {
        let server = try TestServer()
        let coded = try #require(try Compression.standard.encode(Data(count: 2000), as: "gzip"))
        server.on(.get, "/plain", .bytes(Data(count: 2000)))
        server.on(.get, "/coded", .bytes(coded, headers: ["Content-Encoding": "gzip"]))
        let client = Client(baseURL: server.url.origin) { $0.bodyLimit = 1000 }
        for (path, code) in [("plain", ConvoyError.Code.bodyTooLarge), ("coded", .contentLimitExceeded)] {
            let error = await #expect(throws: ConvoyError.self) { try await client.get("\(raw: path)") }
            #expect(error?.code == code)
        }
    }

    @Test func breakingOffClosesTheExchange() async throws {
        let server = try TestServer()
        server.enqueue(Answer.head(200, ["Content-Length": "10"]).then(.raw("12345"), .stall))
        let client = Client(baseURL: server.url.origin)
        do {
            for try await _ in try await client.stream(Request(.get, "a")).body { break }
        }
        let request = try await server.request(at: 0) { $0.isAbandoned }
        #expect(request.isAbandoned)
    }
}
