@_exported import ConvoyCore

#if canImport(ConvoyCurl)
    import ConvoyCurl

    extension Client {
        /// The client for programs that need only one: no base URL, the documented defaults. Change it with `update`.
        public static let shared = Client()

        /// A client over the platform's engine, with connections of its own.
        ///
        /// ```swift
        /// let client = Client(baseURL: "https://api.example.com/v1") { $0.headers["Accept-Language"] = "en" }
        /// ```
        public convenience init(baseURL: String? = nil, configure: (inout Configuration) -> Void = { _ in }) {
            self.init(baseURL: baseURL, transport: CurlTransport(), configure: configure)
        }

        /// Sends one request over connections of its own, which are closed when the call has ended.
        public static func once(
            _ request: Request, configure: (inout Configuration) -> Void = { _ in }
        ) async throws -> Response {
            try await once(request, transport: CurlTransport(), configure: configure)
        }
    }
#endif
