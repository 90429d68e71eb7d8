import Convoy
import ConvoyServer

/// What goes wrong, and how it is told.
extension DemoStep {
    static let failures: [DemoStep] = [
        DemoStep(
            "A status that is no success is a typed error, with the whole answer in it",
            code: #"catch let error as ConvoyError where error.status == .notFound { … }"#
        ) { stage in
            let error = try await stage.failure(.unacceptableStatus) { _ = try await stage.client.get("nowhere") }
            try stage.check(error.status, is: .notFound)
            try stage.check(error.response?.text(), is: "nothing is at GET /nowhere\n")
            stage.remark(error.message)
        },
        DemoStep(
            "A body of another shape names the place",
            code: #"try await client.get("json").decode(Caravan.self)"#
        ) { stage in
            struct Answer: Decodable {
                struct Caravan: Decodable { var wagons: String }
                var caravan: Caravan
            }
            let error = try await stage.failure(.decodingFailed) {
                _ = try await stage.client.get("json").decode(Answer.self)
            }
            try stage.check(error.message.contains("caravan.wagons"), "the place is missing in: \(error.message)")
            stage.remark(error.message)
        },
        DemoStep(
            "Time limits by phase, and the error says which one",
            code: #"request.timeouts = Timeouts(firstByte: .milliseconds(100))"#
        ) { stage in
            var request = Request(.get, "delay/5")
            request.timeouts = Timeouts(firstByte: .milliseconds(100))
            let slow = request
            let error = try await stage.failure(.firstByteTimeout) { _ = try await stage.client.send(slow) }
            try stage.check(error.isTimeout, "it counts as no timeout")
            stage.remark(error.message)
        },
        DemoStep(
            "Cancelling ends a call at once",
            code: #"let call = client.start(Request(.get, "delay/30")); call.cancel()"#
        ) { stage in
            let call = stage.client.start(Request(.get, "delay/30"))
            try await Task.sleep(for: .milliseconds(50))
            let took = try await stage.time {
                call.cancel()
                _ = try await stage.failure(.cancelled) { _ = try await call.response }
            }
            try stage.check(took < .seconds(1), "it took \(took.forPeople)")
            stage.remark("ended \(took.forPeople) after cancel()")
        },
        DemoStep(
            "Nobody listens",
            code: #"catch let error as ConvoyError where error.isConnection { … }"#
        ) { stage in
            let gone = try Server(routes: Routes())
            gone.stop()
            let error = try await stage.failure(.cannotConnect) { _ = try await stage.client.get(gone.url("/")) }
            stage.remark(error.message)
        },
        DemoStep(
            "A body that breaks off is never taken for a whole one",
            code: #"catch let error as ConvoyError where error.code == .incompleteBody { … }"#
        ) { stage in
            let cut = try await stage.failure(.incompleteBody) { _ = try await stage.client.get("cut") }
            stage.remark(cut.message)
            let gzip = try await stage.failure(.truncatedContent) { _ = try await stage.client.get("cut-gzip") }
            stage.remark(gzip.message)
        },
    ]
}
