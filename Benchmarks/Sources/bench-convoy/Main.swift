import BenchSupport
import Convoy
import ConvoyCurl

/// Convoy as its documentation tells to use it; only the number of connections is raised when the runner asks for it.
struct ConvoyClient: BenchClient {
    private let client: Client
    private let version: HTTPVersion?

    init(_ options: Options) throws {
        func configure(_ configuration: inout Configuration) {
            guard let file = options.authorities else { return }
            configuration.network.trust = options.trustsSystem ? .systemAnd(pemFile: file) : .only(pemFile: file)
        }
        if let connections = options.connections {
            client = Client(transport: CurlTransport(connectionsPerHost: connections), configure: configure)
        } else {
            client = Client(configure: configure)
        }
        version = options.isHTTP2.map { $0 ? .http2 : .http11 }
    }

    func get(_ url: String) async throws -> Int {
        let response = try await client.get(url)
        if let version, response.version != version { throw Failure("the answer is \(response.version)") }
        return response.body.data?.count ?? 0
    }

    func download(_ url: String, to file: String) async throws {
        var request = Request(.get, url)
        request.delivery = .file(path: file)
        let response = try await client.send(request)
        if let version, response.version != version { throw Failure("the answer is \(response.version)") }
    }

    func upload(_ file: String, to url: String) async throws -> Int {
        let text = try await client.post(url, body: .file(file)).decode(String.self)
        return Int(text.prefix { $0.isNumber }) ?? -1
    }
}

@main
enum Main {
    static func main() async { await Bench.main("convoy", ConvoyClient.self) }
}
