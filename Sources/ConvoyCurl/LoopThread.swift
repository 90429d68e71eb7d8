import CCurl
import ConvoyCore
import Glibc

/// The loop itself: libcurl's multi handle driven by epoll. Lives and dies on one thread.
final class LoopThread {
    let wakeUp: Int32
    let sockets: Sockets
    /// The moment at which the loop last woke: near enough for time limits, without asking the clock for every piece.
    private(set) var now = Clock.now

    private let poll: Int32
    private let multi: UnsafeMutableRawPointer
    /// Not owned: whoever runs this thread holds the loop for as long as it runs.
    private unowned let loop: Loop
    private let census: Census
    private var transfers: [Transfer] = []
    private var spareHandles: [EasyHandle] = []
    /// When libcurl wants to be called though no socket fires; nil for never.
    private var timer: Int64?
    /// No time limit of any transfer runs out before this moment. It is a lower bound: the true one is worked out when
    /// it is reached, so that activity, which moves limits all the time, costs nothing.
    private var earliestDeadline = Int64.max

    init(_ loop: Loop) throws {
        guard let multi = Self.newMulti() else { throw ConvoyError(.engineFailed, "libcurl could not be started") }
        self.multi = multi
        self.loop = loop
        census = loop.census
        census.change { $0.descriptors += 2 }
        poll = epoll_create1(Int32(EPOLL_CLOEXEC))
        wakeUp = eventfd(0, Int32(EFD_NONBLOCK | EFD_CLOEXEC))
        sockets = Sockets(poll: poll, census: loop.census)
        guard poll >= 0, wakeUp >= 0 else {
            throw ConvoyError(.engineFailed, "no descriptors left: \(String(cString: strerror(errno)))")
        }
        var event = epoll_event()
        event.events = EPOLLIN.rawValue
        event.data.fd = wakeUp
        epoll_ctl(poll, EPOLL_CTL_ADD, wakeUp, &event)
        let pointer = Unmanaged.passUnretained(self).toOpaque()
        _ = convoy_multi_prepare(
            multi,
            { _, descriptor, what, pointer, _ in
                if let pointer { LoopThread.from(pointer).sockets.want(descriptor, what) }
                return 0
            },
            { _, milliseconds, pointer in
                if let pointer { LoopThread.from(pointer).setTimer(milliseconds) }
                return 0
            }, pointer)
        convoy_multi_set_long(multi, CURLMOPT_MAX_HOST_CONNECTIONS, loop.connectionsPerHost)
        convoy_multi_set_long(multi, CURLMOPT_MAXCONNECTS, 256)
        convoy_multi_set_long(multi, CURLMOPT_MAX_CONCURRENT_STREAMS, 1024)
    }

    deinit {
        curl_multi_cleanup(multi)
        if poll >= 0 { close(poll) }
        if wakeUp >= 0 { close(wakeUp) }
        census.change { $0.descriptors -= 2 }
    }

    static func from(_ pointer: UnsafeMutableRawPointer) -> LoopThread {
        Unmanaged<LoopThread>.fromOpaque(pointer).takeUnretainedValue()
    }

    private static func newMulti() -> UnsafeMutableRawPointer? {
        guard isLibraryReady else { return nil }
        return curl_multi_init()
    }

    private static let isLibraryReady = curl_global_init(Int(CURL_GLOBAL_DEFAULT)) == CURLE_OK

    private func setTimer(_ milliseconds: Int) {
        timer = milliseconds < 0 ? nil : now + Int64(milliseconds) * 1_000_000
    }

    // MARK: Going round

    func run() {
        var commands: [Loop.Command] = []
        let events = UnsafeMutableBufferPointer<epoll_event>.allocate(capacity: 256)
        defer { events.deallocate() }
        while true {
            let isStopping = loop.takeCommands(into: &commands)
            now = Clock.now
            for command in commands { perform(command) }
            commands.removeAll(keepingCapacity: true)
            if isStopping { return stop() }
            runTimers()
            collectFinished()
            let count = wait(events)
            now = Clock.now
            for index in 0..<count { handle(events[index]) }
            collectFinished()
        }
    }

    private func wait(_ events: UnsafeMutableBufferPointer<epoll_event>) -> Int {
        var timeout: Int32 = 0
        if loop.fallAsleep() {
            let next = min(timer ?? .max, earliestDeadline)
            timeout = next == .max ? -1 : Int32(clamping: max(0, (next - now + 999_999) / 1_000_000))
        }
        let count = epoll_wait(poll, events.baseAddress, Int32(events.count), timeout)
        loop.wokeUp()
        return max(0, Int(count))
    }

    private func handle(_ event: epoll_event) {
        let descriptor = event.data.fd
        if descriptor == wakeUp {
            var value: eventfd_t = 0
            eventfd_read(wakeUp, &value)
            return
        }
        guard sockets.isWanted(descriptor, now: now) else { return }
        let readable = event.events & (EPOLLIN.rawValue | EPOLLHUP.rawValue | EPOLLERR.rawValue) != 0
        let writable = event.events & EPOLLOUT.rawValue != 0
        var running: Int32 = 0
        curl_multi_socket_action(
            multi, descriptor, (readable ? CURL_CSELECT_IN : 0) | (writable ? CURL_CSELECT_OUT : 0), &running)
    }

