import Convoy

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Bodies: streamed, from and to files, compressed.
extension DemoStep {
    static let bodies: [DemoStep] = [
        DemoStep(
            "An answer read while it comes",
            code: #"for try await piece in try await client.stream(Request(.get, "stream/5")).body { … }"#
        ) { stage in
            let response = try await stage.client.stream(Request(.get, "stream/5"))
            var lines = 0
            for try await piece in response.body { lines += piece.count { $0 == 0x0A } }
            try stage.check(lines, is: 5)
            stage.remark("5 lines came one after the other")
        },
        DemoStep(
            "A large answer, with progress; the server waits for its reader",
            code: #"request.progress = ProgressHandler(on: queue) { print($0.received) }"#
        ) { stage in
            let size = 8 << 20
            let seen = ProgressRecord()
            var request = Request(.get, "bytes/\(size)")
            request.progress = seen.handler
            var count = 0
            for try await piece in try await stage.client.stream(request).body { count += piece.count }
            try stage.check(count, is: size)
            let last = seen.last
            try stage.check(last?.receiveTotal, is: Int64(size))
            stage.remark("\(Units.bytes(Int64(count))) read; progress knew of \(Units.bytes(last?.received ?? 0))")
        },
        DemoStep(
            "A file sent as the body, never whole in memory",
            code: #"try await client.post("upload", body: .file("archive.bin"))"#
        ) { stage in
            struct Answer: Decodable { var bytes: Int }
            let file = try TemporaryFile(size: 3 << 20)
            let answer = try await stage.client.post("upload", body: .file(file.path)).decode(Answer.self)
            try stage.check(answer.bytes, is: 3 << 20)
            stage.remark("the server counted \(Units.bytes(Int64(answer.bytes)))")
        },
        DemoStep(
            "An answer written to a file as it comes",
            code: #"request.delivery = .file(path: "data.bin")"#
        ) { stage in
            let file = try TemporaryFile(size: 0)
            var request = Request(.get, "bytes/1000000")
            request.delivery = .file(path: file.path)
            let response = try await stage.client.send(request)
            guard case .file(let path) = response.body.storage else {
                throw DemoFailure(description: "the body is not in a file")
            }
            try stage.check(try await response.body.collect().count, is: 1_000_000)
            stage.remark("1.0 MB in \(path)")
        },
        DemoStep(
            "Content codings, undone while they come",
            code: #"let text: String = try await client.get("page").decode()   // Accept-Encoding goes by itself"#
        ) { stage in
            for coding in stage.client.transport.capabilities.contentCodings {
                let response = try await stage.client.get("page", headers: [.acceptEncoding: coding])
                let text: String = try response.decode()
                try stage.check(response.headers[.contentEncoding], is: coding)
                try stage.check(text.utf8.count, is: 66_000)
                let coded = Units.bytes(response.metrics.receivedBodyBytes)
                stage.remark("\(coding): \(coded) on the wire, \(Units.bytes(Int64(text.utf8.count))) of text")
            }
        },
    ]
}
