import ConvoyCore
import ConvoyServer
import ConvoyTesting
import Foundation
import Testing

@testable import ConvoyCurl

/// B004: what an exchange took is known for every exchange, also one that failed.
@Suite struct MetricsTests {
    private func isOrdered(_ metrics: Metrics) -> Bool {
        let times = [
            .zero, metrics.nameLookup, metrics.connect, metrics.tls, metrics.firstByte ?? metrics.tls, metrics.total,
        ]
        return zip(times, times.dropFirst()).allSatisfy { $0 <= $1 }
    }

    @Test func measuresAnExchange() async throws {
        try await withServer { server, client in
            server.on(nil, "/*", Answer.text("12345").delayed(by: .milliseconds(50)))
            let first = try await client.post("x", body: .text("abc")).metrics
            #expect(isOrdered(first))
            #expect(try #require(first.firstByte) >= .milliseconds(50))
            #expect(first.connect > .zero)
            #expect(first.sentBodyBytes == 3)
            #expect(first.receivedBodyBytes == 5)
            #expect(first.receivedHeaderBytes > 40)
            #expect(first.sentHeaderBytes > 40)
            #expect(first.version == .http11)
            #expect(!first.isReusedConnection)
            #expect(first.connection?.remoteAddress == "127.0.0.1:\(server.port)")
            #expect(first.connection?.localAddress.hasPrefix("127.0.0.1:") == true)
            #expect(first.connection?.tls == nil)
            let second = try await client.get("x").metrics
            #expect(second.isReusedConnection)
            #expect(isOrdered(second))
            #expect(first.connection === second.connection)
        }
    }

    @Test func measuresAFailedExchange() async throws {
        try await withServer { server, client in
            server.enqueue(.text("1234567890").cut(after: 4))
            let error = try await failure { try await client.get("x") }
            let metrics = try #require(error.metrics)
            #expect(isOrdered(metrics))
            #expect(metrics.receivedBodyBytes == 4)
            #expect(metrics.connection != nil)
            let refused = try await failure { try await client.get("http://127.0.0.1:1/") }
            #expect(try isOrdered(#require(refused.metrics)))
            #expect(refused.metrics?.connection == nil)
            server.enqueue(.text("no", status: .notFound))
            let unaccepted = try await failure { try await client.get("x") }
            #expect(unaccepted.metrics?.receivedBodyBytes == 2)
        }
    }
}
