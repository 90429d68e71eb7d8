import ConvoyCore

/// What an exchange took, in one line: `* 12 ms: name 0.2 ms, connect 1 ms, … · sent 120 B, received 1.2 kB · new connection`.
struct MetricsLine {
    let text: String

    /// - Parameters:
    ///   - total: from the start until the body was written: the metrics of a streamed answer end with its head.
    ///   - body: the bytes of the answer's body on the wire, for the same reason.
    ///   - decoded: what they decoded to, if they were read.
    init(_ metrics: Metrics, total: Duration, body: Int64, decoded: Int64? = nil) {
        var times: [String] = []
        if metrics.isReusedConnection {
            times.append("connection reused")
        } else {
            times.append("name \(metrics.nameLookup.forPeople)")
            times.append("connect \((metrics.connect - metrics.nameLookup).forPeople)")
            if metrics.tls > metrics.connect { times.append("TLS \((metrics.tls - metrics.connect).forPeople)") }
        }
        if let first = metrics.firstByte { times.append("first byte \(first.forPeople)") }
        let sent = Units.bytes(metrics.sentHeaderBytes + metrics.sentBodyBytes)
        var received = "received \(Units.bytes(metrics.receivedHeaderBytes)) head and \(Units.bytes(body)) body"
        if let decoded, decoded != body { received += " (\(Units.bytes(decoded)) decoded)" }
        var parts = ["\(total.forPeople): " + times.joined(separator: ", "), "sent \(sent), \(received)"]
        if let connection = metrics.connection {
            let tls = connection.tls.map { ", \($0.version) \($0.cipher)" } ?? ""
            parts.append(connection.remoteAddress + tls)
        }
        text = "* " + parts.joined(separator: " · ")
    }
}
