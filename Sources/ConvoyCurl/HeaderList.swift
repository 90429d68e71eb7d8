import CCurl
import ConvoyCore
import Glibc

/// The header fields of a request as the list that libcurl takes: nodes and text in one piece of memory.
final class HeaderList {
    private let memory: UnsafeMutableRawPointer

    /// The list's head; nil if there is no field.
    let head: UnsafeMutablePointer<curl_slist>?

    /// - Parameter additions: further lines, in libcurl's form.
    init?(_ headers: Headers, _ additions: [StaticString]) {
        let count = headers.count + additions.count
        let nodeSize = count * MemoryLayout<curl_slist>.stride
        var size = nodeSize + additions.reduce(0) { $0 + $1.utf8CodeUnitCount + 1 }
        // A field: name, colon or semicolon, space, value, zero.
        for field in headers { size += field.name.rawName.utf8.count + field.value.utf8.count + 3 }
        guard let memory = malloc(max(size, 1)) else { return nil }
        self.memory = memory
        let nodes = memory.bindMemory(to: curl_slist.self, capacity: count)
        var text = UnsafeMutableRawPointer(memory + nodeSize).assumingMemoryBound(to: UInt8.self)
        var index = 0
        func add(_ write: (inout UnsafeMutablePointer<UInt8>) -> Void) {
            let start = UnsafeMutableRawPointer(text).assumingMemoryBound(to: CChar.self)
            write(&text)
            text.pointee = 0
            text += 1
            nodes[index] = curl_slist(data: start, next: index + 1 < count ? nodes + index + 1 : nil)
            index += 1
        }
        for field in headers { add { Self.write(field, &$0) } }
        for line in additions {
            add { text in
                memcpy(text, line.utf8Start, line.utf8CodeUnitCount)
                text += line.utf8CodeUnitCount
            }
        }
        head = count == 0 ? nil : nodes
    }

    deinit { free(memory) }

    /// One field in libcurl's form, in which an empty value needs a semicolon.
    private static func write(_ field: Headers.Field, _ text: inout UnsafeMutablePointer<UInt8>) {
        write(field.name.rawName, &text)
        if field.value.isEmpty {
            write(";", &text)
        } else if field.isLatin1 {
            write(": ", &text)
            for byte in field.rawValue {
                text.pointee = byte
                text += 1
            }
        } else {
            write(": ", &text)
            write(field.value, &text)
        }
    }

    private static func write(_ string: String, _ text: inout UnsafeMutablePointer<UInt8>) {
        var string = string
        string.withUTF8 { bytes in
            guard let base = bytes.baseAddress else { return }
            memcpy(text, base, bytes.count)
            text += bytes.count
        }
    }
}
