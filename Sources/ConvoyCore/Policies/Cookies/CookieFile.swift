#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Cookies as Netscape wrote them and curl and wget still do: a line each, of seven fields with tabs between.
///
/// The form has no place for `SameSite`. What a tab in it would break is left out.
enum CookieFile {
    private static let heading = "# Netscape HTTP Cookie File"
    private static let httpOnly = "#HttpOnly_"

    /// The text of a jar; without the cookies of the session unless they are to be kept.
    static func bytes(of jar: CookieJar, keepsSession: Bool) -> [UInt8] {
        var bytes = Array("\(heading)\n".utf8)
        for cookie in jar.all where keepsSession || cookie.expires != nil {
            guard !cookie.nameBytes.contains(0x09), !cookie.path.utf8.contains(0x09) else { continue }
            let end = cookie.expires.map { max(1, HTTPDate($0).seconds) } ?? 0
            let fields = [
                "\(cookie.isHTTPOnly ? httpOnly : "")\(cookie.isHostOnly ? "" : ".")\(cookie.domain)",
                cookie.isHostOnly ? "FALSE" : "TRUE", cookie.path, cookie.isSecure ? "TRUE" : "FALSE", "\(end)",
            ]
            bytes += Array(fields.joined(separator: "\t").utf8) + [0x09]
            bytes += cookie.nameBytes + [0x09] + cookie.valueBytes + [0x0A]
        }
        return bytes
    }

    /// The cookies of a text that have not expired, and how many lines were none.
    static func jar(_ bytes: [UInt8], now: Date) -> (jar: CookieJar, skippedLines: Int) {
        var jar = CookieJar()
        var skipped = 0
        for line in bytes.split(separator: 0x0A) {
            let line = line.last == 0x0D ? line.dropLast() : line
            let text = line.withUnsafeBufferPointer { FieldLines.text($0) }
            let isCookie = !text.value.utf8.starts(with: "#".utf8) || text.value.utf8.starts(with: httpOnly.utf8)
            guard isCookie, line.contains(where: { $0 != 0x20 && $0 != 0x09 }) else { continue }
            guard let cookie = cookie(text.value, isLatin1: text.isLatin1),
                (try? jar.add(saved: cookie, now: now)) != nil
            else {
                skipped += 1
                continue
            }
        }
        return (jar, skipped)
    }

    private static func cookie(_ line: String, isLatin1: Bool) -> Cookie? {
        let isHTTPOnly = line.utf8.starts(with: httpOnly.utf8)
        let rest = line.utf8.dropFirst(isHTTPOnly ? httpOnly.utf8.count : 0)
        // A tab may be part of the value, and one before an empty value is often missing.
        let fields = rest.split(separator: 0x09, maxSplits: 6, omittingEmptySubsequences: false).map { Substring($0) }
        guard fields.count >= 6, let end = Int(fields[4]) else { return nil }
        let flags = [fields[1], fields[3]].map { String($0).lowercasedASCII }
        guard flags.allSatisfy({ ["true", "false"].contains($0) }) else { return nil }
        var cookie = Cookie(
            String(fields[5]), fields.count > 6 ? String(fields[6]) : "", domain: String(fields[0]),
            isHostOnly: flags[0] == "false", path: String(fields[2]),
            expires: end == 0 ? nil : Date(timeIntervalSince1970: TimeInterval(end)), isSecure: flags[1] == "true",
            isHTTPOnly: isHTTPOnly)
        cookie.isLatin1 = isLatin1
        return cookie
    }
}
