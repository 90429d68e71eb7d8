import ConvoyCore
import ConvoyServer
import ConvoyTesting
import Testing

@Suite(.timeLimit(.minutes(1)))
struct TestServerTests {
    @Test func answersAreTakenInOrderForAnyRequest() throws {
        let server = try TestServer()
        server.enqueue(.status(503), .json(#"{"id": 7}"#))
        let client = try RawClient(port: server.port)
        #expect(try client.exchange(.get, "/a")?.status == 503)
        let second = try client.exchange(.post, "/b", body: "hello")
        #expect(second?.status == 200)
        #expect(second?.text == #"{"id": 7}"#)
        #expect(second?.headers[.contentType] == "application/json")
        let requests = server.requests
        #expect(requests.map(\.target) == ["/a", "/b"])
        #expect(requests.map(\.connection) == [0, 0])
        #expect(requests.map(\.index) == [0, 1])
        #expect(requests.last?.text == "hello")
    }
}
