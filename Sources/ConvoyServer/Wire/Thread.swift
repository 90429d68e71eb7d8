import CLinux

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// A thread of the system: handlers may block it, which Swift's own pool of threads must never be.
struct Thread: Hashable, Sendable {
    private let identifier: UInt

    private init(_ thread: pthread_t) { identifier = UInt(bitPattern: Self.bits(thread)) }

    /// The thread that runs this.
    static var current: Thread { Thread(pthread_self()) }

    /// Starts a thread with SIGPIPE blocked; nil if the system has none to give. The name is cut to 15 bytes.
    static func start(name: String, _ work: @escaping @Sendable () -> Void) -> Thread? {
        let box = Unmanaged.passRetained(Work(name: name, run: work))
        var attributes = pthread_attr_t()
        pthread_attr_init(&attributes)
        defer { pthread_attr_destroy(&attributes) }
        pthread_attr_setstacksize(&attributes, 4 << 20)
        #if os(Linux)
            var thread = pthread_t()
            let code = pthread_create(&thread, &attributes, { Thread.run($0) }, box.toOpaque())
            if code == 0 { return Thread(thread) }
        #else
            var thread: pthread_t?
            let code = pthread_create(&thread, &attributes, { Thread.run($0) }, box.toOpaque())
            if code == 0, let thread { return Thread(thread) }
        #endif
        box.release()
        return nil
    }

    /// Waits until the thread has ended. Once for each thread, and never for the current one.
    func join() { pthread_join(thread, nil) }

    /// Lets the thread clean up after itself, since nobody will wait for it.
    func detach() { pthread_detach(thread) }

    private final class Work: Sendable {
        let name: String
        let run: @Sendable () -> Void
        init(name: String, run: @escaping @Sendable () -> Void) {
            self.name = name
            self.run = run
        }
    }

    private static func run(_ pointer: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
        guard let pointer else { return nil }
        let work = Unmanaged<Work>.fromOpaque(pointer).takeRetainedValue()
        var signals = sigset_t()
        sigemptyset(&signals)
        sigaddset(&signals, SIGPIPE)
        pthread_sigmask(SIG_BLOCK, &signals, nil)
        let name = String(decoding: work.name.utf8.prefix(15), as: UTF8.self)
        #if os(Linux)
            _ = pthread_setname_np(pthread_self(), name)
        #else
            pthread_setname_np(name)
        #endif
        work.run()
        return nil
    }

    #if os(Linux)
        private var thread: pthread_t { pthread_t(identifier) }
        private static func bits(_ thread: pthread_t) -> Int { Int(bitPattern: UInt(thread)) }
    #else
        private var thread: pthread_t { unsafeBitCast(identifier, to: pthread_t.self) }
        private static func bits(_ thread: pthread_t) -> Int { Int(bitPattern: thread) }
    #endif
}
