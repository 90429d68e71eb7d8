import ConvoyCore

/// The two ends of a connection, as libcurl tells them.
struct ConnectionEnds {
    let remote: UnsafeMutablePointer<CChar>?
    let remotePort: Int32
    let local: UnsafeMutablePointer<CChar>?
    let localPort: Int32

    /// Tells connections apart that are open at the same time.
    struct Key: Hashable {
        let remotePort: Int32
        let localPort: UInt16
        let remoteHash: UInt64
    }

    var key: Key {
        // FNV-1a over the address: cheaper than making a string of it for every exchange.
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        var byte = remote
        while let next = byte, next.pointee != 0 {
            hash = (hash ^ UInt64(UInt8(bitPattern: next.pointee))) &* 0x100_0000_01B3
            byte = next + 1
        }
        return Key(remotePort: remotePort, localPort: UInt16(truncatingIfNeeded: localPort), remoteHash: hash)
    }

    var remoteAddress: String { Self.text(remote, remotePort) }
    var localAddress: String { Self.text(local, localPort) }

    private static func text(_ address: UnsafeMutablePointer<CChar>?, _ port: Int32) -> String {
        guard let address, address.pointee != 0 else { return "" }
        let text = String(cString: address)
        return text.contains(":") ? "[\(text)]:\(port)" : "\(text):\(port)"
    }
}
