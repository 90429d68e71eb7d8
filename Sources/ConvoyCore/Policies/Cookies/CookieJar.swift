#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Cookies by the rules of RFC 6265bis: takes in what servers set, and says what goes with a request. A value that does
/// no I/O and is told the time; `CookieStore` is what a client has.
///
/// It holds at most 50 cookies a domain and 3000 in all, each with a name and value of up to 4096 bytes; beyond that the
/// one that was not used for the longest time goes, those without `Secure` first. What is set to last longer than 400
/// days lasts 400 days.
public struct CookieJar: Sendable {
    private struct Entry {
        var cookie: Cookie
        /// Places in time are counted: the system's clock may be set back.
        let added: Int
        var lastUsed: Int
    }

    private static let limitOfDomain = 50
    private static let limitOfAll = 3000
    private static let longestLife: TimeInterval = 400 * 86400

    /// By domain. None of the lists is empty.
    private var entries: [String: [Entry]] = [:]
    private var moment = 0
    /// The number of cookies.
    public private(set) var count = 0

    /// An empty jar.
    public init() {}

    /// The cookies, the oldest first. Some may have expired since the jar last changed.
    public var all: [Cookie] { entries.values.joined().sorted { $0.added < $1.added }.map(\.cookie) }

    // MARK: Sending

    /// The cookies that go with a request to an address, in the order in which they go: longer paths first, then older
    /// cookies.
    public func cookies(for uri: URI, now: Date = Date()) -> [Cookie] {
        var copy = self
        return copy.used(for: uri, now: now)
    }

    /// The same, and remembers that they were used.
    mutating func used(for uri: URI, now: Date) -> [Cookie] {
        moment += 1
        let host = CookieScope.host(of: uri)
        var found: [Entry] = []
        for domain in CookieScope.domains(above: host) {
            guard let place = entries.index(forKey: domain) else { continue }
            for index in entries.values[place].indices {
                let cookie = entries.values[place][index].cookie
                guard domain == host || !cookie.isHostOnly, !cookie.isExpired(at: now),
                    uri.isSecure || !cookie.isSecure, cookie.covers(path: uri.path)
                else { continue }
                entries.values[place][index].lastUsed = moment
                found.append(entries.values[place][index])
            }
        }
        let sorted = found.sorted {
            let (left, right) = ($0.cookie.path.utf8.count, $1.cookie.path.utf8.count)
            return left == right ? $0.added < $1.added : left > right
        }
        return sorted.map(\.cookie)
    }

    // MARK: Receiving

    /// Takes in the `Set-Cookie` lines of an answer. Lines that are none, or set what their server may not, are ignored.
    ///
    /// - Parameter uri: the address that answered.
    public mutating func receive(_ headers: Headers, from uri: URI, now: Date = Date()) {
        guard headers.contains(.setCookie) else { return }
        removeAll { $0.isExpired(at: now) }
        for field in headers.fields where field.name == .setCookie {
            guard let line = SetCookie(field), let cookie = Self.cookie(line, uri, now), cookie.problem == nil,
                uri.isSecure || !cookie.isSecure && !wouldHideSecure(cookie)
            else { continue }
            insert(cookie, now)
        }
    }

    /// Adds a cookie of your own, or takes its place; one that has expired removes it.
    ///
    /// Throws `.invalidCookie` saying what is wrong with it: a control character, a `;`, too long, a domain that is none or
    /// belongs to everyone, a prefix whose promise it breaks.
    public mutating func set(_ cookie: Cookie, now: Date = Date()) throws {
        let cookie = try Self.checked(cookie)
        removeAll { $0.isExpired(at: now) }
        insert(cookie, now)
    }

    /// The cookie with its domain in the form that is compared.
    private static func checked(_ given: Cookie) throws -> Cookie {
        var cookie = given
        do { cookie.domain = try CookieScope.canonical(cookie.domain) } catch {
            throw failure(cookie, "its domain is none: \((error as? ConvoyError)?.message ?? "\(error)")")
        }
        if let problem = cookie.problem { throw failure(cookie, problem) }
        guard cookie.isHostOnly || CookieScope.mayBeShared(cookie.domain) else {
            throw failure(cookie, "anyone may have a name below \(cookie.domain)")
        }
        return cookie
    }

    /// Adds one of many: expired ones that are there stay.
    mutating func add(saved cookie: Cookie, now: Date) throws { insert(try Self.checked(cookie), now) }

    private static func failure(_ cookie: Cookie, _ reason: String) -> ConvoyError {
        ConvoyError(.invalidCookie, "the cookie \(cookie.name.quotedForMessage) cannot be kept: \(reason)")
    }

