import Convoy
import ConvoyTesting
import Foundation
import Testing

/// Documentation/requests.md
@Suite(.samples) struct RequestSamples {
    @Test func request() async throws {
        let server = try TestServer()
        server.enqueue(.status(.created))
        let client = Client(baseURL: server.url.origin)
        let id = 7

        var request = Request(.post, "users/\(id)/notes")
        request.query = ["tag": ["a", "b"], "draft": true]
        request.headers["Idempotency-Key"] = "7f3a"
        request.body = .json(Note(text: "hi"))
        request.timeouts = Timeouts(total: .seconds(5))
        let response = try await client.send(request)

        #expect(response.status == .created)
        let sent = try #require(server.requests.first)
        #expect(sent.target == "/users/7/notes?tag=a&tag=b&draft=true")
        #expect(sent.headers["Idempotency-Key"] == "7f3a")
        #expect(sent.headers[.contentType] == "application/json")
        #expect(sent.text == #"{"text":"hi"}"#)
    }

    @Test func addresses() async throws {
        let server = try TestServer()
        server.on(.get, "/files/:name", .status(.ok))
        let client = Client(baseURL: server.url.origin)

        let file = "a/b?c=d"
        _ = try await client.get("files/\(file)")  // one segment: files/a%2Fb%3Fc%3Dd
        _ = try await client.get("files/\(raw: "a%2Fb")")  // encoded already
        let path = "files/x y"
        _ = try await client.get(path)  // a variable: files/x%20y

        #expect(server.requests.map(\.target) == ["/files/a%2Fb%3Fc%3Dd", "/files/a%2Fb", "/files/x%20y"])
    }

    @Test func dotSegmentsAreRefused() async throws {
        let client = Client(baseURL: "http://127.0.0.1:1")
        let error = await #expect(throws: ConvoyError.self) { try await client.get("files/\("..")/x") }
        #expect(error?.code == .invalidURL)
    }

    @Test func parameters() async throws {
        let server = try TestServer()
        server.enqueue(.status(.ok), .status(.ok))
        let client = Client(baseURL: server.url.origin)

        var search = Request(.get, "search")
        search.parameters = ["q": "tea & cake", "page": 2]  // GET: search?q=tea%20%26%20cake&page=2
        var form = Request(.post, "orders")
        form.parameters = ["name": "Ada", "size": nil, "tag": ["a", "b"]]  // a form: name=Ada&tag=a&tag=b

        _ = try await client.send(search)
        _ = try await client.send(form)
        #expect(server.requests.map(\.target) == ["/search?q=tea%20%26%20cake&page=2", "/orders"])
        #expect(server.requests.last?.text == "name=Ada&tag=a&tag=b")
        #expect(server.requests.last?.headers[.contentType] == "application/x-www-form-urlencoded")
    }

    @Test func bodies() async throws {
        let server = try TestServer()
        server.enqueue(.status(.created))
        let client = Client(baseURL: server.url.origin)
        let folder = FileManager.default.temporaryDirectory.appending(path: "convoy-samples-\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let archive = folder.appending(path: "a.zip").path
        try Data(repeating: 7, count: 100_000).write(to: URL(filePath: archive))

        client.update { $0.encoder = JSONBodyEncoder { $0.dateEncodingStrategy = .iso8601 } }
        var upload = Request(.put, "archive")
        upload.body = .file(archive, contentType: "application/zip")
        upload.progress = ProgressHandler(on: .main) { print($0.sent, "of", $0.sendTotal ?? 0) }
        let answer = try await client.send(upload)

        #expect(answer.status == .created)
        #expect(server.requests.first?.body.count == 100_000)
        #expect(server.requests.first?.headers[.contentType] == "application/zip")
        #expect(server.requests.first?.headers[.contentLength] == "100000")
        server.enqueue(.status(.ok))
        _ = try await client.post("dates", body: .json([Date(timeIntervalSince1970: 0)]))
        #expect(server.requests.last?.text == #"["1970-01-01T00:00:00Z"]"#)
    }

    private struct Filter: Encodable {
        var name: String
        var limit: Int
    }

    @Test func parameterOptions() async throws {
        let server = try TestServer()
        server.on(nil, "/*", .status(.ok))
        let client = Client(baseURL: server.url.origin)

        client.update { $0.parameterOptions.arrays = .brackets }
        _ = try await client.get("search", query: ["tag": ["a"]])
        client.update {
            $0.parameterOptions.arrays = .indexed  // also .repeated (default), .brackets, .joined, .custom
            $0.parameterOptions.booleans = .oneZero  // also nesting, nulls, keys, spaces, isSorted, destination
        }
        let near: Parameters = ["near": ["lat": 52.5, "lon": 13.4], "open": true, "tag": ["a", "b"]]
        let found = try await client.get("search", query: near)
        let filtered = try await client.get("search", query: Parameters(encoding: Filter(name: "tea", limit: 5)))

        #expect(found.status == .ok && filtered.status == .ok)
        #expect(
            server.requests.map { $0.target.removingPercentEncoding ?? "" } == [
                "/search?tag[]=a", "/search?near[lat]=52.5&near[lon]=13.4&open=1&tag[0]=a&tag[1]=b",
                "/search?name=tea&limit=5",
            ])
    }

    @Test func templates() async throws {
        let server = try TestServer()
        server.on(nil, "/*", .status(.ok))
        let client = Client(baseURL: server.url.origin)

        let values: Parameters = ["id": "a/b", "tag": ["x", "y"], "page": nil]
        let query = Request(.get, template: "users/{id}/notes{?tag*,page}", values)
        let notes = try await client.send(query)

        #expect(notes.status == .ok)
        #expect(server.requests.map(\.target) == ["/users/a%2Fb/notes?tag=x&tag=y"])
    }

    @Test func whatItTakesFromTheClient() async throws {
        let server = try TestServer()
        let origin = server.url.origin
        server.enqueue(.status(.ok))
        let client = Client(baseURL: "\(origin)/v1") {
            $0.headers["X-Device"] = "7"
            $0.query["app"] = "demo"
        }

        enum Screen: UserInfoKey { static let defaultValue = "none" }

        var plain = Request(.get, "\(origin)/status")
        plain.inherits = [.userInfo, .plugins]  // no base URL, headers or parameters of the client's
        plain.userInfo[Screen.self] = "settings"  // goes with the call, never over the wire
        let status = try await client.send(plain)
        print(status.userInfo[Screen.self])

        #expect(Printed.lines == ["settings"])
        #expect(server.requests.first?.target == "/status")
        #expect(server.requests.first?.headers["X-Device"] == nil)
    }
}
