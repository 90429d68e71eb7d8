import ConvoyCore
import ConvoyServer
import ConvoyTesting
import Testing

@Suite(.timeLimit(.minutes(1)))
struct RoutesTests {
    @Test(
        arguments: [
            ("/status/:code", "/status/404", ["code": "404"]), ("/status/:code", "/status/", nil),
            ("/status/:code", "/status", nil), ("/status/:code", "/status/1/2", nil), ("/", "/", [:]), ("/", "/a", nil),
            ("/a/*", "/a/b/c", ["*": "b/c"]), ("/a/*", "/a", ["*": ""]), ("/*", "/", ["*": ""]),
            ("/:a/x/:b", "/1/x/2%2F3", ["a": "1", "b": "2/3"]), ("/ü", "/%C3%BC", [:]),
        ] as [(String, String, [String: String]?)])
    func patterns(_ pattern: String, _ path: String, _ parameters: [String: String]?) {
        #expect(Routes.match(Routes.segments(pattern), Routes.segments(path)) == parameters)
    }

    @Test func theFirstRouteThatFitsAnswers() throws {
        var routes = Routes()
        routes.on(.get, "/a/b") { _ in .text("exact") }
        routes.on(.get, "/a/:x") { .text("placeholder \($0.parameters["x"] ?? "")") }
        routes.on(nil, "/a/*") { .text("tail \($0.method)") }
        let server = try Server(routes: routes)
        let client = try RawClient(port: server.port)
        #expect(try client.exchange(.get, "/a/b")?.text == "exact")
        #expect(try client.exchange(.get, "/a/c")?.text == "placeholder c")
        #expect(try client.exchange(.get, "/a/c/d")?.text == "tail GET")
        #expect(try client.exchange(.put, "/a/b")?.text == "tail PUT")
    }

    @Test func unknownPathsAndMethodsAreTold() throws {
        var routes = Routes()
        routes.on(.get, "/a") { _ in .text("a") }
        routes.on(.post, "/a") { _ in .text("a") }
        let server = try Server(routes: routes)
        let client = try RawClient(port: server.port)
        #expect(try client.exchange(.get, "/b")?.status == 404)
        let refused = try client.exchange(.delete, "/a")
        #expect(refused?.status == 405)
        #expect(refused?.headers["Allow"] == "GET, POST")
        #expect(try client.exchange(.head, "/a")?.status == 200)
    }
}
