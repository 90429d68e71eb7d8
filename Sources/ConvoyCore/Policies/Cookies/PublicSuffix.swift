#if canImport(CPSL)
    import CPSL
#endif

/// The public suffix list (publicsuffix.org): the names below which anyone may register one, such as `com`, `co.uk` and
/// `github.io`. A cookie for all of such a name would reach strangers.
package enum PublicSuffix {
    #if canImport(CPSL)
        /// Whether there is a list on this platform.
        static let isKnown = true

        /// The system's list or the one that libpsl was built with, whichever is newer. Safe from any thread: it is made
        /// once, and libpsl's look-ups change nothing in it. Without one no name is registrable, and so no cookie goes
        /// beyond its host.
        nonisolated(unsafe) private static let list = psl_latest(nil)

        /// The part of a host that was registered: `example.co.uk` of `www.example.co.uk`. Nil for a public suffix, and
        /// for a name that is in none of the list's forms.
        ///
        /// - Parameter host: a name in lower case, in ASCII or UTF-8.
        package static func registrableDomain(of host: String) -> String? {
            // The result lies within the argument.
            host.withCString { host in psl_registrable_domain(list, host).map { String(cString: $0) } }
        }
    #else
        static let isKnown = false

        package static func registrableDomain(of host: String) -> String? { nil }
    #endif
}
