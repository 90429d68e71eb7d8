import CCurl
import ConvoyCore
import FoundationEssentials
import Synchronization

/// One exchange while it is under way.
///
/// Sendable for this reason, which the compiler cannot see: it is handed to the loop once, through its mailbox, and from
/// then on its mutable state is touched on the loop's thread only, but for two things. `isCancelled` is atomic. And once
/// `isHandedOver` is set, `answer` and `memory` are the caller's alone, and `head` does not change any more.
final class Transfer: @unchecked Sendable {
    let request: Request
    let uri: URI
    let smallBody: Data?
    let isCancelled = Atomic(false)

    /// Taken when the response, or its header for a stream, or the failure is handed over: exactly once.
    var continuation: CheckedContinuation<Void, any Error>?
    /// Set when the answer is handed over: what the loop's thread wrote before is seen by whoever finds it set.
    let isHandedOver = Atomic(false)
    /// What is handed over: from then on the loop's thread does not touch it, the header or the body in memory.
    var answer: Answer?
    /// The body in memory. Made with the transfer: memory that the thread which took it gives back costs least.
    let memory = ByteBuffer()
    var upload: Upload?
    var handle: EasyHandle?
    /// The place in the loop's list of transfers.
    var index = -1
    let loop: Loop
    /// The loop's thread while the transfer is under way.
    var thread: LoopThread?
    private let census: Census
    /// The time limits in nanoseconds.
    private let idle: Int64?
    private let firstByte: Int64?

    var phase = ConvoyError.Phase.connecting
    /// How often the request was about to be sent: a second time is refused, since repeating is the client's decision.
    var beginnings = 0
    var sentAt: Int64 = 0
    var lastActivity: Int64 = 0
    /// The sockets that were opened for it; one of them became the connection, if it did not reuse one.
    var opened: [Int32] = []
    var connection: Connection?
    /// Whether the connection had served an earlier exchange.
    var isReused = false
    /// Whether it failed only because the connection that was reused is of another protocol version.
    var needsFreshConnection = false
    /// Why one of the callbacks ended the transfer; goes before libcurl's own code.
    var failure: ConvoyError?

    var head: ResponseHead?
    var sink = Sink.none
    var received: Int64 = 0
    var isReceivingPaused = false
    var isSendingPaused = false
    var lastReport: Int64 = 0

    /// What is known of an answer beside its header.
    struct Answer {
        /// The body; nil for the one in memory.
        let body: Body?
        let trailers: Headers
        let metrics: Metrics
    }

    /// Where the body goes.
    enum Sink {
        case none
        case memory(ByteBuffer)
        case stream(BodyChannel)
        case file(FileSink)
    }

    /// Keeps the transport while the exchange is under way: a body may be read after its client was dropped.
    private let owner: AnyObject?

    init(_ request: Request, uri: URI, loop: Loop, owner: AnyObject? = nil) throws {
        self.owner = owner
        self.request = request
        self.uri = uri
        self.loop = loop
        census = loop.census
        idle = request.timeouts?.idle?.nanoseconds
        firstByte = request.timeouts?.firstByte?.nanoseconds
        var small: Data?
        switch request.body.storage {
        case .none:
            if request.method.expectsContent { small = Data() }
        case .bytes(let data):
            if data.count <= 64 << 10 { small = data } else { upload = Upload(bytes: data) }
        case .file(let path): upload = Upload(file: try FileReader(path: path))
        case .stream, .value: break
        }
        smallBody = small
        loop.census.change { $0.exchanges += 1 }
        if let small { upload = Upload(bytes: small) }
    }

    deinit { census.change { $0.exchanges -= 1 } }

    /// Starts to read a body that is a stream: when the loop takes the transfer, so that nothing is read in vain.
    func openStream() {
        guard case .stream(let stream) = request.body.storage else { return }
        let loop = loop
        upload = Upload(stream: request.body, length: stream.length, census: census) { [weak self] in
            if let self { loop.post(.resumeSending(self)) }
        }
    }

    /// The moment at which a time limit runs out if nothing happens before; nil for none.
    var deadline: (moment: Int64, code: ConvoyError.Code)? {
        var earliest: (moment: Int64, code: ConvoyError.Code)?
        func consider(_ limit: Int64?, from start: Int64, _ code: ConvoyError.Code) {
            guard let limit else { return }
            let moment = start + limit
            if moment < earliest?.moment ?? .max { earliest = (moment, code) }
        }
        if let total = request.deadline {
            consider(ContinuousClock.now.duration(to: total).nanoseconds, from: Clock.now, .totalTimeout)
        }
        switch phase {
        case .sending where upload?.isWaiting != true, .receiving where !isReceivingPaused:
            consider(idle, from: lastActivity, .idleTimeout)
        case .waiting:
            consider(idle, from: lastActivity, .idleTimeout)
            consider(firstByte, from: sentAt, .firstByteTimeout)
        default: break
        }
        return earliest
    }

    /// libcurl tells of a header line when it is complete; that bytes of one come is seen on the socket only. Of HTTP/2 it
    /// is not, since others use the socket too, but there a header comes as a whole.
    func notePartialLines(_ sockets: Sockets) {
        guard let connection, !connection.isHTTP2, phase == .waiting || phase == .receiving else { return }
        let event = sockets.lastEvent(connection.descriptor)
        guard event > lastActivity else { return }
        lastActivity = event
        phase = .receiving
    }

    /// Tells whoever asked how far it has come: at most ten times a second, and at the end.
    func reportProgress(now: Int64, isLast: Bool = false) {
        guard let progress = request.progress, isLast || now - lastReport >= 100_000_000 else { return }
        lastReport = now
        progress.report(
            Progress(
                sent: upload?.sent ?? 0, sendTotal: upload?.length ?? (upload == nil ? 0 : nil), received: received,
                receiveTotal: head?.contentLength))
    }
}
