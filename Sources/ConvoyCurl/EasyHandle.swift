import CCurl
import ConvoyCore
import FoundationEssentials
import Glibc

/// One of libcurl's easy handles, used for one transfer after another.
final class EasyHandle {
    let raw: UnsafeMutableRawPointer
    private let errorBuffer: UnsafeMutablePointer<CChar>
    private var headers: HeaderList?
    private let census: Census

    init?(_ census: Census) {
        guard let raw = curl_easy_init() else { return nil }
        self.census = census
        census.add(1, .handle)
        self.raw = raw
        errorBuffer = .allocate(capacity: Int(CURL_ERROR_SIZE))
        errorBuffer.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))
    }

    deinit {
        curl_easy_cleanup(raw)
        census.add(-1, .handle)
        errorBuffer.deallocate()
    }

    /// What libcurl says about the last failure; empty if nothing.
    var errorText: String { String(cString: errorBuffer) }

    /// Sets everything up for a transfer. Throws `.unsupported` for an option that this libcurl lacks.
    func prepare(_ transfer: Transfer, sockets: UnsafeMutableRawPointer) throws {
        curl_easy_reset(raw)
        errorBuffer[0] = 0
        var calls = TransferCallbacks.table
        try check(convoy_prepare(raw, &calls, transfer.pointer, sockets, errorBuffer), "the basic settings")
        let request = transfer.request
        set(CURLOPT_URL, transfer.uri.wireText)
        if let connect = request.timeouts?.connect {
            set(CURLOPT_CONNECTTIMEOUT_MS, max(1, Int(connect.nanoseconds / 1_000_000)))
        } else {
            set(CURLOPT_CONNECTTIMEOUT_MS, Int(Int32.max))
        }
        try setNetwork(request.network ?? Network(), isSecure: transfer.uri.isSecure)
        try setMethodAndBody(transfer)
        if case .file = request.delivery { set(CURLOPT_BUFFERSIZE, 512 << 10) }
    }

    private func setMethodAndBody(_ transfer: Transfer) throws {
        let request = transfer.request
        var lines = request.headers.fields.map(HeaderList.line)
        if !request.headers.contains(.expect) { lines.append(Array("Expect:".utf8)) }
        if let upload = transfer.upload {
            set(CURLOPT_POST, 1)
            if !request.headers.contains(.contentType) { lines.append(Array("Content-Type:".utf8)) }
            set(CURLOPT_POSTFIELDSIZE_LARGE, offset: upload.length ?? -1)
            if let small = transfer.smallBody {
                // In one piece with the header: one system call for the whole request.
                let code = small.withUnsafeBytes {
                    convoy_set_pointer(
                        raw, CURLOPT_COPYPOSTFIELDS, .init(mutating: $0.baseAddress ?? UnsafeRawPointer(errorBuffer)))
                }
                try check(code, "the body")
            } else if upload.length == nil {
                lines.append(Array("Transfer-Encoding: chunked".utf8))
                set(CURLOPT_UPLOAD_BUFFERSIZE, 64 << 10)
            } else {
                set(CURLOPT_UPLOAD_BUFFERSIZE, (upload.length ?? 0) > 1 << 20 ? 1 << 20 : 64 << 10)
            }
            if request.method != .post { set(CURLOPT_CUSTOMREQUEST, request.method.rawValue) }
        } else if request.method == .head {
            set(CURLOPT_NOBODY, 1)
        } else if request.method != .get {
            set(CURLOPT_CUSTOMREQUEST, request.method.rawValue)
        }
        guard let list = HeaderList(lines) else { throw ConvoyError(.engineFailed, "no memory for the header") }
        headers = list
        convoy_set_pointer(raw, CURLOPT_HTTPHEADER, list.head)
    }

    private func setNetwork(_ network: Network, isSecure: Bool) throws {
        switch network.versions {
        case .http1: set(CURLOPT_HTTP_VERSION, Int(CURL_HTTP_VERSION_1_1))
        case .http2:
            set(CURLOPT_HTTP_VERSION, Int(isSecure ? CURL_HTTP_VERSION_2TLS : CURL_HTTP_VERSION_2_PRIOR_KNOWLEDGE))
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
