// How a client takes what goes wrong, shown with TestServer.

import Convoy
import ConvoyTesting

struct Failed: Error { var what: String }

let server = try TestServer()
let client = Client(baseURL: server.url.origin) {
    $0.timeouts = Timeouts(firstByte: .milliseconds(300), idle: .milliseconds(100))
    $0.retry = .none  // else most of these would be tried again
}

let faults: [(name: String, answer: Answer, code: ConvoyError.Code)] = [
    ("a body that breaks off", .text("0123456789").cut(after: 4), .incompleteBody),
    ("a connection that is reset", .text("0123456789").reset(after: 4), .connectionLost),
    ("a server that falls silent", .text("0123456789").stalled(after: 4), .idleTimeout),
    ("an answer that is no HTTP", .raw("220 mail.example ESMTP\r\n"), .invalidResponse),
    ("two lengths", .raw("HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\nabc"), .invalidResponse),
    ("a gzip body that is none", .bytes([1, 2, 3], headers: ["Content-Encoding": "gzip"]), .corruptContent),
]

for (index, fault) in faults.enumerated() {
    server.enqueue(fault.answer)
    do {
        _ = try await client.get("a")
        throw Failed(what: "\(fault.name) passed for a good answer")
    } catch let error as ConvoyError {
        print("\(fault.name): \(error.code), \(error.message)")
        guard error.code == fault.code else { throw Failed(what: "\(error.code), not \(fault.code)") }
    }
    // The server has it all on record.
    guard try await server.request(at: index).path == "/a" else { throw Failed(what: "another request came") }
}

try await LeakCheck.close(client, server)
print("nothing is left: \(client.transport.resources)")
