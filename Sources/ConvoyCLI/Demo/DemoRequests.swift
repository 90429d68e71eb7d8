import Convoy
import Synchronization

/// Requests and what they are made of.
extension DemoStep {
    static let requests: [DemoStep] = [
        DemoStep(
            "GET with a query, decoded to a value",
            code: #"let answer = try await client.get("get", query: ["page": 2, "q": "tea & cake"]).decode(Echo.self)"#
        ) { stage in
            let response = try await stage.client.get("get", query: ["page": 2, "q": "tea & cake"])
            let answer = try response.decode(EchoAnswer.self)
            try stage.check(answer.args, is: ["page": "2", "q": "tea & cake"])
            stage.remark("the server read page = 2 and q = tea & cake")
        },
        DemoStep(
            "POST of a value as JSON",
            code: #"try await client.post("post", body: .json(Note(text: "Grüße", stars: 5)))"#
        ) { stage in
            struct Note: Codable, Equatable, Sendable {
                var text: String
                var stars: Int
            }
            struct Answer: Decodable { var json: Note }
            let note = Note(text: "Grüße", stars: 5)
            let answer = try await stage.client.post("post", body: .json(note)).decode(Answer.self)
            try stage.check(answer.json, is: note)
            stage.remark("the same value came back")
        },
        DemoStep(
            "Headers that every request has, and one that is asked for each time",
            code: #"""
                let client = Client(baseURL: url) {
                    $0.headers["Accept-Language"] = "en"
                    $0.computedHeaders["X-Token"] = { await tokens.next() }
                }
                """#
        ) { stage in
            let tokens = Tokens()
            let client = stage.client {
                $0.headers["Accept-Language"] = "en"
                $0.computedHeaders["X-Token"] = { "token-\(tokens.next())" }
            }
            for number in 1...2 {
                let answer = try await client.get("get").decode(EchoAnswer.self)
                try stage.check(answer.headers["Accept-Language"], is: "en")
                try stage.check(answer.headers["X-Token"], is: "token-\(number)")
            }
            await client.shutdown()
            stage.remark("the server saw token-1, then token-2")
        },
        DemoStep(
            "A base URL, and values that cannot break out of their place in the path",
            code: #"let name = "Łódź/../a b?x=1"; try await client.get("anything/users/\(name)/notes")"#
        ) { stage in
            let name = "Łódź/../a b?x=1"
            let answer = try await stage.client.get("anything/users/\(name)/notes").decode(EchoAnswer.self)
            let path = "/anything/users/%C5%81%C3%B3d%C5%BA%2F..%2Fa%20b%3Fx%3D1/notes"
            try stage.check(answer.url, is: stage.server.url.origin + path)
            stage.remark("one segment stayed one segment")
        },
    ]

    private final class Tokens: Sendable {
        private let value = Atomic(0)
        func next() -> Int { value.add(1, ordering: .relaxed).newValue }
    }
}
