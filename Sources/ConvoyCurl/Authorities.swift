import CCurl
import ConvoyCore
import Glibc

/// Where the trusted authorities are read from.
struct Authorities {
    var file: String?
    var directory: String?

    static func of(_ trust: Network.Trust) -> Authorities {
        switch trust {
        case .system: system
        case .systemAnd(let file): Authorities(file: file, directory: system.directory)
        case .only(let file): Authorities(file: file, directory: nil)
        }
    }

    func apply(to handle: EasyHandle) {
        handle.set(CURLOPT_CAINFO, file)
        handle.set(CURLOPT_CAPATH, directory)
    }

    /// What the environment names, as OpenSSL and the curl tool read it; else the hashed directory, in which OpenSSL
    /// looks up just the authority it needs (reading the whole bundle takes 40 ms); else the bundle.
    private static let system: Authorities = {
        let file = variable("SSL_CERT_FILE")
        let directory = variable("SSL_CERT_DIR")
        if file != nil || directory != nil { return Authorities(file: file, directory: directory) }
        if let hashed = directories.first(where: isHashed) { return Authorities(file: nil, directory: hashed) }
        return Authorities(file: bundles.first { access($0, R_OK) == 0 }, directory: nil)
    }()

    private static let directories = ["/etc/ssl/certs", "/etc/pki/tls/certs"]
    private static let bundles = [
        "/etc/ssl/certs/ca-certificates.crt", "/etc/pki/tls/certs/ca-bundle.crt", "/etc/ssl/ca-bundle.pem",
        "/etc/ssl/cert.pem",
    ]

    private static func variable(_ name: String) -> String? {
        guard let value = getenv(name).map({ String(cString: $0) }), !value.isEmpty else { return nil }
        return value
    }

    /// Whether the directory holds links named by the hash of a subject: `5f618aec.0`.
    private static func isHashed(_ path: String) -> Bool {
        guard let directory = opendir(path) else { return false }
        defer { closedir(directory) }
        while let entry = readdir(directory) {
            let name = withUnsafeBytes(of: entry.pointee.d_name) { bytes in
                String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            if name.hasSuffix(".0"), name.utf8.count == 10, name.utf8.dropLast(2).allSatisfy({ $0.hexValue != nil }) {
                return true
            }
        }
        return false
    }
}
