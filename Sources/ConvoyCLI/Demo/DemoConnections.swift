import Convoy

/// Connections and what they cost.
extension DemoStep {
    static let connections: [DemoStep] = [
        DemoStep(
            "Connections are kept, and every answer tells what it took",
            code: "response.metrics.isReusedConnection, .firstByte, .sentHeaderBytes, .connection"
        ) { stage in
            let client = stage.client { _ in }
            let before = stage.server.connections.accepted
            var last = Metrics()
            for _ in 1...3 { last = try await client.get("get").metrics }
            try stage.check(stage.server.connections.accepted - before, is: 1)
            try stage.check(last.isReusedConnection, "the third call made a connection of its own")
            await client.shutdown()
            let own = last.connection?.localAddress ?? "none"
            stage.remark("3 calls over 1 connection, \(own) to \(last.connection?.remoteAddress ?? "none")")
        },
        DemoStep(
            "Many calls at a time",
            code: """
                try await withThrowingTaskGroup { group in
                    for number in 1...12 { group.addTask { try await client.get("delay/0.1?call=\\(number)") } }
                }
                """
        ) { stage in
            let before = stage.server.connections.accepted
            let took = try await stage.time {
                let numbers = try await withThrowingTaskGroup(of: String?.self) { group in
                    for number in 1...12 {
                        group.addTask {
                            let response = try await stage.client.get("delay/0.1?call=\(number)")
                            return try response.decode(EchoAnswer.self).args["call"]
                        }
                    }
                    return try await group.reduce(into: Set<String>()) { if let number = $1 { $0.insert(number) } }
                }
                try stage.check(numbers.count, is: 12)
            }
            try stage.check(took < .milliseconds(1200), "it took \(took.forPeople), as long as one after the other")
            let new = stage.server.connections.accepted - before
            stage.remark("12 calls of 100 ms took \(took.forPeople); \(new) new connections")
        },
    ]
}
