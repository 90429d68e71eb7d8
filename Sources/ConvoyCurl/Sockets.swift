import CCurl
import ConvoyCore
import Glibc

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

/// The loop's sockets: how each is registered with epoll, and what is known of the connections.
///
/// libcurl takes an idle connection out of the registration after every exchange and puts it back for the next: two
/// system calls each. Connections that it opened through us stay registered instead, marked idle, and are taken out when
/// they fire while idle or are closed. Other descriptors (libcurl's own wake-up pipes) are closed behind our back, so
/// those are always taken out at once.
final class Sockets {
    private struct Entry {
        var events: UInt32 = 0
        var isConnection = false
        var isIdle = true
    }

    private let poll: Int32
    private let census: Census
    private var entries: [Entry] = []
    private var connections: [ConnectionEnds.Key: ConnectionInfo] = [:]

    init(poll: Int32, census: Census) {
        self.poll = poll
        self.census = census
    }

    static func from(_ pointer: UnsafeMutableRawPointer) -> Sockets {
        Unmanaged<Sockets>.fromOpaque(pointer).takeUnretainedValue()
    }

    func opened(_ descriptor: Int32) {
        census.add(1, .socket)
        update(descriptor) { $0 = Entry(isConnection: true) }
    }

    func closed(_ descriptor: Int32) {
        census.add(-1, .socket)
        update(descriptor) { $0 = Entry() }
        if let port = Self.localPort(descriptor) {
            for key in connections.keys where key.localPort == port { connections[key] = nil }
        }
    }

    /// What libcurl wants to know of a descriptor from now on.
    func want(_ descriptor: Int32, _ what: Int32) {
        guard what != CURL_POLL_REMOVE else {
            update(descriptor) { entry in
                if entry.isConnection {
                    entry.isIdle = true
                } else {
                    control(EPOLL_CTL_DEL, descriptor, 0)
                    entry = Entry()
                }
            }
            return
        }
        let events =
            (what & CURL_POLL_IN != 0 ? EPOLLIN.rawValue : 0) | (what & CURL_POLL_OUT != 0 ? EPOLLOUT.rawValue : 0)
        update(descriptor) { entry in
            entry.isIdle = false
            guard entry.events != events else { return }
            if control(entry.events == 0 ? EPOLL_CTL_ADD : EPOLL_CTL_MOD, descriptor, events) != 0 {
                control(entry.events == 0 ? EPOLL_CTL_MOD : EPOLL_CTL_ADD, descriptor, events)
            }
            entry.events = events
        }
    }

    /// Whether an event on a descriptor is for libcurl; one on an idle connection is not, and is not asked for again.
    func isWanted(_ descriptor: Int32) -> Bool {
        let index = Int(descriptor)
        guard entries.indices.contains(index) else { return false }
        if !entries[index].isIdle { return true }
        control(EPOLL_CTL_DEL, descriptor, 0)
        entries[index].events = 0
        return false
    }

    /// What is known of the connection between two ends: looked into once, when it is new.
    func connection(_ ends: ConnectionEnds, of transfer: Transfer, _ handle: EasyHandle) -> ConnectionInfo {
        let key = ends.key
        if transfer.isReused, let known = connections[key] { return known }
        if let path = transfer.request.network?.unixSocket {
            return ConnectionInfo(remoteAddress: path, localAddress: "", tls: nil)
        }
        let info = ConnectionInfo(
            remoteAddress: ends.remoteAddress, localAddress: ends.localAddress,
            tls: transfer.uri.isSecure ? Certificates.info(handle) : nil)
        connections[key] = info
        return info
    }

    private func update(_ descriptor: Int32, _ change: (inout Entry) -> Void) {
        guard descriptor >= 0 else { return }
        let index = Int(descriptor)
        if index >= entries.count {
            entries.append(contentsOf: repeatElement(Entry(), count: index + 32 - entries.count))
        }
        change(&entries[index])
    }

    @discardableResult
    private func control(_ operation: Int32, _ descriptor: Int32, _ events: UInt32) -> Int32 {
        var event = epoll_event()
        event.events = events
        event.data.fd = descriptor
        return epoll_ctl(poll, operation, descriptor, &event)
    }

    private static func localPort(_ descriptor: Int32) -> UInt16? {
        var address = sockaddr_storage()
        var size = socklen_t(MemoryLayout<sockaddr_storage>.size)
        let result = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(descriptor, $0, &size) }
        }
        guard result == 0, [AF_INET, AF_INET6].contains(Int32(address.ss_family)) else { return nil }
        // The port stands at the same place in both kinds.
        return withUnsafeBytes(of: address) { UInt16(bigEndian: $0.loadUnaligned(fromByteOffset: 2, as: UInt16.self)) }
    }
}
