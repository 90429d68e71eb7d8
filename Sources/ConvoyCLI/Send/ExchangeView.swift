import Convoy

/// Shows each exchange on standard error as it takes place, and takes out the headers that must not be sent.
struct ExchangeView: Plugin {
    let parts: SendOptions.Parts
    let console: Console
    let look: Look?
    let removed: [Headers.Name]

    func exchange(_ request: Request, context: Context, next: Next) async throws -> Response {
        var request = request
        for name in removed { request.headers.remove(name) }
        do {
            let response = try await next(request)
            show(request, response.version)
            if parts.contains(.responseHead) { show(head.response(response)) }
            return response
        } catch {
            // Which version it would have been is known only if an answer began.
            show(request, (error as? ConvoyError)?.metrics?.version ?? .http11)
            throw error
        }
    }

    private var style: Look { console.look(on: console.errors, asked: look) }

    private var head: HeadText {
        HeadText(palette: Palette(isColoured: style.isColoured), isForTerminal: console.errors.isTerminal)
    }

    private func show(_ request: Request, _ version: HTTPVersion) {
        if parts.contains(.requestHead) { show(head.request(request, version: version)) }
        guard parts.contains(.requestBody), !request.body.isNone else { return }
        guard let data = request.body.data else { return show("(the body is read while it is sent)\n\n") }
        guard !data.isEmpty else { return }
        let message = Response(status: .ok, headers: request.headers)
        let bytes = BodyText(look: style, isForTerminal: console.errors.isTerminal).shown(data, of: message)
        try? console.errors.write(bytes + (bytes.last == 0x0A ? [0x0A] : [0x0A, 0x0A]))
    }

    private func show(_ text: String) { try? console.errors.write(text) }
}
