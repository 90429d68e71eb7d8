import ConvoyCore

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

extension Routes {
    /// Routes that tell what was asked and answer in every common way, as httpbin.org does; `/` lists them.
    ///
    /// The coder is used for `/gzip`, `/deflate`, `/brotli` and `/zstd`; without one they are answered with 501.
    public static func echo(_ coder: (any ContentCoder)? = nil) -> Routes {
        var routes = Routes()
        routes.addEcho()
        routes.addAnswers()
        routes.addPages()
        routes.addCodings(coder)
        routes.addRedirects()
        routes.addAuthentication()
        routes.addCookies()
        routes.addCaching()
        routes.addStreams()
        let lines = ["GET /"] + routes.index
        routes.on(.get, "/") { _ in .text(lines.joined(separator: "\n") + "\n") }
        return routes
    }

    private mutating func addEcho() {
        for method in [Method.get, .post, .put, .patch, .delete] {
            on(method, "/\(method.rawValue.lowercased())") { try .json(encoding: Echo.all(of: $0)) }
        }
        on(nil, "/anything/*") { try .json(encoding: Echo.all(of: $0)) }
        on(nil, "/anything") { try .json(encoding: Echo.all(of: $0)) }
        on(.get, "/headers") { try .json(encoding: ["headers": Echo.headers(of: $0)]) }
        on(.get, "/user-agent") { try .json(encoding: ["user-agent": $0.headers[.userAgent] ?? ""]) }
        on(.get, "/ip") { try .json(encoding: ["origin": $0.remoteAddress]) }
    }

    private mutating func addAnswers() {
        on(nil, "/status/:code") { request in
            guard let code = request.number("code", in: 200...599) else { return .badNumber("code", 200...599) }
            return .status(Status(code))
        }
        on(.get, "/response-headers") { request in
            var response = try ServerResponse.json(encoding: Echo.grouped(request.queryItems))
            let framing: [Headers.Name] = [.contentLength, .transferEncoding, .connection, .contentEncoding]
            for item in request.queryItems {
                let name = Headers.Name(item.name)
                if framing.contains(name) { return .text("\(name) is not yours to set\n", status: .badRequest) }
                if name == .contentType { response.headers.remove(name) }
                response.headers.append(name, item.value)
            }
            do { try response.headers.validate() } catch { return .text("\(error)\n", status: .badRequest) }
            return response
        }
    }

    private mutating func addPages() {
        on(.get, "/robots.txt") { _ in .text("User-agent: *\nDisallow: /\n") }
        on(.get, "/html") { _ in .text(Self.html, contentType: "text/html; charset=utf-8") }
        on(.get, "/json") { _ in .json(Self.json) }
        on(.get, "/encoding/utf8") { _ in .text(Self.utf8) }
    }

    private mutating func addCodings(_ coder: (any ContentCoder)?) {
        for (path, coding) in [("gzip", "gzip"), ("deflate", "deflate"), ("brotli", "br"), ("zstd", "zstd")] {
            on(.get, "/\(path)") { request in
                guard let encoder = coder?.makeEncoder(for: coding) else {
                    return .text("this server was built without \(coding)\n", status: .notImplemented)
                }
                var echo = Echo.all(of: request)
                echo[path == "gzip" ? "gzipped" : path] = .bool(true)
                var response = try ServerResponse.json(encoding: echo)
                response.headers[.contentEncoding] = coding
                response.pieces = try response.pieces.map { .init(try encoder.encoded($0.bytes)) }
                return response
            }
        }
    }

    private mutating func addRedirects() {
        on(.get, "/redirect/:count") { request in
            guard let count = request.number("count", in: 1...1000) else { return .badNumber("count", 1...1000) }
            return .redirect(to: count == 1 ? "/get" : "/redirect/\(count - 1)")
        }
        on(nil, "/redirect-to") { request in
            guard let target = request.queryValue("url"), !target.isEmpty else {
                return .text("say where to: ?url=/get\n", status: .badRequest)
            }
            let code = request.queryValue("status_code").flatMap { Int($0) } ?? 302
            guard (300...399).contains(code), !target.utf8.contains(where: { $0 < 0x20 || $0 == 0x7F }) else {
                return .text("status_code is 300 to 399, url has no control characters\n", status: .badRequest)
            }
            return .redirect(to: target, status: Status(code))
        }
    }

    private static let html = """
        <!DOCTYPE html>
        <html lang="en">
        <head><title>Convoy</title></head>
        <body><h1>Convoy</h1><p>A page to be fetched.</p></body>
        </html>

        """

    private static let json = """
        {
          "caravan": {
            "name": "Silk Road",
            "stops": ["Xi'an", "Samarkand", "Baghdad"],
            "wagons": 12,
            "isComplete": true,
            "leader": null
          }
        }

        """

    private static let utf8 = """
        Latin: Füße, naïve, Łódź
        Greek: Καλημέρα κόσμε
        Cyrillic: Привет, мир
        Hebrew: שלום עולם
        Arabic: مرحبا بالعالم
        Devanagari: नमस्ते दुनिया
        Chinese: 你好，世界
        Japanese: こんにちは世界
        Emoji: 🐪🐫🏜️

        """
}

extension ServerRequest {
    /// A placeholder of the path as a number within bounds.
    func number(_ name: String, in bounds: ClosedRange<Int>) -> Int? {
        parameters[name].flatMap { Int($0) }.flatMap { bounds.contains($0) ? $0 : nil }
    }

    /// A value of the query as a number within bounds; the default if it is missing.
    func queryNumber(_ name: String, in bounds: ClosedRange<Double>, default fallback: Double) -> Double? {
        guard let text = queryValue(name) else { return fallback }
        return Double(text).flatMap { bounds.contains($0) ? $0 : nil }
    }
}

extension ServerResponse {
    static func badNumber(_ name: String, _ bounds: ClosedRange<Int>) -> ServerResponse {
        .text("\(name) is a number from \(bounds.lowerBound) to \(bounds.upperBound)\n", status: .badRequest)
    }
}

extension ContentEncoder {
    /// A whole body, encoded.
    fileprivate func encoded(_ data: Data) throws -> Data {
        var coded = Data()
        try data.withUnsafeBytes { try encode($0) { coded.append(contentsOf: $0) } }
        try finish { coded.append(contentsOf: $0) }
        return coded
    }
}
