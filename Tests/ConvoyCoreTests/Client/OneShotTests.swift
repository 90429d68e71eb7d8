import ConvoyCore
import Foundation
import Testing

struct OneShotTests {
    @Test func theTransportIsShutDownAfterSuccess() async throws {
        let transport = FakeTransport()
        let response = try await Client.once(Request("x"), transport: transport) { $0.baseURL = "https://h" }
        #expect(response.status == .ok && transport.addresses == ["https://h/x"])
        #expect(transport.shutdowns == 1)
    }

    @Test func theTransportIsShutDownAfterFailure() async {
        let transport = FakeTransport { _, _ in throw ConvoyError(.cannotConnect, "x") }
        #expect(
            await failure { try await Client.once(Request("http://h/"), transport: transport) }?.code == .cannotConnect)
        #expect(transport.shutdowns == 1)
        let unsent = FakeTransport()
        #expect(await failure { try await Client.once(Request("no url"), transport: unsent) }?.code == .invalidURL)
        #expect(unsent.shutdowns == 1)
    }

    @Test(.timeLimit(.minutes(1))) func theTransportIsShutDownAfterCancelling() async throws {
        let inside = Gate()
        let transport = FakeTransport { _, _ in
            inside.open()
            try await Gate().wait()
            return Response(status: 200)
        }
        let task = Task { try await Client.once(Request("http://h/"), transport: transport) }
        try await inside.wait()
        task.cancel()
        #expect(await failure { try await task.value }?.code == .cancelled)
        #expect(transport.shutdowns == 1)
    }

    @Test func aStreamIsReadBeforeItsConnectionCloses() async throws {
        let transport = FakeTransport { _, _ in
            Response(
                status: 200,
                body: .stream {
                    AsyncStream<Data> {
                        $0.yield(Data("abc".utf8)); $0.finish()
                    }
                })
        }
        var request = Request("http://h/")
        request.delivery = .stream
        #expect(try await Client.once(request, transport: transport).body.data == Data("abc".utf8))
        let error = await failure { try await Client.once(request, transport: transport) { $0.bodyLimit = 2 } }
        #expect(error?.code == .bodyTooLarge)
        #expect(transport.shutdowns == 2)
    }

    @Test func aDownloadedFileStaysAFile() async throws {
        let transport = FakeTransport { _, _ in Response(status: 200, body: .file("/nowhere/large")) }
        let response = try await Client.once(Request("http://h/"), transport: transport)
        guard case .file(let path) = response.body.storage else { Issue.record("the file was read"); return }
        #expect(path == "/nowhere/large")
    }
}
