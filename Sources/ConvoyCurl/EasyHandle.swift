import CCurl
import ConvoyCore
import FoundationEssentials
import Glibc

/// One of libcurl's easy handles, used for one transfer after another.
final class EasyHandle {
    let raw: UnsafeMutableRawPointer
    /// The transfer that it is used for.
    var transfer: Transfer?
    /// Reads the header; here, so that its memory serves one transfer after another.
    var reader = HeadReader()
    private let errorBuffer: UnsafeMutablePointer<CChar>
    private var headers: HeaderList?
    /// What `headers` was made of, if nothing but a request's fields; nil if it must be made anew.
    private var knownFields: Headers?
    private let census: Census
    /// What it was last set up for; nil if that must not be built upon.
    private var setup: Setup?

    /// All that is set up beside the address and the header.
    private struct Setup: Equatable {
        let network: Network?
        let connect: Duration?
        let isSecure: Bool
    }

    init?(_ census: Census) {
        guard let raw = curl_easy_init() else { return nil }
        self.census = census
        census.change { $0.handles += 1 }
        self.raw = raw
        errorBuffer = .allocate(capacity: Int(CURL_ERROR_SIZE))
        errorBuffer.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))
    }

    deinit {
        curl_easy_cleanup(raw)
        census.change { $0.handles -= 1 }
        errorBuffer.deallocate()
    }

    /// The transfer of the handle that a callback was given: the loop's list keeps both alive.
    static func transfer(_ pointer: UnsafeMutableRawPointer) -> Transfer? {
        Unmanaged<EasyHandle>.fromOpaque(pointer).takeUnretainedValue().transfer
    }

    /// What libcurl says about the last failure; empty if nothing.
    var errorText: String { String(cString: errorBuffer) }

    /// Sets everything up for a transfer. Throws `.unsupported` for an option that this libcurl lacks.
    func prepare(_ transfer: Transfer, sockets: UnsafeMutableRawPointer) throws {
        self.transfer = transfer
        errorBuffer[0] = 0
        reader.reset()
        let request = transfer.request
        let setup = Setup(
            network: request.network, connect: request.timeouts?.connect, isSecure: transfer.uri.isSecure)
        // Where a GET follows one that was set up alike, address and header are all that differs.
        let isPlain = request.method == .get && transfer.upload == nil && request.delivery == .memory
        if !isPlain || setup != self.setup {
            self.setup = nil
            knownFields = nil
            try prepareAnew(transfer, sockets: sockets)
        }
        set(CURLOPT_URL, transfer.uri.wireText)
        try setHeader(transfer)
        self.setup = isPlain ? setup : nil
    }

    private func prepareAnew(_ transfer: Transfer, sockets: UnsafeMutableRawPointer) throws {
        let request = transfer.request
        curl_easy_reset(raw)
        var calls = TransferCallbacks.table
        let pointer = Unmanaged.passUnretained(self).toOpaque()
        try check(convoy_prepare(raw, &calls, pointer, sockets, errorBuffer), "the basic settings")
        let connect = request.timeouts?.connect.map { max(1, Int($0.nanoseconds / 1_000_000)) }
        set(CURLOPT_CONNECTTIMEOUT_MS, connect ?? Int(Int32.max))
        try setNetwork(request.network ?? Network(), isSecure: transfer.uri.isSecure)
        try setMethodAndBody(transfer)
        if case .file = request.delivery { set(CURLOPT_BUFFERSIZE, 512 << 10) }
    }

    private func setMethodAndBody(_ transfer: Transfer) throws {
        let method = transfer.request.method
        if let upload = transfer.upload {
            set(CURLOPT_POST, 1)
            set(CURLOPT_POSTFIELDSIZE_LARGE, offset: upload.length ?? -1)
            if let small = transfer.smallBody {
                // In one piece with the header: one system call for the whole request.
                let code = small.withUnsafeBytes { bytes in
                    // An empty body needs a pointer, too.
                    let base = bytes.baseAddress ?? UnsafeRawPointer(errorBuffer)
                    return convoy_set_pointer(raw, CURLOPT_COPYPOSTFIELDS, UnsafeMutableRawPointer(mutating: base))
                }
                try check(code, "the body")
            } else {
                set(CURLOPT_UPLOAD_BUFFERSIZE, (upload.length ?? 0) > 1 << 20 ? 1 << 20 : 64 << 10)
            }
            if method != .post { set(CURLOPT_CUSTOMREQUEST, method.rawValue) }
        } else if method == .head {
            set(CURLOPT_NOBODY, 1)
        } else if method != .get {
            set(CURLOPT_CUSTOMREQUEST, method.rawValue)
        }
    }

    /// The header fields, and words to libcurl that it should add none of its own.
    private func setHeader(_ transfer: Transfer) throws {
        let fields = transfer.request.headers
        // Requests that were completed alike share one header.
        if knownFields?.isIdentical(to: fields) ?? false { return }
        var additions: [StaticString] = []
        if let upload = transfer.upload {
            if !fields.contains(.expect) { additions.append("Expect:") }
            if !fields.contains(.contentType) { additions.append("Content-Type:") }
            if upload.length == nil { additions.append("Transfer-Encoding: chunked") }
        }
        guard let list = HeaderList(fields, additions) else {
            throw ConvoyError(.engineFailed, "no memory for the header")
        }
        convoy_set_pointer(raw, CURLOPT_HTTPHEADER, list.head)
        headers = list
        knownFields = transfer.upload == nil ? fields : nil
    }

    private func setNetwork(_ network: Network, isSecure: Bool) throws {
        switch network.versions {
        case .http1: set(CURLOPT_HTTP_VERSION, Int(CURL_HTTP_VERSION_1_1))
        case .http2:
            let version = isSecure ? CURL_HTTP_VERSION_2TLS : CURL_HTTP_VERSION_2_PRIOR_KNOWLEDGE
            set(CURLOPT_HTTP_VERSION, Int(version))
        default: set(CURLOPT_HTTP_VERSION, Int(CURL_HTTP_VERSION_2TLS))
        }
        if isSecure {
            // Wait for a connection that may turn out to be HTTP/2 and carry this exchange as well.
            set(CURLOPT_PIPEWAIT, network.versions == .http1 ? 0 : 1)
            Authorities.of(network.trust).apply(to: self)
        }
        if let path = network.unixSocket {
            guard path.utf8.count < 108 else {
                throw ConvoyError(
                    .invalidRequest, "the socket's path is longer than 107 bytes: \(path.quotedForMessage)")
            }
            try check(convoy_set_text(raw, CURLOPT_UNIX_SOCKET_PATH, path), "a Unix domain socket")
            set(CURLOPT_PROXY, "")
        } else {
            switch network.proxy {
            case .environment: break
            case .none: set(CURLOPT_PROXY, "")
            case .url(let proxy, let bypass):
                try check(convoy_set_text(raw, CURLOPT_PROXY, proxy), "the proxy")
                set(CURLOPT_NOPROXY, bypass.joined(separator: ","))
            }
        }
        if network.usesFreshConnection { set(CURLOPT_FRESH_CONNECT, 1) }
        if let interface = network.interface { set(CURLOPT_INTERFACE, interface) }
    }

    func set(_ option: CURLoption, _ value: Int) { convoy_set_long(raw, option, value) }
    func set(_ option: CURLoption, offset value: Int64) { convoy_set_offset(raw, option, value) }
    func set(_ option: CURLoption, _ value: String?) { convoy_set_text(raw, option, value) }

    private func check(_ code: CURLcode, _ what: String) throws {
        guard code != CURLE_OK else { return }
        throw ConvoyError(
            .unsupported, "this libcurl does not take \(what): \(String(cString: curl_easy_strerror(code)))")
    }
}
