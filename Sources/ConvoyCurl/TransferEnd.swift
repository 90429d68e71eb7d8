import CCurl
import ConvoyCore
import Glibc

/// How a transfer ends, and what is known of it then.
extension Transfer {
    /// Hands over the outcome, whichever it is, and closes what was open. Called once.
    func finish(_ code: CURLcode) {
        if code == CURLE_OK, failure == nil { succeed() } else { fail(failure ?? CurlFailure.error(code, self)) }
    }

    private func succeed() {
        guard let head else { return fail(ResponseHead.invalid("it has no header")) }
        reportProgress(now: lastActivity, isLast: true)
        upload?.close()
        switch sink {
        case .memory, .none: hand(over: nil)
        case .stream(let channel): channel.finish(.success(()))
        case .file(let file):
            do {
                try file.finish()
                guard case .file(let path) = request.delivery else { return }
                hand(over: .file(path, contentType: head.headers[.contentType]))
            } catch { fail(error as? ConvoyError ?? ConvoyError(.engineFailed, "\(error)", phase: .receiving)) }
        }
        sink = .none
    }

    /// Hands the answer over to the caller's task, with this body or the one in memory.
    func hand(over body: Body?) {
        answer = Answer(body: body, trailers: handle?.reader.fields ?? Headers(), metrics: metrics())
        isHandedOver.store(true, ordering: .releasing)
        continuation?.resume()
        continuation = nil
    }

    /// The response, made in the caller's task after the answer was handed over, so that the loop goes on meanwhile.
    @inline(never)  // its temporary values would take room in the task of every call that is under way
    func decodedResponse() throws -> Response { try ContentDecoding.decoded(response(), request) }

    private func response() throws -> Response {
        guard isHandedOver.load(ordering: .acquiring), let head, let answer
        else { throw ResponseHead.invalid("it has no header") }
        // A streamed body ends the exchange when nobody holds it any more: nor must the exchange itself.
        self.answer = nil
        let body = answer.body ?? .bytes(memory.takeData(), contentType: head.headers[.contentType])
        var response = Response(
            status: head.status, reason: head.reason, headers: head.headers, body: body, version: head.version,
            uri: uri, metrics: answer.metrics)
        response.trailers = answer.trailers
        return response
    }

    /// Ends the transfer with an error.
    func fail(_ failure: ConvoyError) {
        upload?.close()
        var error = failure
        if error.phase == .preparing { error.phase = phase }
        error.metrics = metrics()
        error.request = request
        if case .stream(let channel) = sink { channel.finish(.failure(error)) }
        sink = .none
        continuation?.resume(throwing: error)
        continuation = nil
    }

    /// What still waits in the system's buffer of a request that was given up is not to be sent: the connection is closed
    /// by a reset.
    func discardUnsent() {
        guard phase == .sending, let connection, !connection.isHTTP2 else { return }
        var option = linger(l_onoff: 1, l_linger: 0)
        setsockopt(connection.descriptor, SOL_SOCKET, SO_LINGER, &option, socklen_t(MemoryLayout<linger>.size))
    }

    /// What libcurl measured so far.
    func metrics() -> Metrics {
        var metrics = Metrics()
        guard let raw = handle?.raw else { return metrics }
        func time(_ info: CURLINFO) -> Duration { .microseconds(convoy_get_offset(raw, info)) }
        metrics.nameLookup = time(CURLINFO_NAMELOOKUP_TIME_T)
        metrics.connect = max(metrics.nameLookup, time(CURLINFO_CONNECT_TIME_T))
        metrics.tls = max(metrics.connect, time(CURLINFO_APPCONNECT_TIME_T))
        metrics.total = time(CURLINFO_TOTAL_TIME_T)
        if let head {
            metrics.firstByte = max(metrics.tls, time(CURLINFO_STARTTRANSFER_TIME_T))
            metrics.version = head.version
        }
        metrics.total = max(metrics.total, metrics.firstByte ?? metrics.tls)
        metrics.sentHeaderBytes = Int64(convoy_get_long(raw, CURLINFO_REQUEST_SIZE))
        metrics.sentBodyBytes = upload?.sent ?? 0
        metrics.receivedHeaderBytes = Int64(convoy_get_long(raw, CURLINFO_HEADER_SIZE))
        metrics.receivedBodyBytes = received
        metrics.isReusedConnection = isReused
        metrics.connection = connection?.info
        return metrics
    }
}
