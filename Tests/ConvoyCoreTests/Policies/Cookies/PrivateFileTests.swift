import ConvoyCore
import Foundation
import Testing

/// How the file of a store is read and written.
@Suite struct PrivateFileTests {
    private static let cookie = Cookie("a", "b", domain: "h", expires: .distantFuture)

    private func mode(_ path: String) throws -> Int {
        try #require(FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int)
    }

    private func problem(_ path: String) throws -> ConvoyError {
        let error = #expect(throws: ConvoyError.self) { try CookieStore(file: path).jar }
        return try #require(error)
    }

    @Test("Only its owner can read it (B283)") func mode() async throws {
        try await withFolder { folder in
            let path = folder + "/c"
            try CookieStore(file: path).update { try $0.set(Self.cookie) }
            try #expect(mode(path) == 0o600)
            // One that was open to all is not so any more.
            try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: path)
            try CookieStore(file: path).update { $0.removeAll() }
            try #expect(mode(path) == 0o600)
            try #expect(FileManager.default.contentsOfDirectory(atPath: folder) == ["c"])
        }
    }

    @Test func itIsReplacedAsAWhole() async throws {
        try await withFolder { folder in
            let path = folder + "/c"
            let store = CookieStore(file: path)
            try store.update { try $0.set(Self.cookie) }
            let old = try #require(FileHandle(forReadingAtPath: path))
            try store.update { $0.removeAll() }
            // Who had the old one open still has all of it.
            try #expect(old.readToEnd().map { String(decoding: $0, as: UTF8.self) }?.hasSuffix("\ta\tb\n") == true)
            try #expect(!String(contentsOfFile: path, encoding: .utf8).contains("\ta\tb"))
        }
    }

    @Test func nothingIsWrittenBeforeSomethingChanges() async throws {
        try await withFolder { folder in
            let path = folder + "/c"
            try #expect(CookieStore(file: path).jar.count == 0)
            #expect(!FileManager.default.fileExists(atPath: path))
            let text = "# mine\n\nh\tFALSE\t/\tFALSE\t4102444800\ta\tb\nnonsense\n"
            try Data(text.utf8).write(to: URL(filePath: path))
            let store = CookieStore(file: path)
            try store.update { try $0.set(Cookie("session", "b", domain: "h")) }
            #expect(store.skippedLines == 1)
            try #expect(String(contentsOfFile: path, encoding: .utf8) == text)
        }
    }

    @Test("Never through a link") func links() async throws {
        try await withFolder { folder in
            let target = folder + "/precious"
            try Data("precious\n".utf8).write(to: URL(filePath: target))
            try FileManager.default.createSymbolicLink(atPath: folder + "/c", withDestinationPath: target)
            let error = try problem(folder + "/c")
            #expect(error.code == .cookieFileFailed && error.message.contains("symbolic link"))
            // One that is put there later is replaced, and not what it leads to.
            let store = CookieStore(file: folder + "/d")
            try #expect(store.jar.count == 0)
            try FileManager.default.createSymbolicLink(atPath: folder + "/d", withDestinationPath: target)
            try store.update { try $0.set(Self.cookie) }
            try #expect(String(contentsOfFile: target, encoding: .utf8) == "precious\n")
            try #expect(CookieStore(file: folder + "/d").jar.count == 1)
        }
    }

    @Test func whatIsNoFile() async throws {
        try await withFolder { folder in
            for path in [folder, "", "a\0b", folder + "/none/c", folder + "/c/", "/dev/null", "/dev/zero/x"] {
                let error = try problem(path)
                #expect(error.code == .cookieFileFailed, "\(path)")
            }
            try #expect(problem(folder + "/none/c").message.contains("No such file"))
        }
    }

    @Test func tooLarge() async throws {
        try await withFolder { folder in
            let path = folder + "/c"
            #expect(FileManager.default.createFile(atPath: path, contents: nil))
            #expect(truncate(path, 33 << 20) == 0)
            try #expect(problem(path).message.contains("32 MiB"))
        }
    }

    @Test("A file that cannot be written keeps no answer back, and is tried again") func unwritable() async throws {
        try await withFolder { folder in
            let path = folder + "/sub/c"
            try FileManager.default.createDirectory(atPath: folder + "/sub", withIntermediateDirectories: false)
            let store = CookieStore(file: path)
            try #expect(store.jar.count == 0)
            try FileManager.default.removeItem(atPath: folder + "/sub")
            let transport = FakeTransport { _, number in
                Response(status: 200, headers: ["Set-Cookie": "n=\(number); Max-Age=60"])
            }
            let client = Client(transport: transport) { $0.cookies = store }
            _ = try await client.get("http://h/")
            #expect(store.failure?.code == .cookieFileFailed)
            let error = #expect(throws: ConvoyError.self) { try store.update { try $0.set(Self.cookie) } }
            #expect(error?.message.contains("No such file") == true)
            try #expect(store.jar.count == 2)
            try FileManager.default.createDirectory(atPath: folder + "/sub", withIntermediateDirectories: false)
            _ = try await client.get("http://h/")
            #expect(store.failure == nil)
            try #expect(CookieStore(file: path).jar.all.map(\.value) == ["2", "b"])
        }
    }
}
