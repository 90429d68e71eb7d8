import CCurl
import ConvoyCore
import Glibc
import Synchronization

/// The way to the loop's thread: a mailbox, and the thread that empties it, started with the first transfer.
///
/// Sendable for this reason, which the compiler cannot see: `thread` is touched by the loop's own thread only; everything
/// else is constant, atomic, or stands under the lock.
final class Loop: @unchecked Sendable {
    /// What the loop is asked to do.
    enum Command {
        case start(Transfer)
        case cancel(Transfer)
        case resumeReceiving(Transfer)
        case resumeSending(Transfer)
    }

    private struct Mailbox {
        var commands: [Command] = []
        var isStopping = false
        /// Whether somebody has undertaken to join the thread.
        var isJoined = false
        var thread: pthread_t?
        var wakeUp: Int32 = -1
        var waiters: [CheckedContinuation<Void, Never>] = []
    }

    private let mailbox = Locked(Mailbox())
    /// Whether the thread sleeps, so that a wake-up is needed: one for any number of commands.
    private let isAsleep = Atomic(false)
    /// How many are about to wake the thread: its descriptor stays open for them.
    private let wakers = Atomic(0)
    let connectionsPerHost: Int
    let census = Census()
    /// The state of the loop's thread; nil off it.
    fileprivate(set) var thread: LoopThread?

    init(connectionsPerHost: Int) { self.connectionsPerHost = connectionsPerHost }

    /// Puts a command into the mailbox. Throws `.clientClosed` once the loop is stopping, and `.engineFailed` when the
    /// system has no thread or descriptor left for it.
    func submit(_ transfer: Transfer) throws {
        let wakeUp = try mailbox.withLock { mailbox in
            guard !mailbox.isStopping else { throw Self.closed }
            if mailbox.thread == nil { try start(&mailbox) }
            mailbox.commands.append(.start(transfer))
            return mailbox.wakeUp
        }
        wake(wakeUp)
    }

    /// Puts a command about a transfer that was submitted into the mailbox.
    func post(_ command: Command) {
        let wakeUp: Int32 = mailbox.withLock { mailbox in
            // Without a thread no transfer is under way.
            if mailbox.wakeUp >= 0 { mailbox.commands.append(command) }
            return mailbox.wakeUp
        }
        wake(wakeUp)
    }

    /// Wakes the thread if it sleeps: after the mailbox was unlocked, lest it wake up before a locked one.
    private func wake(_ descriptor: Int32) {
        guard isAsleep.load(ordering: .sequentiallyConsistent) else { return }
        wakers.add(1, ordering: .sequentiallyConsistent)
        // A thread that has ended does not sleep, and its descriptor is not touched.
        if isAsleep.exchange(false, ordering: .sequentiallyConsistent) { eventfd_write(descriptor, 1) }
        wakers.subtract(1, ordering: .sequentiallyConsistent)
    }

    /// From the loop's thread: all that waits.
    func takeCommands(into commands: inout [Command]) -> Bool {
        mailbox.withLock { mailbox in
            swap(&commands, &mailbox.commands)
            return mailbox.isStopping
        }
    }

    /// From the loop's thread: whether it may sleep, since nothing waits.
    func fallAsleep() -> Bool {
        isAsleep.store(true, ordering: .sequentiallyConsistent)
        if mailbox.withLock({ $0.commands.isEmpty && !$0.isStopping }) { return true }
        wokeUp()
        return false
    }

    /// From the loop's thread: it is awake whatever woke it, so that no further wake-up is written.
    func wokeUp() { isAsleep.store(false, ordering: .sequentiallyConsistent) }

    static var closed: ConvoyError { ConvoyError(.clientClosed, "the client was shut down") }

    // MARK: The thread

    private func start(_ mailbox: inout Mailbox) throws {
        let thread = try LoopThread(self)
        mailbox.wakeUp = thread.wakeUp
        let start = Unmanaged.passRetained(Start(loop: self, thread: thread))
        var identifier = pthread_t()
        let code = pthread_create(
            &identifier, nil,
            { pointer in
                guard let pointer else { return nil }
                Unmanaged<Start>.fromOpaque(pointer).takeRetainedValue().run()
                return nil
            }, start.toOpaque())
        guard code == 0 else {
            start.release()
            mailbox.wakeUp = -1
            throw ConvoyError(.engineFailed, "cannot start a thread: \(String(cString: strerror(code)))")
        }
        mailbox.thread = identifier
    }

    /// What the new thread gets.
    private final class Start {
        private let loop: Loop
        private var thread: LoopThread?

        init(loop: Loop, thread: LoopThread) {
            self.loop = loop
            self.thread = thread
        }

        func run() {
            pthread_setname_np(pthread_self(), "convoy-curl")
            // No signal handler of the program runs here, and a broken pipe is an error code and nothing more.
            var all = sigset_t()
            sigfillset(&all)
            pthread_sigmask(SIG_SETMASK, &all, nil)
            loop.census.change { $0.threads += 1 }
            loop.thread = thread
            thread?.run()
            while loop.wakers.load(ordering: .sequentiallyConsistent) > 0 { sched_yield() }
            // Its descriptors and handles are gone before anybody hears that it has ended.
            loop.thread = nil
            thread = nil
            loop.census.change { $0.threads -= 1 }
            loop.ended()
        }
    }

    private func ended() {
        let waiters = mailbox.withLock { mailbox in
            // Commands that came too late: their transfers were never begun.
            for case .start(let transfer) in mailbox.commands { transfer.fail(Self.closed) }
            mailbox.commands = []
            mailbox.wakeUp = -1
            defer { mailbox.waiters = [] }
            return mailbox.waiters
        }
        for waiter in waiters { waiter.resume() }
    }

    /// Ends every transfer and the thread, and waits until both are gone.
    func shutdown() async {
        var isMine = false
        await withCheckedContinuation { continuation in
            let running: Int32? = mailbox.withLock { mailbox in
                mailbox.isStopping = true
                isMine = !mailbox.isJoined && mailbox.thread != nil
                if isMine { mailbox.isJoined = true }
                guard mailbox.thread != nil, mailbox.wakeUp >= 0 else { return nil }
                mailbox.waiters.append(continuation)
                return mailbox.wakeUp
            }
            if let running { wake(running) } else { continuation.resume() }
        }
        // The thread has said that it ends: this takes microseconds.
        if isMine, let thread = mailbox.withLock({ $0.thread }) { pthread_join(thread, nil) }
    }

    /// Ends every transfer and the thread without waiting: for a transport that is dropped.
    func abandon() {
        let wakeUp = mailbox.withLock { mailbox in
            mailbox.isStopping = true
            if let thread = mailbox.thread, !mailbox.isJoined {
                mailbox.isJoined = true
                pthread_detach(thread)
            }
            return mailbox.wakeUp
        }
        wake(wakeUp)
    }
}
