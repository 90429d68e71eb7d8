import COpenSSL
import ConvoyCore

/// The certificate and rules of a server's TLS: version 1.2 or later, `http/1.1` by ALPN (RFC 7301).
///
/// Unchecked, since OpenSSL's contexts are set up once here and then only read, with a count of users of their own.
final class TLSContext: @unchecked Sendable {
    private let context: OpaquePointer

    init(_ configuration: Server.TLS) throws {
        guard let context = SSL_CTX_new(TLS_server_method()) else {
            throw ConvoyError.cannotListen("no TLS context: \(TLSContext.reason())")
        }
        self.context = context
        // The macros of openssl/ssl.h, written out since Swift does not see them.
        SSL_CTX_ctrl(context, SSL_CTRL_SET_MIN_PROTO_VERSION, Int(TLS1_2_VERSION), nil)
        let modes = Int(SSL_MODE_ENABLE_PARTIAL_WRITE) | Int(SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER)
        SSL_CTX_ctrl(context, SSL_CTRL_MODE, modes, nil)
        SSL_CTX_set_alpn_select_cb(context, selectProtocol, nil)
        guard SSL_CTX_use_certificate_chain_file(context, configuration.certificateFile) == 1 else {
            throw ConvoyError.cannotListen(
                "the certificate file \(configuration.certificateFile.quotedForMessage): \(TLSContext.reason())")
        }
        guard SSL_CTX_use_PrivateKey_file(context, configuration.keyFile, SSL_FILETYPE_PEM) == 1,
            SSL_CTX_check_private_key(context) == 1
        else {
            throw ConvoyError.cannotListen(
                "the key file \(configuration.keyFile.quotedForMessage): \(TLSContext.reason())")
        }
    }

    deinit { SSL_CTX_free(context) }

    /// A session on a connected socket, not yet shaken hands.
    func makeSession(_ descriptor: Int32) throws -> TLSSession {
        guard let session = SSL_new(context), SSL_set_fd(session, descriptor) == 1 else {
            throw ConvoyError(.tlsFailed, "no TLS session: \(TLSContext.reason())")
        }
        SSL_set_accept_state(session)
        return TLSSession(session)
    }

    /// What OpenSSL's queue of errors says, in words; it is empty afterwards.
    static func reason() -> String {
        let code = ERR_get_error()
        ERR_clear_error()
        guard code != 0 else { return "unknown reason" }
        var text = [CChar](repeating: 0, count: 256)
        ERR_error_string_n(code, &text, text.count)
        return String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}

/// Takes `http/1.1` from the protocols the client offers; one that offers only others is refused, as RFC 7301 §3.2 says.
private func selectProtocol(
    _: OpaquePointer?, _ chosen: UnsafeMutablePointer<UnsafePointer<UInt8>?>?, _ length: UnsafeMutablePointer<UInt8>?,
    _ offered: UnsafePointer<UInt8>?, _ count: UInt32, _: UnsafeMutableRawPointer?
) -> Int32 {
    guard let chosen, let length, let offered else { return SSL_TLSEXT_ERR_NOACK }
    let list = UnsafeBufferPointer(start: offered, count: Int(count))
    var index = 0
    while index < list.count {
        let end = index + 1 + Int(list[index])
        guard end <= list.count else { break }
        if list[(index + 1)..<end].elementsEqual("http/1.1".utf8) {
            chosen.pointee = offered + index + 1
            length.pointee = list[index]
            return SSL_TLSEXT_ERR_OK
        }
        index = end
    }
    return SSL_TLSEXT_ERR_ALERT_FATAL
}

/// The TLS session of one connection, on a socket that does not block.
final class TLSSession {
    private let session: OpaquePointer

    fileprivate init(_ session: OpaquePointer) { self.session = session }

    deinit { SSL_free(session) }

    /// How a step went.
    enum Outcome {
        /// Done, with the number of bytes.
        case done(Int)
        /// To be tried again when the socket has something to read.
        case needsReading
        /// To be tried again when the socket takes more.
        case needsWriting
        /// The peer ended the session, orderly or not.
        case ended
        /// The peer does not speak TLS as this server does.
        case failed(String)
    }

    func handshake() -> Outcome { step { SSL_accept(session) } }

    func read(_ buffer: UnsafeMutableRawBufferPointer) -> Outcome {
        step { SSL_read(session, buffer.baseAddress, Int32(clamping: buffer.count)) }
    }

    func write(_ bytes: UnsafeRawBufferPointer) -> Outcome {
        step { SSL_write(session, bytes.baseAddress, Int32(clamping: bytes.count)) }
    }

    /// Tells the peer that nothing more comes.
    func endSending() {
        ERR_clear_error()
        _ = SSL_shutdown(session)
        ERR_clear_error()
    }

    private func step(_ work: () -> Int32) -> Outcome {
        ERR_clear_error()
        let count = work()
        if count > 0 { return .done(Int(count)) }
        switch SSL_get_error(session, count) {
        case SSL_ERROR_WANT_READ: return .needsReading
        case SSL_ERROR_WANT_WRITE: return .needsWriting
        case SSL_ERROR_ZERO_RETURN, SSL_ERROR_SYSCALL: return .ended
        default:
            let reason = TLSContext.reason()
            return reason.contains("unexpected eof") ? .ended : .failed(reason)
        }
    }
}