    private static func cookie(_ line: SetCookie, _ uri: URI, _ now: Date) -> Cookie? {
        guard let scope = CookieScope.settled(line.domain, setBy: CookieScope.host(of: uri)) else { return nil }
        // A path that was not given is no promise that it is for all of the host.
        if line.path == nil, line.name.lowercasedASCII.utf8.starts(with: "__host-".utf8) { return nil }
        let end = now + longestLife
        var cookie = Cookie(
            line.name, line.value, domain: scope.domain, isHostOnly: scope.isHostOnly,
            path: line.path ?? defaultPath(of: uri), isSecure: line.isSecure, isHTTPOnly: line.isHTTPOnly,
            sameSite: line.sameSite)
        if let seconds = line.maxAge {
            cookie.expires = seconds <= 0 ? .distantPast : min(now + TimeInterval(seconds), end)
        } else if let date = line.expires {
            cookie.expires = min(date.date, end)
        }
        cookie.isLatin1 = line.isLatin1
        return cookie
    }

    /// The path of an address up to its last `/` (RFC 6265 §5.1.4).
    private static func defaultPath(of uri: URI) -> String {
        guard let slash = uri.path.utf8.lastIndex(of: 0x2F), slash > uri.path.startIndex else { return "/" }
        return String(uri.path[..<slash])
    }

    /// Whether a cookie that came without TLS would be sent beside, or before, one that is for TLS only.
    private func wouldHideSecure(_ new: Cookie) -> Bool {
        entries.contains { domain, list in
            (CookieScope.host(domain, isIn: new.domain) || CookieScope.host(new.domain, isIn: domain))
                && list.contains {
                    $0.cookie.isSecure && $0.cookie.hasName(of: new) && $0.cookie.covers(path: new.path)
                }
        }
    }

    private mutating func insert(_ cookie: Cookie, _ now: Date) {
        moment += 1
        guard !cookie.isExpired(at: now) else { return remove(from: cookie.domain) { cookie.replaces($0.cookie) } }
        if let index = entries[cookie.domain]?.firstIndex(where: { cookie.replaces($0.cookie) }) {
            entries[cookie.domain]?[index].cookie = cookie
            entries[cookie.domain]?[index].lastUsed = moment
        } else {
            entries[cookie.domain, default: []].append(Entry(cookie: cookie, added: moment, lastUsed: moment))
            count += 1
            makeRoom(in: cookie.domain)
        }
    }

    /// After a cookie was added to a domain (RFC 6265bis §5.7).
    private mutating func makeRoom(in domain: String) {
        if let list = entries[domain], list.count > Self.limitOfDomain {
            let sparesSecure = list.contains { !$0.cookie.isSecure }
            removeLeastUsed(of: [list]) { !(sparesSecure && $0.isSecure) }
        }
        if count > Self.limitOfAll { removeLeastUsed(of: entries.values) { _ in true } }
    }

    private mutating func removeLeastUsed(of lists: some Sequence<[Entry]>, where mayGo: (Cookie) -> Bool) {
        // Those that were sent together were used at one moment.
        var least = (lastUsed: Int.max, added: Int.max, domain: "")
        for list in lists {
            // By index: a copy of each entry would take longer than all else.
            for index in list.indices
            where (list[index].lastUsed, list[index].added) < (least.lastUsed, least.added)
                && mayGo(list[index].cookie)
            {
                least = (list[index].lastUsed, list[index].added, list[index].cookie.domain)
            }
        }
        remove(from: least.domain) { $0.added == least.added }
    }

    // MARK: Removing

    /// Removes the cookies that the closure chooses: all, without one.
    public mutating func removeAll(where isChosen: (Cookie) -> Bool = { _ in true }) {
        for (domain, list) in entries where list.contains(where: { isChosen($0.cookie) }) {
            remove(from: domain) { isChosen($0.cookie) }
        }
    }

    /// Removes the cookies of a domain and of all hosts below it.
    public mutating func remove(domain: String) {
        guard let domain = try? CookieScope.canonical(domain) else { return }
        removeAll { CookieScope.host($0.domain, isIn: domain) }
    }

    /// Removes the cookies that last until the end of the session.
    public mutating func endSession() { removeAll { $0.expires == nil } }

    private mutating func remove(from domain: String, where isChosen: (Entry) -> Bool) {
        guard let list = entries[domain] else { return }
        let kept = list.filter { !isChosen($0) }
        count -= list.count - kept.count
        entries[domain] = kept.isEmpty ? nil : kept
    }
}

extension CookieJar: CustomStringConvertible {
    /// How many cookies there are: `3 cookies`.
    public var description: String { count == 1 ? "1 cookie" : "\(count) cookies" }
}
