#if os(Linux)
    import Foundation
    import Testing

    /// The tool starts fast and needs few packages: it links only the essentials of Foundation (design rule 10).
    @Suite struct LinkageTests {
        private func output(_ tool: String, _ arguments: String...) throws -> String {
            let data = try ChildProcess.output(
                of: tool, arguments, environment: ProcessInfo.processInfo.environment)
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
