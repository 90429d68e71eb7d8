/// Whether and how redirects are followed (RFC 9110 §15.4): the same on every engine, one exchange a hop.
///
/// 303 becomes GET, 301 and 302 make a GET of a POST, 307 and 308 keep method and body. A body that is not sent again
/// takes its content fields along. Where scheme, host or port change, credentials, cookies and every field whose name
/// says that it holds a secret are dropped for good, as is a hand-set `Host`, and what the client sets for its own
/// origins.
///
/// What cannot be followed throws `.redirectFailed` with the answer: too many hops, a loop, a target that is no
/// `http(s)` address, from HTTPS to HTTP, from a Unix domain socket elsewhere, or a body that can be sent only once.
public struct RedirectPolicy: Sendable {
    /// The most redirects of one call. Default: 20. At 0 none is followed: the 3xx is the answer.
    public var limit: Int
    /// Whether a redirect may lead from HTTPS to HTTP. Default: false.
    public var allowsDowngrade = false
    /// Whether 301 and 302 keep the method and body of a POST. Default: false, as in browsers.
    public var keepsMethod = false
    /// Hosts that get the secrets too when a redirect leads there over HTTPS, in lower case. Default: none.
    public var trustedHosts: Set<String> = []
    /// Further fields that stay behind where the origin changes.
    public var secretHeaders: Set<Headers.Name> = []
    /// Asked before each hop: gives the request to go on with, changed as it likes, or nil for the 3xx as the answer.
    public var decide: (@Sendable (Redirect) async throws -> Request?)?

    /// Follows redirects, the documented defaults where nothing else is said.
    public init(limit: Int = 20) { self.limit = limit }

    /// Follows up to 20 redirects.
    public static let standard = RedirectPolicy()

    /// Follows none: a 3xx is the answer, with its body.
    public static let none = RedirectPolicy(limit: 0)

    /// Follows up to so many redirects.
    public static func limit(_ count: Int) -> RedirectPolicy { RedirectPolicy(limit: count) }
}

/// A redirect that is about to be followed.
public struct Redirect: Sendable {
    /// The answer that redirects.
    public let response: Response
    /// The request that it answers.
    public let from: Request
    /// The request to go on with.
    public var request: Request
    /// Which redirect of the call it is, from 1 on.
    public let number: Int
    /// Whether scheme, host or port change.
    public let leavesOrigin: Bool
}

extension RedirectPolicy {
    /// Whether an answer is a redirect that is followed.
    func follows(_ response: Response) -> Bool {
        limit > 0 && [301, 302, 303, 307, 308].contains(response.status.code) && response.headers.contains(.location)
    }

    /// The next request after a redirect.
    ///
    /// - Parameter visited: what was asked for since an answer last set a cookie, this request included.
    func next(
        after response: Response, to request: Request, number: Int, visited: Set<RedirectPolicy.Visit>
    ) throws -> Redirect {
        guard number <= limit else { throw Self.failure("there were more than \(limit) redirects") }
        guard let uri = request.uri else { throw Self.failure("the request has no address") }
        let target = try target(of: response, from: uri)
        if uri.isSecure, !target.isSecure, !allowsDowngrade {
            throw Self.failure("it leads from HTTPS to HTTP, to \(target.origin)")
        }
        let leavesOrigin = uri.origin != target.origin
        if leavesOrigin, request.network?.unixSocket != nil {
            throw Self.failure("it leads from a Unix domain socket to \(target.origin)")
        }
        var next = request
        next.address = Address(target)
        try adapt(&next, to: response.status)
        let isTrusted = target.isSecure && trustedHosts.contains(target.host)
        if leavesOrigin, !isTrusted { dropSecrets(of: &next) }
        if leavesOrigin { next.headers.remove(.host) }
        guard !visited.contains(Visit(next)) else {
            throw Self.failure("it leads in a circle, to \(Redaction.standard.address(target.description)) again")
        }
        return Redirect(response: response, from: request, request: next, number: number, leavesOrigin: leavesOrigin)
    }

    private func target(of response: Response, from uri: URI) throws -> URI {
        let locations = response.headers.fields.filter { $0.name == .location }
        guard let location = locations.first, locations.allSatisfy({ $0.value == location.value }) else {
            throw Self.failure("the answer has several different Location fields")
        }
        // Bytes that are no UTF-8 are encoded as they came.
        let text =
            location.isLatin1
            ? String(decoding: location.rawValue.flatMap(Self.encodedBeyondASCII), as: UTF8.self) : location.value
        do {
            var target = try uri.resolving(text)
            // A server has no say in who the user is.
            target.user = nil
            target.password = nil
            return target
        } catch { throw Self.failure((error as? ConvoyError)?.message ?? "\(error)") }
    }

    private static func encodedBeyondASCII(_ byte: UInt8) -> [UInt8] {
        byte < 0x80 ? [byte] : Array("%\(String(byte, radix: 16, uppercase: true))".utf8)
    }

    /// Method and body as the status wants them.
    private func adapt(_ request: inout Request, to status: Status) throws {
        let becomesGet =
            switch status.code {
            case 303: request.method != .get && request.method != .head
            case 301, 302: request.method == .post && !keepsMethod
            default: false
            }
        if becomesGet {
            request.method = .get
            request.body = .none
            for name in Self.contentFields { request.headers.remove(name) }
        } else if !request.body.isReplayable {
            throw Self.failure("it wants the body again, which can be sent only once")
        }
    }

    /// The fields that describe a body.
    private static let contentFields: [Headers.Name] = [
        .contentType, .contentEncoding, "Content-Language", "Content-Location", .contentLength, "Content-Digest",
        "Repr-Digest", "Digest", "Content-MD5", .expect,
    ]

    private func dropSecrets(of request: inout Request) {
        for field in request.headers.fields
        where Redaction.standard.masks(field.name) || secretHeaders.contains(field.name) {
            request.headers.remove(field.name)
        }
    }

    static func failure(_ reason: String) -> ConvoyError {
        ConvoyError(.redirectFailed, "the redirect cannot be followed: \(reason)", phase: .decoding)
    }

    /// What was asked for: to tell a circle.
    struct Visit: Hashable {
        let method: Method
        let address: String

        init(_ request: Request) {
            method = request.method
            address = request.uri?.wireText ?? request.address.description
        }
    }
}
