import ConvoyCore

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

extension Routes {
    /// Basic (RFC 7617) and Bearer (RFC 6750).
    mutating func addAuthentication() {
        on(.get, "/basic-auth/:user/:password") { request in
            let user = request.parameters["user"] ?? ""
            let wanted = Data("\(user):\(request.parameters["password"] ?? "")".utf8)
            guard let text = request.credentials(of: "basic"), Data(base64Encoded: text) == wanted else {
                return .unauthorized(#"Basic realm="convoy", charset="UTF-8""#)
            }
            return try .json(encoding: ["authenticated": JSONTree.bool(true), "user": .string(user)])
        }
        on(.get, "/bearer") { request in
            guard let token = request.credentials(of: "bearer"), !token.isEmpty else {
                return .unauthorized(#"Bearer realm="convoy""#)
            }
            return try .json(encoding: ["authenticated": JSONTree.bool(true), "token": .string(token)])
        }
    }

    /// What the client sent, and setting some (RFC 6265).
    mutating func addCookies() {
        on(.get, "/cookies") { request in try .json(encoding: ["cookies": Echo.grouped(request.cookies)]) }
        on(.get, "/cookies/set") { request in
            var response = ServerResponse.redirect(to: "/cookies")
            for item in request.queryItems {
                guard item.name.isToken, item.value.utf8.allSatisfy({ $0 > 0x20 && $0 != 0x3B && $0 != 0x7F }) else {
                    return .text("\(item.name.quotedForMessage) is no cookie\n", status: .badRequest)
                }
                response.headers.append(.setCookie, "\(item.name)=\(item.value); Path=/")
            }
            return response
        }
    }

    /// Conditional requests and freshness (RFC 9110 §13, RFC 9111).
    mutating func addCaching() {
        on(.get, "/etag/:etag") { request in
            let tag = "\"\((request.parameters["etag"] ?? "").filter { $0 != "\"" })\""
            let fields: Headers = [.etag: tag]
            guard (try? fields.validate()) != nil else { return .text("no entity tag\n", status: .badRequest) }
            if let list = request.headers["If-None-Match"], list.lists(tag, isWeak: true) {
                return .status(.notModified, headers: fields)
            }
            if let list = request.headers["If-Match"], !list.lists(tag, isWeak: false) {
                return .status(.preconditionFailed, headers: fields)
            }
            var response = try ServerResponse.json(encoding: Echo.all(of: request))
            response.headers[.etag] = tag
            return response
        }
        on(.get, "/cache/:seconds") { request in
            let bounds = 0...31_536_000
            guard let seconds = request.number("seconds", in: bounds) else { return .badNumber("seconds", bounds) }
            var response = try ServerResponse.json(encoding: Echo.all(of: request))
            response.headers[.cacheControl] = "public, max-age=\(seconds)"
            return response
        }
    }
}

extension ServerRequest {
    /// What follows the scheme in `Authorization`; nil without that scheme, which is compared without case.
    fileprivate func credentials(of scheme: String) -> String? {
        let parts = (headers[.authorization] ?? "").split(separator: " ", maxSplits: 1)
        guard parts.count == 2, parts[0].lowercased() == scheme else { return nil }
        return String(String(parts[1]).trimmingOWS)
    }
}

extension ServerResponse {
    fileprivate static func unauthorized(_ challenge: String) -> ServerResponse {
        .status(.unauthorized, headers: [.wwwAuthenticate: challenge])
    }
}

extension String {
    /// Whether a list of entity tags has this one (RFC 9110 §8.8.3.2).
    fileprivate func lists(_ tag: String, isWeak: Bool) -> Bool {
        split(separator: ",").contains { part in
            let part = String(part).trimmingOWS
            return part == "*" || part == tag || (isWeak && part == "W/\(tag)")
        }
    }
}