    private func runTimers() {
        var running: Int32 = 0
        // A timer action may set the timer again to "at once": but not for ever, sockets have their turn too.
        for _ in 0..<16 {
            guard let due = timer, due <= now else { break }
            timer = nil
            curl_multi_socket_action(multi, CURL_SOCKET_TIMEOUT, 0, &running)
        }
        if earliestDeadline <= now { expire() }
    }

    private func collectFinished() {
        var left: Int32 = 0
        while let message = curl_multi_info_read(multi, &left) {
            guard message.pointee.msg == CURLMSG_DONE, let easy = message.pointee.easy_handle,
                let pointer = convoy_get_private(easy)
            else { continue }
            let code = convoy_message_result(message)
            guard let transfer = EasyHandle.transfer(pointer) else { continue }
            // After a transfer that was cut short libcurl keeps some of its state in the handle, also over a reset: that
            // the next body has to be rewound, for one.
            end(transfer, sparesHandle: code == CURLE_OK && transfer.upload?.isComplete ?? true) { $0.finish(code) }
        }
    }

    // MARK: Transfers

    private func perform(_ command: Loop.Command) {
        switch command {
        case .start(let transfer): start(transfer)
        case .cancel(let transfer):
            guard transfer.index >= 0 else { return }
            end(transfer) { $0.fail(ConvoyError(.cancelled, "the call was cancelled", phase: $0.phase)) }
        case .resumeReceiving(let transfer):
            transfer.isReceivingPaused = false
            resume(transfer)
        case .resumeSending(let transfer):
            transfer.isSendingPaused = false
            resume(transfer)
        }
    }

    private func start(_ transfer: Transfer) {
        transfer.lastActivity = now
        guard !transfer.isCancelled.load(ordering: .acquiring) else {
            return transfer.fail(ConvoyError(.cancelled, "the call was cancelled"))
        }
        guard let handle = spareHandles.popLast() ?? EasyHandle(loop.census) else {
            return transfer.fail(ConvoyError(.engineFailed, "libcurl has no handle left"))
        }
        transfer.openStream()
        do { try handle.prepare(transfer, sockets: Unmanaged.passUnretained(sockets).toOpaque()) } catch {
            return transfer.fail(error as? ConvoyError ?? ConvoyError(.engineFailed, "\(error)"))
        }
        transfer.handle = handle
        transfer.thread = self
        transfer.index = transfers.count
        transfers.append(transfer)
        let code = curl_multi_add_handle(multi, handle.raw)
        guard code == CURLM_OK else {
            let text = String(cString: curl_multi_strerror(code))
            return end(transfer) { $0.fail(ConvoyError(.engineFailed, "libcurl refused the exchange: \(text)")) }
        }
        noteDeadline(transfer)
    }

    private func resume(_ transfer: Transfer) {
        guard transfer.index >= 0, let handle = transfer.handle else { return }
        transfer.lastActivity = now
        let mask = (transfer.isReceivingPaused ? CURLPAUSE_RECV : 0) | (transfer.isSendingPaused ? CURLPAUSE_SEND : 0)
        curl_easy_pause(handle.raw, mask)
        noteDeadline(transfer)
    }

    /// Takes a transfer out after its outcome was handed over, and may keep its handle for another.
    private func end(_ transfer: Transfer, sparesHandle: Bool = false, _ conclude: (Transfer) -> Void) {
        conclude(transfer)
        transfer.discardUnsent()
        guard let handle = transfer.handle, transfers.indices.contains(transfer.index) else { return }
        curl_multi_remove_handle(multi, handle.raw)
        let last = transfers.removeLast()
        if last !== transfer {
            transfers[transfer.index] = last
            last.index = transfer.index
        }
        transfer.index = -1
        transfer.handle = nil
        transfer.thread = nil
        handle.transfer = nil
        if sparesHandle, spareHandles.count < 64 { spareHandles.append(handle) }
    }

    private func stop() {
        while let transfer = transfers.last { end(transfer) { $0.fail(Loop.closed) } }
        spareHandles = []
    }

    // MARK: Time limits

    /// A transfer's time limits may have come nearer.
    func noteDeadline(_ transfer: Transfer) {
        if let moment = transfer.deadline?.moment { earliestDeadline = min(earliestDeadline, moment) }
    }

    private func expire() {
        earliestDeadline = .max
        var late: [(Transfer, ConvoyError.Code)] = []
        for transfer in transfers {
            transfer.notePartialLines(sockets)
            guard let (moment, code) = transfer.deadline else { continue }
            if moment <= now { late.append((transfer, code)) } else { earliestDeadline = min(earliestDeadline, moment) }
        }
        for (transfer, code) in late {
            end(transfer) { $0.fail(ConvoyError(code, $0.lateness(code), phase: $0.phase)) }
        }
    }
}

extension Transfer {
    /// Which limit ran out, and after how long.
    fileprivate func lateness(_ code: ConvoyError.Code) -> String {
        let timeouts = request.timeouts ?? .standard
        switch code {
        case .firstByteTimeout:
            return "no answer from \(uri.authority) within \((timeouts.firstByte ?? .zero).forPeople) of the request"
        case .idleTimeout:
            let total = head?.contentLength.map { " of \($0)" } ?? ""
            let soFar = phase == .receiving ? " after \(received)\(total) bytes of the body" : ""
            return "nothing came from or went to \(uri.authority) for \((timeouts.idle ?? .zero).forPeople)\(soFar)"
        default: return Deadline.message(timeouts.total ?? .zero)
        }
    }
}
