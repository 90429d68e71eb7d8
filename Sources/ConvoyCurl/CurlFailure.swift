import CCurl
import ConvoyCore
import Glibc

/// What libcurl's result codes mean. Every code has an answer: one without a name of its own becomes `.engineFailed`.
enum CurlFailure {
    static func error(_ code: CURLcode, _ transfer: Transfer) -> ConvoyError {
        let host = transfer.uri.authority
        let detail = detail(code, transfer.handle)
        let (name, message) = meaning(code, transfer, host: host, detail: detail)
        return ConvoyError(name, message, phase: transfer.phase)
    }

    private static func detail(_ code: CURLcode, _ handle: EasyHandle?) -> String {
        let text = handle?.errorText ?? ""
        return text.isEmpty ? String(cString: curl_easy_strerror(code)) : text
    }

    private static func meaning(
        _ code: CURLcode, _ transfer: Transfer, host: String, detail: String
    ) -> (ConvoyError.Code, String) {
        if transfer.beginnings > 0, transfer.phase != .receiving, isRepetition(code) {
            return (.connectionLost, "the connection to \(host), in use before, was closed before an answer came")
        }
        switch code {
        case CURLE_COULDNT_RESOLVE_HOST:
            return (.hostNotFound, "the host \(transfer.uri.host) was not found: \(detail)")
        case CURLE_COULDNT_CONNECT:
            return (.cannotConnect, "cannot connect to \(host): \(systemReason(transfer) ?? detail)")
        case CURLE_INTERFACE_FAILED: return (.cannotConnect, "cannot connect from that interface: \(detail)")
        case CURLE_COULDNT_RESOLVE_PROXY, CURLE_PROXY: return (.proxyFailed, "the proxy failed: \(detail)")
        case CURLE_OPERATION_TIMEDOUT:
            let limit = transfer.request.timeouts?.connect?.forPeople ?? "a while"
            return (.connectTimeout, "no connection to \(host) after \(limit)")
        case CURLE_GOT_NOTHING, CURLE_SEND_ERROR, CURLE_RECV_ERROR, CURLE_HTTP2, CURLE_HTTP2_STREAM, CURLE_HTTP3:
            return broken(code, transfer, host: host, detail: detail)
        case CURLE_PARTIAL_FILE: return incomplete(transfer)
        case CURLE_WEIRD_SERVER_REPLY, CURLE_UNSUPPORTED_PROTOCOL, CURLE_BAD_CONTENT_ENCODING:
            return (.invalidResponse, "the answer of \(host) is not valid HTTP: \(detail)")
        case CURLE_OUT_OF_MEMORY where transfer.phase != .connecting && transfer.head == nil:
            // libcurl's own limit on one header line, of about 100 kB, is reported as this.
            return (.responseHeaderTooLarge, "a header line in the answer of \(host) is too large")
        case CURLE_URL_MALFORMAT: return (.invalidURL, "\(transfer.uri) is refused by libcurl: \(detail)")
        case CURLE_PEER_FAILED_VERIFICATION: return Certificates.failure(transfer, host: host, detail: detail)
        case CURLE_SSL_CONNECT_ERROR, CURLE_SSL_CIPHER, CURLE_SSL_ENGINE_NOTFOUND, CURLE_SSL_ENGINE_SETFAILED,
            CURLE_SSL_CERTPROBLEM, CURLE_SSL_CACERT_BADFILE, CURLE_SSL_CRL_BADFILE, CURLE_SSL_ISSUER_ERROR,
            CURLE_SSL_ENGINE_INITFAILED, CURLE_SSL_INVALIDCERTSTATUS, CURLE_SSL_SHUTDOWN_FAILED,
            CURLE_USE_SSL_FAILED, CURLE_SSL_CLIENTCERT:
            return (.tlsFailed, "the TLS handshake with \(host) failed: \(detail)")
        default: return (.engineFailed, "libcurl failed with code \(code.rawValue): \(detail)")
        }
    }

    /// Whether the code is what becomes of libcurl's attempt to repeat a request by itself, which is refused: no second
    /// connection, no second beginning, no second reading of the body.
    private static func isRepetition(_ code: CURLcode) -> Bool {
        [CURLE_COULDNT_CONNECT, CURLE_ABORTED_BY_CALLBACK, CURLE_SEND_FAIL_REWIND].contains(code)
    }

    private static func broken(
        _ code: CURLcode, _ transfer: Transfer, host: String, detail: String
    ) -> (ConvoyError.Code, String) {
        if transfer.phase == .connecting { return (.cannotConnect, "cannot connect to \(host): \(detail)") }
        if code == CURLE_RECV_ERROR, detail.contains("chunk") {
            return (.invalidResponse, "the answer of \(host) is not valid HTTP: \(detail)")
        }
        let when =
            switch transfer.phase {
            case .sending: "while the request was being sent"
            case .waiting: "before an answer came"
            default: "while the answer was coming in"
            }
        return (.connectionLost, "the connection to \(host) was lost \(when): \(systemReason(transfer) ?? detail)")
    }

    private static func incomplete(_ transfer: Transfer) -> (ConvoyError.Code, String) {
        let total = transfer.head?.contentLength.map { " of \($0)" } ?? ""
        return (.incompleteBody, "the answer ended after \(transfer.received)\(total) bytes of its body")
    }

    /// The system's own reason for a failed connection, such as "Connection refused".
    private static func systemReason(_ transfer: Transfer) -> String? {
        guard let raw = transfer.handle?.raw else { return nil }
        let number = convoy_get_long(raw, CURLINFO_OS_ERRNO)
        return number == 0 ? nil : String(cString: strerror(Int32(truncatingIfNeeded: number)))
    }
}
