import ConvoyCore
import Foundation
import Testing

/// The tests of publicsuffix.org: hosts and the part of each that was registered.
@Suite(.enabled(if: Suites.root != nil, Comment(rawValue: Suites.skipped)))
struct PublicSuffixTests {
    private let vectors: [[String?]]

    init() throws { vectors = try Suites.read("publicsuffix/psl-tests.json") }

    /// All but the one that has no host at all, which a `String` cannot be.
    @Test func registrableDomains() {
        #expect(vectors.count == 78)
        let hosts = vectors.filter { $0.first != .some(nil) }
        #expect(hosts.count == 77)
        for vector in hosts {
            let host = (vector.first ?? nil) ?? ""
            // An address has its host in lower case.
            #expect(PublicSuffix.registrableDomain(of: host.lowercased()) == vector.last ?? nil, "\(host)")
        }
    }

    /// What they are for: a cookie may be for the registered domain, and for nothing above it.
    @Test func cookies() throws {
        var count = 0
        for vector in vectors {
            guard let host = vector.first ?? nil, let uri = try? URI("http://\(host)/") else { continue }
            count += 1
            let domain = (vector.last ?? nil).map { try? URI("http://\($0)/").host } ?? nil
            let labels = uri.host.split(separator: ".")
            for length in 1...labels.count {
                let tail = labels.suffix(length).joined(separator: ".")
                var jar = CookieJar()
                jar.receive(["Set-Cookie": "a=b; Domain=\(tail)"], from: uri)
                let isShared = jar.all.contains { !$0.isHostOnly }
                let isRegistered = domain.map { length >= $0.split(separator: ".").count } ?? false
                #expect(isShared == isRegistered, "\(tail) from \(host)")
            }
        }
        // Four begin with a dot, and one is none.
        #expect(count == 73)
    }
}
