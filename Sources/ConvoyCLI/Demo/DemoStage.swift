import Convoy
import ConvoyServer
import Synchronization

/// What the steps of the tour work with: a server of their own, a client for it, and a place for remarks.
final class DemoStage: Sendable {
    let server: Server
    let client: Client
    let wire = WireLog()
    private let remarks = Mutex<[String]>([])

    init() throws {
        server = try Server(routes: .demo())
        client = Client(baseURL: server.url.origin)
        let log: any Plugin = wire
        client.update { configuration in
            configuration.product = "demo"
            configuration.plugins = [log]
            // No proxy stands between this process and itself, whatever the environment says.
            configuration.network.proxy = .none
        }
    }

    /// Another client for the same server, seen by the same log.
    func client(configure: (inout Configuration) -> Void) -> Client {
        let common = client.configuration
        return Client(baseURL: server.url.origin) { configuration in
            configuration.plugins = common.plugins
            configuration.network = common.network
            configuration.product = common.product
            configure(&configuration)
        }
    }

    /// Says what came of it.
    func remark(_ text: String) { remarks.withLock { $0.append(text) } }

    /// The remarks since the last time.
    func takeRemarks() -> [String] {
        remarks.withLock { remarks in
            defer { remarks = [] }
            return remarks
        }
    }

    /// Throws unless it is as it should be.
    func check(_ isRight: Bool, _ what: @autoclosure () -> String) throws {
        if !isRight { throw DemoFailure(description: what()) }
    }

    /// Throws unless both are the same.
    func check<Value: Equatable>(_ value: Value, is expected: Value) throws {
        if value != expected { throw DemoFailure(description: "\(value) came where \(expected) was expected") }
    }

    /// The error that the work ends with, which has to be of this code.
    func failure(
        _ code: ConvoyError.Code, _ work: () async throws -> Void
    ) async throws -> ConvoyError {
        do { try await work() } catch let error as ConvoyError where error.code == code {
            return error
        }
        throw DemoFailure(description: "no error came where \(code) was expected")
    }

    /// How long the work takes.
    func time(_ work: () async throws -> Void) async throws -> Duration {
        let started = ContinuousClock.now
        try await work()
        return started.duration(to: .now)
    }

    func close() async {
        await client.shutdown()
        server.stop()
    }
}
