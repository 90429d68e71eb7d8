import ConvoyCore

/// Files that are named on the command line.
enum LocalFile {
    /// Opens a file to see that it can be read.
    static func open(_ path: String, for option: Option) throws -> FileReader {
        do { return try FileReader(path: path) } catch let error as ConvoyError {
            throw UsageError("--\(option.name): \(error.message)")
        }
    }

    /// The text of a file that an item names.
    static func text(_ item: RequestItem) throws -> String {
        // Nobody types a longer value into an item; a body of that size is sent by --stdin.
        let limit = 64 << 20
        do {
            let reader = try FileReader(path: item.value)
            guard reader.size <= limit else {
                throw UsageError("\(item.value.quotedForMessage) is larger than \(limit) bytes; send it by --stdin")
            }
            var bytes: [UInt8] = []
            var buffer = [UInt8](repeating: 0, count: 65536)
            while case let count = try buffer.withUnsafeMutableBytes({ try reader.read(into: $0) }), count > 0 {
                bytes += buffer[..<count]
            }
            if let text = String(validating: bytes, as: UTF8.self) { return text }
            throw UsageError("\(item.value.quotedForMessage) is no UTF-8 text; send bytes by --stdin")
        } catch let error as ConvoyError {
            throw UsageError("the item \(item.description.quotedForMessage): \(error.message)")
        }
    }
}
