import ConvoyCore

/// The head of a message as it is on the wire, secrets masked.
struct HeadText {
    let palette: Palette
    /// Whether control characters are made visible.
    let isForTerminal: Bool

    func request(_ request: Request, version: HTTPVersion) -> String {
        let target = request.uri?.target ?? request.address.description
        let method = palette.paint(safe(request.method.rawValue), .title)
        let line = "\(method) \(safe(target)) \(palette.paint("\(version)", .dim))"
        return lines(line, added(to: request, version).fields + request.headers.fields)
    }

    func response(_ response: Response) -> String {
        let style: Palette.Style =
            switch response.status.kind {
            case .successful: .good
            case .redirection, .informational: .warning
            default: .bad
            }
        let reason = response.reason.isEmpty ? "" : " \(safe(response.reason))"
        let status = palette.paint("\(response.status.code)\(reason)", style)
        return lines(palette.paint("\(response.version)", .dim) + " " + status, response.headers.fields)
    }

    /// The fields that the engine adds by itself from what else the request says.
    private func added(to request: Request, _ version: HTTPVersion) -> Headers {
        var headers = Headers()
        if !request.headers.contains(.host), let uri = request.uri { headers.append(.host, uri.authority) }
        if request.body.isNone {
            if request.method.expectsContent { headers.append(.contentLength, "0") }
        } else if let length = request.body.length {
            headers.append(.contentLength, "\(length)")
        } else if version < .http2 {
            headers.append(.transferEncoding, "chunked")
        }
        return headers
    }

    private func lines(_ first: String, _ fields: [Headers.Field]) -> String {
        let fields = fields.map {
            palette.paint(safe($0.name.rawName), .key) + ": " + safe(Redaction.standard.value(of: $0))
        }
        return ([first] + fields).joined(separator: "\n") + "\n\n"
    }

    private func safe(_ text: String) -> String { isForTerminal ? ControlCharacters.visible(text) : text }
}
