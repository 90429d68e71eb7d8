import ConvoyCore
import Foundation
import Testing

/// Netscape's format, through a store.
@Suite struct CookieFileTests {
    private func withStore(_ text: String, _ body: (CookieStore, String) throws -> Void) async throws {
        try await withFolder { folder in
            let path = folder + "/cookies.txt"
            try Data(text.utf8).write(to: URL(filePath: path))
            try body(CookieStore(file: path), path)
        }
    }

    @Test func asCurlWritesIt() async throws {
        let text = """
            # Netscape HTTP Cookie File
            # https://curl.se/docs/http-cookies.html

            #HttpOnly_.example.com\tTRUE\t/\tTRUE\t4102444800\tsid\t12"3
            www.example.com\tFALSE\t/path\tFALSE\t0\tplain\ta b
            127.0.0.1\tFALSE\t/\tFALSE\t4102444800\tempty\t
            127.0.0.1\tFALSE\t/\tFALSE\t4102444800\tshort
            old.example\tFALSE\t/\tFALSE\t1\tgone\t1\r
            .windows.example\tTRUE\t/\tFALSE\t4102444800\tcr\tlf\r\n
            """
        try await withStore(text) { store, _ in
            let all = try store.jar.all
            #expect(all.map(\.name) == ["sid", "plain", "empty", "short", "cr"] && store.skippedLines == 0)
            #expect(all.map(\.value) == ["12\"3", "a b", "", "", "lf"])
            #expect(all[0].isHTTPOnly && all[0].isSecure && !all[0].isHostOnly && all[0].domain == "example.com")
            #expect(all[0].expires == Date(timeIntervalSince1970: 4_102_444_800))
            #expect(all[1].isHostOnly && !all[1].isSecure && all[1].path == "/path" && all[1].expires == nil)
        }
    }

    @Test func whatIsWrittenIsReadAgain() async throws {
        let cookies = [
            Cookie("a", "1", domain: "example.com", isHostOnly: false, path: "/p", expires: .distantFuture),
            Cookie("b", "\"x\ty\"", domain: "h", expires: .distantFuture, isSecure: true, isHTTPOnly: true),
            Cookie("", "nameless", domain: "::1", expires: .distantFuture),
            Cookie("é", "=ü", domain: "127.0.0.1", expires: .distantFuture), Cookie("c", "", domain: "h"),
        ]
        try await withFolder { folder in
            let path = folder + "/cookies.txt"
            try CookieStore(file: path, keepsSessionCookies: true).update { jar in
                for cookie in cookies { try jar.set(cookie) }
            }
            let store = CookieStore(file: path, keepsSessionCookies: true)
            var expected = cookies
            // To the second, and no later than the year 9999.
            for index in 0..<4 { expected[index].expires = .init(timeIntervalSince1970: 64_092_211_200) }
            try #expect(store.jar.all == expected)
            #expect(store.skippedLines == 0)
        }
    }

    @Test("What a line cannot hold stays in memory") func tabs() async throws {
        try await withFolder { folder in
            let store = CookieStore(file: folder + "/c", keepsSessionCookies: true)
            try store.update { jar in
                try jar.set(Cookie("a\tb", "1", domain: "h"))
                try jar.set(Cookie("c", "2", domain: "h", path: "/\t"))
                try jar.set(Cookie("d", "3", domain: "h"))
            }
            try #expect(store.jar.count == 3)
            let again = CookieStore(file: folder + "/c", keepsSessionCookies: true)
            try #expect(again.jar.all.map(\.name) == ["d"])
            #expect(again.skippedLines == 0)
        }
    }

    @Test func linesThatAreNoneAreCounted() async throws {
        let bad = [
            "nonsense", "a\tb\tc", "h\tFALSE\t/\tFALSE\tsoon\tn\tv", "h\tFALSE\t/\tFALSE\t99999999999999999999\tn\tv",
            "h\tmaybe\t/\tFALSE\t0\tn\tv", "h\tFALSE\t/\t1\t0\tn\tv", "h\tFALSE\tpath\tFALSE\t0\tn\tv",
            "\tFALSE\t/\tFALSE\t0\tn\tv", "a b\tFALSE\t/\tFALSE\t0\tn\tv", ".com\tTRUE\t/\tFALSE\t0\tn\tv",
            "h\tFALSE\t/\tFALSE\t0\t\t", "h\tFALSE\t/\tFALSE\t0\tn\tv;w", "h\tFALSE\t/\tFALSE\t0\tn\tv\u{1}",
            "h\tFALSE\t/\tFALSE\t0\t__Host-n\tv", "#HttpOnly_",
            "h\tFALSE\t/\tFALSE\t0\tn\t" + String(repeating: "v", count: 5000),
            "\u{0}", "\u{FFFD}\u{301}",
        ]
        let good = "h\tFALSE\t/\tFALSE\t0\tn\tv"
        try await withStore((bad + [good, "", "  \t", "# a comment", "#"]).joined(separator: "\n")) { store, _ in
            try #expect(store.jar.all.map(\.name) == ["n"])
            #expect(store.skippedLines == bad.count)
        }
    }

    @Test func bytesThatAreNoText() async throws {
        try await withFolder { folder in
            var bytes = (0..<100_000).map { UInt8(truncatingIfNeeded: $0 &* 167 &+ $0 >> 8) }
            bytes += Array("\nh\tFALSE\t/\tFALSE\t0\tn\t".utf8) + [0xE9, 0x0A]
            let path = folder + "/c"
            try Data(bytes).write(to: URL(filePath: path))
            let store = CookieStore(file: path, keepsSessionCookies: true)
            try #expect(store.jar.all.map(\.value) == ["\u{E9}"])
            #expect(store.skippedLines > 0)
            try store.update { try $0.set(Cookie("m", "é", domain: "h")) }
            let written = try Data(contentsOf: URL(filePath: path))
            #expect(written.suffix(26) == Data("\t".utf8) + [0xE9] + Data("\nh\tFALSE\t/\tFALSE\t0\tm\té\n".utf8))
        }
    }

    @Test func aFileOfManyCookies() async throws {
        let text = (0..<4000).map { "h\($0 / 40)\tFALSE\t/\tFALSE\t0\tn\($0)\tv\n" }.joined()
        try await withStore(text) { store, _ in
            try #expect(store.jar.count == 3000)
            try #expect(store.jar.all.first?.name == "n1000")
        }
    }
}
