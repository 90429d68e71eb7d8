import ConvoyCore
import ConvoyTesting
import FoundationEssentials
import Synchronization
import Testing

@testable import ConvoyServer

#if canImport(Glibc)
    import Glibc
#endif

/// What is left of a server after its stop: nothing.
@Suite(.timeLimit(.minutes(1)))
struct StopTests {
    /// The number of this process's threads of a name.
    private func threads(named name: String) -> Int {
        let tasks = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/task")) ?? []
        return tasks.count { task in
            let file = try? String(contentsOfFile: "/proc/self/task/\(task)/comm", encoding: .utf8)
            return file == "\(name)\n"
        }
    }

    /// The number of this process's sockets whose own port is this: a server's, not those of its clients.
    private func sockets(on port: Int) -> Int {
        let files = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")) ?? []
        return files.count { file in
            guard let descriptor = Int32(file) else { return false }
            var address = sockaddr_in()
            var length = socklen_t(MemoryLayout<sockaddr_in>.size)
            let code = withUnsafeMutablePointer(to: &address) { pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(descriptor, $0, &length) }
            }
            return code == 0 && address.sin_family == sa_family_t(AF_INET) && address.sin_port.bigEndian == UInt16(port)
        }
    }

    /// Asks until the count is this, for as long as the system needs to take a joined thread off its list.
    private func expect(_ count: Int, _ what: () -> Int) {
        let deadline = ContinuousClock.now + .seconds(5)
        while what() != count, ContinuousClock.now < deadline { sched_yield() }
        #expect(what() == count)
    }

    private func makeServer(_ name: String, handler: @escaping Server.Handler) throws -> Server {
        try Server(Server.Configuration { $0.name = name }, handler: handler)
    }

    @Test func nothingIsLeft() throws {
        let server = try makeServer("stop-nothing") { try $0.respond(.text("hello")) }
        let clients = try (0..<5).map { _ in try RawClient(port: server.port) }
        for client in clients { #expect(try client.exchange(.get, "/")?.text == "hello") }
        #expect(threads(named: "stop-nothing") == 6)
        #expect(sockets(on: server.port) == 6)
        server.stop()
        #expect(sockets(on: server.port) == 0)
        #expect(server.connections.open == 0)
        expect(0) { threads(named: "stop-nothing") }
        for client in clients { #expect(try client.receiveAll() == "") }
        #expect(throws: RawClient.Failure.self) { try RawClient(port: server.port) }
        server.stop()
    }

    @Test func endedConnectionsLeaveNothingWhileItRuns() throws {
        let server = try makeServer("stop-ended") { try $0.respond(.text("hello")) }
        for _ in 0..<20 {
            let client = try RawClient(port: server.port)
            #expect(try client.exchange(.get, "/")?.status == 200)
        }
        expect(1) { threads(named: "stop-ended") }
        expect(1) { sockets(on: server.port) }
        expect(0) { server.connections.open }
        server.stop()
        expect(0) { threads(named: "stop-ended") }
    }

    @Test func releaseStops() throws {
        var server: Server? = try makeServer("stop-release") { try $0.respond(.text("hello")) }
        let port = try #require(server?.port)
        let client = try RawClient(port: port)
        #expect(try client.exchange(.get, "/")?.status == 200)
        server = nil
        #expect(try client.receiveAll() == "")
        #expect(sockets(on: port) == 0)
        expect(0) { threads(named: "stop-release") }
    }

    @Test func manyServersLeaveNoDescriptor() throws {
        func count() throws -> Int { try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count }
        let before = try count()
        for _ in 0..<300 {
            let server = try makeServer("stop-many") { try $0.respond(.text("hello")) }
            #expect(try RawClient(port: server.port).exchange(.get, "/")?.status == 200)
            server.stop()
        }
        // Other tests run at the same time; one descriptor left by each server would be 300.
        #expect(try count() < before + 200)
    }

    enum Wait: String, CaseIterable {
        case pause, forEver, bodyThatStalls, answerNobodyReads, endless, nextRequest, halfRequest
    }

    @Test(arguments: Wait.allCases)
    func everyWaitEndsAtOnce(_ wait: Wait) async throws {
        let (begun, continuation) = AsyncStream.makeStream(of: Void.self)
        let server = try makeServer("stop-wait") { exchange in
            continuation.yield()
            switch wait {
            case .pause: try exchange.pause(for: .seconds(3600))
            case .forEver: try exchange.pauseForEver()
            case .bodyThatStalls: try exchange.readBody()
            case .answerNobodyReads, .endless:
                while true { try exchange.sendRaw([UInt8](repeating: 0x78, count: 65536)) }
            case .nextRequest, .halfRequest: try exchange.respond(.text("hello"))
            }
        }
        let client = try RawClient(port: server.port)
        let reader: Task<Void, any Error>?
        switch wait {
        case .halfRequest:
            // The server waits for the rest of the head.
            try client.send("GET / HT")
            reader = nil
        case .nextRequest:
            #expect(try client.exchange(.get, "/")?.text == "hello")
            reader = nil
        default:
            try client.send("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\n")
            for await _ in begun { break }
            // Takes as fast as it can, so that the server never has to wait.
            let other = wait == .endless ? client : nil
            nonisolated(unsafe) let taking = other
            reader = wait == .endless ? Task.detached { while try taking?.receiveSome().isEmpty == false {} } : nil
        }
        let time = ContinuousClock().measure { server.stop() }
        #expect(time < .seconds(5))
        try? await reader?.value
        #expect(sockets(on: server.port) == 0)
    }

    @Test func aHandlerMayBeginTheStop() throws {
        let box = Mutex<Server?>(nil)
        let server = try makeServer("stop-handler") { exchange in
            box.withLock { $0 }?.stop()
            try exchange.respond(.text("too late"))
        }
        box.withLock { $0 = server }
        let client = try RawClient(port: server.port)
        try client.send("GET / HTTP/1.1\r\nHost: x\r\n\r\n")
        #expect(try client.receiveAll() == "")
        box.withLock { $0 = nil }
        server.stop()
        expect(0) { threads(named: "stop-handler") }
    }

    @Test func theLastReferenceMayBeAHandlers() throws {
        let box = Mutex<Server?>(nil)
        let port: Int
        do {
            let server = try makeServer("stop-last") { _ in box.withLock { $0 = nil } }
            box.withLock { $0 = server }
            port = server.port
        }
        let client = try RawClient(port: port)
        try client.send("GET / HTTP/1.1\r\nHost: x\r\n\r\n")
        #expect(try client.receiveAll() == "")
        expect(0) { threads(named: "stop-last") }
        expect(0) { sockets(on: port) }
    }

    @Test func stopsAtTheSameTimeWaitForEachOther() async throws {
        for _ in 0..<20 {
            let server = try makeServer("stop-both") { try $0.pauseForEver() }
            let clients = try (0..<4).map { _ in try RawClient(port: server.port) }
            for client in clients { try client.send("GET / HTTP/1.1\r\nHost: x\r\n\r\n") }
            await withTaskGroup(of: Void.self) { group in
                for _ in 0..<3 {
                    group.addTask {
                        server.stop()
                        #expect(server.connections.open == 0)
                    }
                }
            }
        }
    }
}
