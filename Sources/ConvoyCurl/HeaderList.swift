import CCurl
import ConvoyCore
import Glibc

/// The header fields of a request as the list that libcurl takes: nodes and text in one piece of memory.
final class HeaderList {
    private let memory: UnsafeMutableRawPointer

    /// The list's head; nil if there is no field.
    let head: UnsafeMutablePointer<curl_slist>?

    /// - Parameter lines: complete lines, in libcurl's form.
    init?(_ lines: [[UInt8]]) {
        let nodeSize = MemoryLayout<curl_slist>.stride
        let size = lines.reduce(lines.count * nodeSize) { $0 + $1.count + 1 }
        guard let memory = malloc(max(size, 1)) else { return nil }
        self.memory = memory
        let nodes = memory.bindMemory(to: curl_slist.self, capacity: lines.count)
        var text = (memory + lines.count * nodeSize).assumingMemoryBound(to: CChar.self)
        for (index, line) in lines.enumerated() {
            line.withUnsafeBytes { source in
                guard let base = source.baseAddress else { return }
                memcpy(text, base, source.count)
            }
            text[line.count] = 0
            nodes[index] = curl_slist(data: text, next: index + 1 < lines.count ? nodes + index + 1 : nil)
            text += line.count + 1
        }
        head = lines.isEmpty ? nil : nodes
    }

    deinit { free(memory) }

    /// One field in libcurl's form, in which an empty value needs a semicolon.
    static func line(_ field: Headers.Field) -> [UInt8] {
        var line = Array(field.name.rawName.utf8)
        if field.value.isEmpty {
            line.append(0x3B)
        } else {
            line += [0x3A, 0x20]
            if field.isLatin1 { line += field.rawValue } else { line += field.value.utf8 }
        }
        return line
    }
}
