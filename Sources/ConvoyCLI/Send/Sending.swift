import Convoy

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Sends one request and shows what comes back.
struct Sending: Sendable {
    let options: SendOptions
    let console: Console

    func run(_ built: RequestBuilder.Result) async throws -> ExitCode {
        let client = Client { $0.product = "convoy" }
        let outcome = await result(client, prepared(built))
        await client.shutdown()
        return try outcome.get()
    }

    private func prepared(_ built: RequestBuilder.Result) -> Request {
        var request = built.request
        request.timeouts = options.timeouts
        request.redirects = options.redirects
        request.retry = options.retry
        request.network = options.network
        // The status is judged here, after the body was printed.
        request.validation = Validation.none
        request.plugins = [
            ExchangeView(parts: options.parts, console: console, look: options.look, removed: built.removedHeaders)
        ]
        return request
    }

    private func result(_ client: Client, _ request: Request) async -> Result<ExitCode, any Error> {
        let started = ContinuousClock.now
        let progress = ProgressRecord()
        var request = request
        if options.parts.contains(.metrics) { request.progress = progress.handler }
        do {
            let response = try await client.stream(request)
            let size = try await write(response)
            if options.parts.contains(.metrics) {
                let total = started.duration(to: .now)
                let received = progress.last?.received ?? size
                console.note(MetricsLine(response.metrics, total: total, body: received, decoded: size).text)
            }
            return .success(judge(response))
        } catch let error as ConvoyError {
            if options.parts.contains(.metrics), let metrics = error.metrics {
                let total = started.duration(to: .now)
                console.note(MetricsLine(metrics, total: total, body: metrics.receivedBodyBytes).text)
            }
            return .failure(error)
        } catch { return .failure(error) }
    }

    /// Writes the body where it belongs, and gives its number of bytes.
    private func write(_ response: Response) async throws -> Int64 {
        let isSuccess = !options.checksStatus || ExitCode(response.status) == .success
        if let path = options.outputFile, path != "-", isSuccess {
            return try await OutputFile.write(response.body, to: path)
        }
        guard options.parts.contains(.responseBody) else {
            // Read all the same: a body that breaks off is a failure, shown or not.
            var size: Int64 = 0
            for try await piece in response.body { size += Int64(piece.count) }
            return size
        }
        let look = console.look(on: console.output, asked: options.look)
        return try await BodyWriter(stream: console.output, look: look, streams: options.streams).write(response)
    }

    private func judge(_ response: Response) -> ExitCode {
        let code = options.checksStatus ? ExitCode(response.status) : .success
        guard code != .success else { return code }
        let location = code == .redirection ? response.headers["Location"].map { ", Location: \($0)" } ?? "" : ""
        console.complain("the server answered \(response.statusLine)\(location)")
        return code
    }
}
