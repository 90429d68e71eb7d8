/// The hops of a call: what follows the plugins around it. Each hop is tried, and tried again, before the next.
extension Pipeline {
    func hops(_ request: Request, _ context: Context) async throws -> Response {
        let response = try await hop(request, context)
        guard redirects(of: request).follows(response) else { return response }
        return try await redirected(response, request, context)
    }

    private func hop(_ request: Request, _ context: Context) async throws -> Response {
        if let ratio = retry(of: request).budget { snapshot.retryBudget.noteCall(request.uri, ratio: ratio) }
        let outcome = await attemptOnce(request, context)
        guard case .success(let response) = outcome, !retry(of: request).isRetried(response.status) else {
            return try await retried(request, after: outcome, context)
        }
        return response
    }

    private func retry(of request: Request) -> RetryPolicy { request.retry ?? snapshot.configuration.retry }

    func redirects(of request: Request) -> RedirectPolicy { request.redirects ?? snapshot.configuration.redirects }

    /// Goes from a first redirect to the answer that is none.
    private func redirected(_ first: Response, _ original: Request, _ context: Context) async throws -> Response {
        let policy = redirects(of: original)
        var request = original
        var response = first
        var history: [Response] = []
        var visited: Set<RedirectPolicy.Visit> = [.init(request)]
        while policy.follows(response) {
            // A fallback may have answered, or what a plugin turned to: a location is read from there.
            if let uri = response.uri, uri != request.uri {
                if uri.origin != request.uri?.origin { request.headers.remove(.host) }
                request.address = Address(uri)
            }
            if response.body.data == nil {
                // To the end of a short one, so that the connection is of further use.
                response.body = .bytes(await response.body.beginning(upTo: 64 << 10), contentType: nil)
            }
            // Where a cookie was set the same address may answer differently.
            if response.headers.contains(.setCookie) { visited = [] }
            do {
                let redirect = try policy.next(
                    after: response, to: request, number: history.count + 1, visited: visited)
                guard let next = try await decided(redirect, policy, context) else { break }
                try await wait(asBidden: response, request)
                history.append(response)
                request = next
                visited.insert(.init(next))
            } catch {
                var error = Self.described(error, request)
                error.response = error.response ?? response
                error.metrics = error.metrics ?? response.metrics
                throw error
            }
            response = try await hop(request, context)
        }
        response.history = history
        return response
    }

    /// The request of the next hop as client and user want it; nil to stay with the answer.
    private func decided(
        _ redirect: Redirect, _ policy: RedirectPolicy, _ context: Context
    ) async throws -> Request? {
        var redirect = redirect
        if redirect.leavesOrigin { snapshot.dropDefaults(of: &redirect.request, own: context.ownHeaders) }
        guard let decide = policy.decide else { return redirect.request }
        let decided: Request?
        do { decided = try await decide(redirect) } catch let error as ConvoyError { throw error } catch {
            throw ConvoyError(.pluginFailed, "the redirect's closure failed: \(error)", underlying: error)
        }
        guard let decided else { return nil }
        return try settled(decided, from: redirect.request, context)
    }

    /// An answer that redirects may say when (RFC 9110 §10.2.3).
    private func wait(asBidden response: Response, _ request: Request) async throws {
        let time = snapshot.configuration.time
        guard response.headers.contains("Retry-After"),
            let delay = RetryAfter.delay(response.headers, response.status, now: HTTPDate(time.now()))
        else { return }
        let policy = retry(of: request)
        try await time.sleep(min(delay, policy.maximumServerDelay))
    }

    // MARK: Attempts

    /// Tries a hop again after it failed, for as long as its policy says so; else gives what it came to. An answer whose
    /// status is tried again counts as a failure here also where validation takes it.
    private func retried(
        _ original: Request, after first: Result<Response, any Error>, _ context: Context
    ) async throws -> Response {
        let policy = retry(of: original)
        var request = original
        var outcome = first
        var number = 1
        while true {
            if case .success(let response) = outcome, !policy.isRetried(response.status) { return response }
            let error = failure(outcome, request)
            var attempt = await decided(policy.judge(error, to: request, number: number), policy, context)
            guard attempt.willRetry else {
                attempt.error.response?.body = .none
                context.note(attempt)
                return try outcome.get()
            }
            if let body = attempt.error.response?.body, body.data == nil {
                // Read to the end if it is short, so that the connection is of further use; else let go.
                attempt.error.response?.body = .bytes(await body.beginning(upTo: 64 << 10), contentType: nil)
            }
            outcome = .failure(attempt.error)
            context.note(attempt)
            try await snapshot.configuration.time.sleep(attempt.delay)
            try Task.checkCancellation()
            request = policy.usesFallbacks ? snapshot.moved(original, attempt: number) : original
            number += 1
            outcome = await attemptOnce(request, context)
        }
    }

    private func failure(_ outcome: Result<Response, any Error>, _ request: Request) -> ConvoyError {
        switch outcome {
        case .failure(let error): return Self.described(error, request)
        case .success(let response):
            var error = Validation.refusal(of: response)
            error.response = response
            error.request = request
            return error
        }
    }

    /// The rules' judgement with the user's word, the time and the budget.
    private func decided(_ judged: RetryAttempt, _ policy: RetryPolicy, _ context: Context) async -> RetryAttempt {
        var attempt = judged
        let configuration = snapshot.configuration
        attempt.delay = policy.delay(
            after: attempt.error, number: attempt.number, now: HTTPDate(configuration.time.now()),
            random: configuration.random())
        if let decide = policy.decide, policy.mayBeDecided(attempt), let word = await decide(attempt) {
            attempt.willRetry = word
            attempt.reason = "the retry policy's closure decided"
        }
        guard attempt.willRetry else { return attempt }
        if Task.isCancelled {
            attempt.willRetry = false
            attempt.reason = "the call was cancelled"
        } else if let deadline = context.deadline, ContinuousClock.now + attempt.delay >= deadline {
            attempt.willRetry = false
            attempt.reason = "the time for the call would be over"
        } else if policy.budget != nil, !snapshot.retryBudget.spend(attempt.request.uri?.origin ?? "") {
            attempt.willRetry = false
            attempt.reason = "the budget for retries is spent"
        }
        return attempt
    }

    /// One attempt: through the plugins around an exchange.
    private func attemptOnce(_ request: Request, _ context: Context) async -> Result<Response, any Error> {
        do {
            guard let limit = retry(of: request).attemptTimeout else {
                return .success(try await exchangeThroughPlugins(request, context))
            }
            return .success(try await bounded(request, context, limit))
        } catch { return .failure(error) }
    }

    private func bounded(_ request: Request, _ context: Context, _ limit: Duration) async throws -> Response {
        do {
            return try await Deadline.run(within: limit, time: snapshot.configuration.time) {
                try await exchangeThroughPlugins(request, context)
            }
        } catch var error as ConvoyError where error.code == .totalTimeout {
            let isOver = context.deadline.map { ContinuousClock.now >= $0 } ?? false
            if !isOver {
                error.code = .attemptTimeout
                error.message = "the attempt was not complete after \(limit.forPeople)"
            }
            throw error
        }
    }
}
