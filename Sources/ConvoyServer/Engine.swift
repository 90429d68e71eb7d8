import ConvoyCore
import Synchronization

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// The threads of a server: one accepts, and each connection has one.
final class Engine: Sendable {
    private struct State {
        var connections = Server.Connections()
        /// The thread that accepts, and joins the others while it runs.
        var accepter: Thread?
        /// The threads that run; each takes itself out at its end.
        var running: Set<Thread> = []
        /// The threads that have ended and are to be joined.
        var ended: [Thread] = []
        /// Nobody will join: each thread cleans up after itself.
        var isAbandoned = false
        var signal: StopSignal?
        var bell: Bell?
    }

    private let state: Mutex<State>
    /// Held by who joins the threads, so that a second stop waits for the first.
    private let joining = Mutex(())
    private let listener: Listener
    private let server: ConnectionServer
    private let observer: (@Sendable (Server.Connections) -> Void)?

    init(
        _ listener: Listener, server: ConnectionServer, observer: (@Sendable (Server.Connections) -> Void)?
    ) throws {
        self.listener = listener
        self.server = server
        self.observer = observer
        state = Mutex(State(signal: try StopSignal(), bell: try Bell()))
    }

    var connections: Server.Connections { state.withLock { $0.connections } }

    func start() throws {
        guard let (signal, bell) = means() else { return }
        let accepter = spawn { [self] in
            acceptLoop(signal, bell)
            listener.close()
        }
        guard let accepter else { throw ConvoyError.cannotListen("the system has no thread to give") }
        state.withLock { $0.accepter = accepter }
    }

    private func means() -> (StopSignal, Bell)? {
        state.withLock { state in
            guard let signal = state.signal, let bell = state.bell else { return nil }
            return (signal, bell)
        }
    }

    // MARK: Stopping

    func stop() {
        state.withLock { $0.signal }?.signal()
        if state.withLock({ $0.running.contains(.current) }) { return }
        joining.withLock { _ in
            // The accepting thread first: until it is gone it joins others, and no thread may be joined twice.
            if let accepter = state.withLock({ $0.accepter }) { join(accepter) }
            while let thread = state.withLock({ $0.ended.last ?? $0.running.first }) { join(thread) }
            // With the last thread gone this closes the pipes.
            state.withLock { state in
                state.accepter = nil
                state.signal = nil
                state.bell = nil
            }
        }
    }

    private func join(_ thread: Thread) {
        thread.join()
        state.withLock { state in state.ended.removeAll { $0 == thread } }
    }

    /// Stops when nobody can do so any more; the last reference may be a handler's.
    func abandon() {
        let isOwn = state.withLock { $0.running.contains(.current) }
        guard isOwn else { return stop() }
        let ended = state.withLock { state in
            state.isAbandoned = true
            state.signal?.signal()
            defer { state.ended = [] }
            return state.ended
        }
        ended.forEach { $0.join() }
    }

    // MARK: Threads

    private func spawn(_ work: @escaping @Sendable () -> Void) -> Thread? {
        // The lock is held until the thread is known, so that it cannot end before.
        state.withLock { state in
            let thread = Thread.start(name: server.configuration.name) { [self] in
                work()
                end()
            }
            if let thread { state.running.insert(thread) }
            return thread
        }
    }

    /// The last thing a thread does.
    private func end() {
        let bell = state.withLock { state in
            if state.isAbandoned { Thread.current.detach() } else { state.ended.append(.current) }
            state.running.remove(.current)
            return state.bell
        }
        bell?.ring()
    }

    private func joinEnded() {
        while let thread = state.withLock({ $0.ended.popLast() }) { thread.join() }
    }

    // MARK: Accepting

    private func acceptLoop(_ signal: StopSignal, _ bell: Bell) {
        while true {
            let isFull = connections.open >= server.configuration.maximumConnections
            let happened = System.wait(
                [
                    (signal.descriptor, System.readable), (bell.descriptor, System.readable),
                    (isFull ? -1 : listener.descriptor, System.readable),
                ], until: nil)
            if signal.isGiven { return }
            if happened[1] != 0 {
                bell.clear()
                joinEnded()
            }
            if happened[2] != 0 { acceptOne(signal) }
        }
    }

    private func acceptOne(_ signal: StopSignal) {
        let (descriptor, remote) = System.acceptNext(listener.descriptor)
        guard descriptor >= 0 else {
            // Out of descriptors or memory: the connection stays in the queue until there are some.
            if errno == EMFILE || errno == ENFILE || errno == ENOBUFS || errno == ENOMEM {
                _ = System.wait([(signal.descriptor, System.readable)], until: .now + .milliseconds(20))
            }
            return
        }
        let index = change { connections in
            connections.accepted += 1
            connections.open += 1
            return connections.accepted - 1
        }
        let thread = spawn { [self] in
            let connection = Connection(
                descriptor, index: index, remoteAddress: remote, signal: signal,
                idleTimeout: server.configuration.idleTimeout)
            server.serve(connection)
            connection.close()
            change { $0.open -= 1 }
        }
        if thread == nil {
            System.shut(descriptor)
            change { $0.open -= 1 }
        }
    }

    @discardableResult
    private func change<Result: Sendable>(_ body: (inout Server.Connections) -> Result) -> Result {
        // Told under the lock, so that the observer hears of the changes in their order.
        state.withLock { state in
            defer { observer?(state.connections) }
            return body(&state.connections)
        }
    }
}

/// Wakes the accepting thread when a connection has ended.
private final class Bell: Sendable {
    let descriptor: Int32
    private let writer: Int32

    init() throws {
        guard let pipe = System.makePipe() else { throw ConvoyError.cannotListen("no pipe", errno: true) }
        (descriptor, writer) = (pipe.reader, pipe.writer)
    }

    deinit {
        System.shut(descriptor)
        System.shut(writer)
    }

    func ring() { System.writeByte(writer) }

    func clear() { System.drain(descriptor) }
}
