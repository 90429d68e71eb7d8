// GET, POST and decoding, against a server of its own.

import Convoy
import ConvoyServer

struct Note: Codable, Equatable {
    var title: String
    var stars: Int
}

struct Failed: Error { var what: String }

func check(_ isRight: Bool, _ what: String) throws {
    if !isRight { throw Failed(what: what) }
}

var routes = Routes()
routes.on(.get, "/v1/notes/:title") { request in
    let stars = request.queryValue("stars").flatMap { Int($0) } ?? 0
    return try .json(encoding: Note(title: request.parameters["title"] ?? "", stars: stars))
}
routes.on(.post, "/v1/notes") { .json($0.text, status: .created) }
let server = try Server(routes: routes)

let client = Client(baseURL: "\(server.url)v1") { $0.headers["Accept-Language"] = "en" }

// A value in an address is encoded, so that it stays one segment.
let title = "tea & cake/2"
let note = try await client.get("notes/\(title)", query: ["stars": 5]).decode(Note.self)
print("GET  gave \(note)")
try check(note == Note(title: title, stars: 5), "the note is \(note)")

let response = try await client.post("notes", body: .json(Note(title: "Grüße", stars: 4)))
print("POST gave \(response)")
try check(response.status == .created, "the status is \(response.status)")
try check(try response.decode(Note.self).title == "Grüße", "another title came back")

do {
    _ = try await client.get("nowhere")
    throw Failed(what: "no error came")
} catch let error as ConvoyError where error.status == .notFound {
    print("404 gave \(error)")
}

await client.shutdown()
server.stop()
