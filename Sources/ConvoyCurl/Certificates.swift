import CCurl
import COpenSSL
import ConvoyCore

/// What OpenSSL knows of a connection and its certificates.
enum Certificates {
    /// What the handshake of a transfer's connection negotiated; nil on a clear connection.
    static func info(_ handle: EasyHandle) -> TLSInfo? {
        guard let ssl = connection(handle) else { return nil }
        var certificates: [CertificateInfo] = []
        if let chain = SSL_get_peer_cert_chain(ssl) {
            for index in 0..<OPENSSL_sk_num(chain) {
                guard let certificate = OPENSSL_sk_value(chain, index) else { continue }
                certificates.append(describe(OpaquePointer(certificate)))
            }
        }
        // A resumed session keeps the server's own certificate only.
        if certificates.isEmpty, let own = SSL_get1_peer_certificate(ssl) {
            certificates = [describe(own)]
            X509_free(own)
        }
        return TLSInfo(
            version: String(cString: SSL_get_version(ssl)),
            cipher: SSL_CIPHER_get_name(SSL_get_current_cipher(ssl)).map { String(cString: $0) } ?? "",
            certificates: certificates)
    }

    /// The protocol that ALPN chose, such as `h2`; nil for none.
    static func negotiatedProtocol(_ handle: EasyHandle) -> String? {
        guard let ssl = connection(handle) else { return nil }
        var name: UnsafePointer<UInt8>?
        var length: UInt32 = 0
        SSL_get0_alpn_selected(ssl, &name, &length)
        guard let name, length > 0 else { return nil }
        return String(decoding: UnsafeBufferPointer(start: name, count: Int(length)), as: UTF8.self)
    }

    private static func connection(_ handle: EasyHandle) -> OpaquePointer? {
        convoy_get_ssl(handle.raw).map { OpaquePointer($0) }
    }

    private static func describe(_ certificate: OpaquePointer) -> CertificateInfo {
        var der: [UInt8] = []
        let size = i2d_X509(certificate, nil)
        if size > 0 {
            der = [UInt8](repeating: 0, count: Int(size))
            der.withUnsafeMutableBufferPointer { buffer in
                var cursor = buffer.baseAddress
                i2d_X509(certificate, &cursor)
            }
        }
        return CertificateInfo(
            subject: name(X509_get_subject_name(certificate)), issuer: name(X509_get_issuer_name(certificate)),
            notBefore: time(X509_get0_notBefore(certificate)), notAfter: time(X509_get0_notAfter(certificate)), der: der
        )
    }

    private static func name(_ name: OpaquePointer?) -> String {
        text { X509_NAME_print_ex($0, name, 0, convoy_name_flags()) }
    }

    private static func time(_ time: UnsafePointer<ASN1_TIME>?) -> String {
        var parts = tm()
        guard ASN1_TIME_to_tm(time, &parts) == 1 else { return "" }
        func two(_ number: Int32) -> String { number < 10 ? "0\(number)" : "\(number)" }
        return "\(parts.tm_year + 1900)-\(two(parts.tm_mon + 1))-\(two(parts.tm_mday))"
            + "T\(two(parts.tm_hour)):\(two(parts.tm_min)):\(two(parts.tm_sec))Z"
    }

    /// What OpenSSL prints.
    private static func text(_ print: (OpaquePointer) -> Int32) -> String {
        guard let memory = BIO_new(BIO_s_mem()) else { return "" }
        defer { BIO_free(memory) }
        guard print(memory) >= 0 else { return "" }
        var bytes = [UInt8](repeating: 0, count: 4096)
        let count = BIO_read(memory, &bytes, Int32(bytes.count))
        return count > 0 ? String(decoding: bytes.prefix(Int(count)), as: UTF8.self) : ""
    }

    /// Why the server's certificate was refused.
    static func failure(_ transfer: Transfer, host: String, detail: String) -> (ConvoyError.Code, String) {
        let result = transfer.handle.map { convoy_get_long($0.raw, CURLINFO_SSL_VERIFYRESULT) } ?? 0
        // libcurl compares the host name itself and then has no OpenSSL reason to give, only a text of its own.
        let isNamed = result != X509_V_OK && result != X509_V_ERR_UNSPECIFIED
        let reason = isNamed ? String(cString: X509_verify_cert_error_string(result)) : detail
        let text = "the certificate of \(host) is not trusted: \(reason)"
        switch Int32(truncatingIfNeeded: result) {
        case X509_V_ERR_CERT_HAS_EXPIRED, X509_V_ERR_CERT_NOT_YET_VALID: return (.certificateExpired, text)
        case X509_V_ERR_HOSTNAME_MISMATCH, X509_V_ERR_IP_ADDRESS_MISMATCH: return (.certificateHostMismatch, text)
        case X509_V_ERR_DEPTH_ZERO_SELF_SIGNED_CERT: return (.certificateSelfSigned, text)
        case X509_V_ERR_SELF_SIGNED_CERT_IN_CHAIN, X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT,
            X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT_LOCALLY, X509_V_ERR_UNABLE_TO_VERIFY_LEAF_SIGNATURE,
            X509_V_ERR_CERT_UNTRUSTED:
            return (.certificateUntrusted, text)
        case X509_V_OK, X509_V_ERR_UNSPECIFIED: return (hostCode(detail), text)
        default: return (.certificateInvalid, text)
        }
    }

    private static func hostCode(_ detail: String) -> ConvoyError.Code {
        detail.contains("subject name") || detail.contains("subjectAltName")
            ? .certificateHostMismatch : .certificateInvalid
    }
}
