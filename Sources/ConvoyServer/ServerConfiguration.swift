extension Server {
    /// Where a server listens and what it puts up with.
    public struct Configuration: Sendable, Hashable {
        /// The address or name of this machine to listen on: `127.0.0.1`, `::1`, `localhost`, `0.0.0.0` for every
        /// network. Default: `127.0.0.1`, which no other machine can reach.
        public var host = "127.0.0.1"
        /// The TCP port. Default: 0, a free one.
        public var port = 0
        /// The path of a Unix domain socket to listen on instead; it is removed at the stop. Default: none.
        public var unixPath: String?
        /// The certificate to speak TLS with. Default: none, plain HTTP.
        public var tls: TLS?
        /// The most connections at one time; further ones wait in the system's queue. Default: 256.
        public var maximumConnections = 256
        /// The most bytes of a request line and header fields, and of trailers: beyond, 414 or 431. Default: 64 KiB.
        public var headLimit = 65536
        /// The most bytes of a body that is read into memory: beyond, 413. Default: 64 MiB.
        public var bodyLimit = 64 << 20
        /// How long a connection may wait for its next request, and an exchange for the next move of the peer. Default:
        /// 60 seconds.
        public var idleTimeout: Duration = .seconds(60)
        /// The name of the server's threads, as tools of the system show it; at most 15 bytes. Default: `convoy-server`.
        public var name = "convoy-server"

        /// Loopback, a free port, no TLS.
        public init() {}

        /// Loopback, a free port, and what the closure sets.
        public init(_ configure: (inout Configuration) -> Void) { configure(&self) }
    }

    /// A certificate with its key, in files.
    public struct TLS: Sendable, Hashable {
        /// The path of a PEM file with the certificate and the intermediate ones, in order.
        public var certificateFile: String
        /// The path of a PEM file with the private key, not encrypted.
        public var keyFile: String

        /// A certificate chain and its key, in PEM files.
        public init(certificateFile: String, keyFile: String) {
            self.certificateFile = certificateFile
            self.keyFile = keyFile
        }
    }
}
