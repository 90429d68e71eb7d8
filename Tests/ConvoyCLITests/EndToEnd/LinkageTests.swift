#if os(Linux)
    import Foundation
    import Testing

    /// The tool starts fast and needs few packages: it links only the essentials of Foundation (design rule 10).
    @Suite struct LinkageTests {
        private func output(_ tool: String, _ arguments: String...) throws -> String {
            let process = Process()
            let pipe = Pipe()
            process.executableURL = URL(filePath: tool)
            process.arguments = arguments
            process.standardOutput = pipe
            try process.run()
            let data = try pipe.fileHandleForReading.readToEnd() ?? Data()
            process.waitUntilExit()
            return String(decoding: data, as: UTF8.self)
        }

        @Test func theToolDoesNotLinkFullFoundation() throws {
            // ldd follows the libraries of libraries as well.
            let libraries = try output("/usr/bin/ldd", ToolProcess.path)
            #expect(libraries.contains("libFoundationEssentials.so"), "ldd says nothing of use: \(libraries)")
            for name in ["libFoundation", "libFoundationNetworking", "libFoundationXML", "lib_FoundationICU"] {
                #expect(!libraries.contains("\(name).so"), "\(name) is linked:\n\(libraries)")
            }
        }
    }
#endif
