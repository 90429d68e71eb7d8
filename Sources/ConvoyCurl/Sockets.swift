import CCurl
import ConvoyCore
import Glibc

/// A connection that exchanges go over, and what is known of it.
struct Connection {
    let info: ConnectionInfo
    let descriptor: Int32
    let isHTTP2: Bool
}

/// The loop's sockets: how each is registered with epoll, and what is known of the connections.
///
/// libcurl takes an idle connection out of the registration after every exchange and puts it back for the next: two
/// system calls each. Connections that stand stay registered instead, marked idle, and are taken out when they fire
/// while idle or are closed. Other descriptors (connections in the making, libcurl's own wake-up pipes) are closed behind
/// our back, so those are always taken out at once.
final class Sockets {
    private struct Entry {
        var events: UInt32 = 0
        var isConnection = false
        var isIdle = true
        /// When something last happened on it.
        var lastEvent: Int64 = 0
    }

    private let poll: Int32
    private let census: Census
    private var entries: [Entry] = []
    private var connections: [ConnectionEnds.Key: Connection] = [:]

    init(poll: Int32, census: Census) {
        self.poll = poll
        self.census = census
    }

    static func from(_ pointer: UnsafeMutableRawPointer) -> Sockets {
        Unmanaged<Sockets>.fromOpaque(pointer).takeUnretainedValue()
    }

    func closed(_ descriptor: Int32) {
        update(descriptor) { entry in
            if entry.isConnection { census.add(-1, .socket) }
            entry = Entry()
        }
        for (key, connection) in connections where connection.descriptor == descriptor { connections[key] = nil }
    }

    /// What libcurl wants to know of a descriptor from now on.
    func want(_ descriptor: Int32, _ what: Int32) {
        guard what != CURL_POLL_REMOVE else {
            update(descriptor) { entry in
                entry.isIdle = true
                guard !entry.isConnection else { return }
                control(EPOLL_CTL_DEL, descriptor, 0)
                entry = Entry()
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

    /// Whether an event on a descriptor is for libcurl; one on an idle connection is not, and is not asked for again. If
    /// the server has closed that connection, this side of it is closed too: libcurl would keep it half open until it
    /// is looked at for another exchange.
    func isWanted(_ descriptor: Int32, now: Int64) -> Bool {
        let index = Int(descriptor)
        guard entries.indices.contains(index) else { return false }
        entries[index].lastEvent = now
        if !entries[index].isIdle { return true }
        control(EPOLL_CTL_DEL, descriptor, 0)
        entries[index].events = 0
        var byte: UInt8 = 0
        if recv(descriptor, &byte, 1, Int32(MSG_PEEK | MSG_DONTWAIT)) == 0 { shutdown(descriptor, Int32(SHUT_RDWR)) }
        return false
    }

    /// When something last happened on a descriptor.
    func lastEvent(_ descriptor: Int32) -> Int64 {
        entries.indices.contains(Int(descriptor)) ? entries[Int(descriptor)].lastEvent : 0
    }

    /// The connection between two ends: looked into once, when it is new.
    func connection(_ ends: ConnectionEnds, of transfer: Transfer, _ handle: EasyHandle) -> Connection {
        let key = ends.key
        if transfer.isReused, let known = connections[key] { return known }
        let descriptor = transfer.opened.last { Self.localPort($0) == key.localPort } ?? transfer.opened.last ?? -1
        let tls = transfer.uri.isSecure ? Certificates.info(handle) : nil
        let remote = transfer.request.network?.unixSocket ?? ends.remoteAddress
        let connection = Connection(
            info: ConnectionInfo(remoteAddress: remote, localAddress: ends.localAddress, tls: tls),
            descriptor: descriptor,
            isHTTP2: transfer.uri.isSecure
                ? Certificates.negotiatedProtocol(handle) == "h2" : transfer.request.network?.versions == .http2)
        connections[key] = connection
        update(descriptor) { entry in
            if !entry.isConnection { census.add(1, .socket) }
            entry.isConnection = true
        }
        return connection
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
