/// The methods of every day, in one line each. An address in a literal encodes the values interpolated into it; one in
/// a variable is taken as encoded already. (That overload is generic since Swift would choose one for `String` also for a
/// literal, and encode nothing.)
extension Client {
    /// Sends a GET request (RFC 9110 §9.3.1).
    public func get(_ address: Address, query: Parameters = [:], headers: Headers = [:]) async throws -> Response {
        try await send(.get, address, query, headers, .none)
    }

    /// Sends a GET request (RFC 9110 §9.3.1).
    @_disfavoredOverload
    public func get(_ address: some StringProtocol, query: Parameters = [:], headers: Headers = [:]) async throws
        -> Response
    {
        try await send(.get, Address(String(address)), query, headers, .none)
    }

    /// Sends a HEAD request (RFC 9110 §9.3.2).
    public func head(_ address: Address, query: Parameters = [:], headers: Headers = [:]) async throws -> Response {
        try await send(.head, address, query, headers, .none)
    }

    /// Sends a HEAD request (RFC 9110 §9.3.2).
    @_disfavoredOverload
    public func head(_ address: some StringProtocol, query: Parameters = [:], headers: Headers = [:]) async throws
        -> Response
    {
        try await send(.head, Address(String(address)), query, headers, .none)
    }

    /// Sends a DELETE request (RFC 9110 §9.3.5).
    public func delete(_ address: Address, query: Parameters = [:], headers: Headers = [:]) async throws -> Response {
        try await send(.delete, address, query, headers, .none)
    }

    /// Sends a DELETE request (RFC 9110 §9.3.5).
    @_disfavoredOverload
    public func delete(_ address: some StringProtocol, query: Parameters = [:], headers: Headers = [:]) async throws
        -> Response
    {
        try await send(.delete, Address(String(address)), query, headers, .none)
    }

    /// Sends a POST request (RFC 9110 §9.3.3).
    public func post(
        _ address: Address, body: Body = .none, query: Parameters = [:], headers: Headers = [:]
    ) async throws -> Response {
        try await send(.post, address, query, headers, body)
    }

    /// Sends a POST request (RFC 9110 §9.3.3).
    @_disfavoredOverload
    public func post(
        _ address: some StringProtocol, body: Body = .none, query: Parameters = [:], headers: Headers = [:]
    ) async throws -> Response {
        try await send(.post, Address(String(address)), query, headers, body)
    }

    /// Sends a PUT request (RFC 9110 §9.3.4).
    public func put(
        _ address: Address, body: Body = .none, query: Parameters = [:], headers: Headers = [:]
    ) async throws -> Response {
        try await send(.put, address, query, headers, body)
    }

    /// Sends a PUT request (RFC 9110 §9.3.4).
    @_disfavoredOverload
    public func put(
        _ address: some StringProtocol, body: Body = .none, query: Parameters = [:], headers: Headers = [:]
    ) async throws -> Response {
        try await send(.put, Address(String(address)), query, headers, body)
    }

    /// Sends a PATCH request (RFC 5789).
    public func patch(
        _ address: Address, body: Body = .none, query: Parameters = [:], headers: Headers = [:]
    ) async throws -> Response {
        try await send(.patch, address, query, headers, body)
    }

    /// Sends a PATCH request (RFC 5789).
    @_disfavoredOverload
    public func patch(
        _ address: some StringProtocol, body: Body = .none, query: Parameters = [:], headers: Headers = [:]
    ) async throws -> Response {
        try await send(.patch, Address(String(address)), query, headers, body)
    }

    private func send(
        _ method: Method, _ address: Address, _ query: Parameters, _ headers: Headers, _ body: Body
    ) async throws -> Response {
        var request = Request(method, address)
        request.query = query
        request.headers = headers
        request.body = body
        return try await send(request)
    }
}
