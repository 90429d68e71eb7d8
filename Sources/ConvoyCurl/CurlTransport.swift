import ConvoyCompression
import ConvoyCore
import FoundationEssentials
import Synchronization

/// The engine on libcurl: HTTP/1.1 and HTTP/2 over connections that are kept and shared, driven by one thread.
///
/// The thread starts with the first exchange and ends with `shutdown()`, or when the transport is dropped.
public final class CurlTransport: Transport {
    let loop: Loop

    /// An engine with connections of its own.
    ///
    /// - Parameter connectionsPerHost: the most connections to one host at a time; further exchanges wait their turn.
    ///   On HTTP/2 many exchanges share one. Default: 6.
    public init(connectionsPerHost: Int = 6) { loop = Loop(connectionsPerHost: max(1, connectionsPerHost)) }

    deinit { loop.abandon() }

    /// What it holds at the moment.
    public var resources: Resources { loop.census.resources }

    /// What it can do: it decodes the content codings that ConvoyCompression was built with.
    public var capabilities: TransportCapabilities {
        TransportCapabilities(name: "libcurl", contentCodings: Compression.standard.codings)
    }

    /// Sends the request and gives its final response. See `Transport`.
    public func exchange(_ request: Request) async throws -> Response {
        guard let uri = request.uri else {
            throw ConvoyError(.invalidURL, "the request has no absolute address: a client completes it")
        }
        let transfer = try Transfer(request, uri: uri, loop: loop, owner: self)
        do { try await perform(transfer) } catch {
            guard transfer.needsFreshConnection else { throw error }
            return try await exchangeAfresh(request, uri)
        }
        return try transfer.decodedResponse()
    }

    private func exchangeAfresh(_ request: Request, _ uri: URI) async throws -> Response {
        var request = request
        request.network?.usesFreshConnection = true
        let transfer = try Transfer(request, uri: uri, loop: loop, owner: self)
        try await perform(transfer)
        return try transfer.decodedResponse()
    }

    private func perform(_ transfer: Transfer) async throws {
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                transfer.continuation = continuation
                do { try loop.submit(transfer) } catch { continuation.resume(throwing: error) }
            }
        } onCancel: {
            transfer.isCancelled.store(true, ordering: .releasing)
            loop.post(.cancel(transfer))
        }
    }

    /// Ends what is under way, closes every connection, and waits for the thread to end.
    public func shutdown() async { await loop.shutdown() }
}
