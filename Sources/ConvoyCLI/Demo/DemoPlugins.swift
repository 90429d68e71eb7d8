import Convoy

/// Plugins.
extension DemoStep {
    static let plugins: [DemoStep] = [
        DemoStep(
            "A plugin that asks again",
            code: """
                struct AskAgain: Plugin {
                    func call(_ request: Request, context: Context, next: Next) async throws -> Response {
                        do { return try await next(request) } catch let error as ConvoyError
                            where error.status == .serviceUnavailable { return try await next(request) }
                    }
                }
                """
        ) { stage in
            var request = Request(.get, "flaky")
            request.plugins = [AskAgain()]
            let response = try await stage.client.send(request)
            try stage.check(response.status, is: .ok)
            try stage.check(response.attempts, is: 2)
            stage.remark("\(response.attempts) attempts, one call")
        },
        DemoStep(
            "A plugin that answers by itself",
            code: "func call(…) async throws -> Response { Response(status: .ok, body: .text(\"from memory\")) }"
        ) { stage in
            var request = Request(.get, "get")
            request.plugins = [Answering()]
            let text: String = try await stage.client.send(request).decode()
            try stage.check(text, is: "from memory")
            stage.remark("nothing went over the wire")
        },
    ]

    private struct AskAgain: Plugin {
        func call(_ request: Request, context: Context, next: Next) async throws -> Response {
            do { return try await next(request) } catch let error as ConvoyError
                where error.status == .serviceUnavailable
            { return try await next(request) }
        }
    }

    private struct Answering: Plugin {
        func call(_ request: Request, context: Context, next: Next) async throws -> Response {
            Response(status: .ok, body: .text("from memory"), source: .mock)
        }
    }
}
