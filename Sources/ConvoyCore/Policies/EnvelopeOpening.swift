#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Applying the rules to an answer.
extension EnvelopeRules {
    /// The response with its envelope read. Throws `.envelopeRejected` for a code that is not accepted, and
    /// `.decodingFailed` for what is no such envelope; both carry the response.
    func opened(_ given: Response) throws -> Response {
        guard given.status.kind != .redirection, let envelope = try read(given) else { return given }
        var response = given
        response.envelope = envelope
        if let isAccepted = verdict(on: envelope) {
            if isAccepted { return response }
            var error = ConvoyError(
                .envelopeRejected, "the service refused\(Self.explanation(envelope, before: " with "))",
                phase: .decoding)
            error.response = response
            error.attempts = response.attempts
            error.metrics = response.metrics
            throw error
        }
        if requiresCode { throw response.decodingError("the envelope has no code\(Self.places(code))") }
        return response
    }

    /// Adds to the error of a refused status what the service itself says.
    func explain(_ error: inout ConvoyError) {
        guard error.isValidation, var response = error.response, response.envelope == nil,
            let envelope = try? read(response), envelope.code != nil || envelope.message != nil
        else { return }
        response.envelope = envelope
        error.response = response
        error.message += Self.explanation(envelope, before: ": ")
    }

    /// The envelope; nil of an answer without content or one that is not in memory.
    private func read(_ response: Response) throws -> Envelope? {
        guard let body = response.body.data, !body.isEmpty else { return nil }
        let names = Set(data.firstNames + code.firstNames + message.firstNames)
        let text = EnvelopeText(body, names: names)
        do {
            return Envelope(
                code: try code.first(in: response) { try text.scalar(at: $0).map { Envelope.Code($0) } },
                message: try message.first(in: response) { try text.scalar(at: $0).flatMap { $0.isEmpty ? nil : $0 } },
                payload: data.places.isEmpty ? body : try data.first(in: response) { try text.piece(at: $0) })
        } catch {
            throw response.decodingError("the envelope is no JSON text, or nested too deeply", underlying: error)
        }
    }

    private func verdict(on envelope: Envelope) -> Bool? {
        for rule in accepted.rules {
            switch rule {
            case .codes(let codes): if let code = envelope.code { return codes.contains(code) }
            case .closure(let accepts): if let isAccepted = accepts(envelope) { return isAccepted }
            }
        }
        return nil
    }

    /// Whether there is a list of codes: then an answer without one is none of the service.
    private var requiresCode: Bool { accepted.rules.contains { if case .codes = $0 { true } else { false } } }

    private static func explanation(_ envelope: Envelope, before: String) -> String {
        let code = envelope.code.map { "code \($0.text.visible(upTo: 80))" }
        let parts = [code, envelope.message?.visible(upTo: 200)].compactMap { $0 }
        return parts.isEmpty ? "" : before + parts.joined(separator: ": ")
    }

    private static func places(_ source: Source<Envelope.Code>) -> String {
        let paths = source.paths.map { $0.joined(separator: ".").quotedForMessage }
        return paths.isEmpty ? "" : " at \(paths.joined(separator: " or "))"
    }
}

extension EnvelopeRules.Source {
    fileprivate var paths: [[String]] { places.compactMap { if case .path(let path) = $0 { path } else { nil } } }
    fileprivate var firstNames: [String] { paths.compactMap(\.first) }

    /// What the first place gives that gives anything.
    fileprivate func first(in response: Response, at path: ([String]) throws -> Value?) rethrows -> Value? {
        for place in places {
            switch place {
            case .path(let keys): if let value = try path(keys) { return value }
            case .closure(let find): if let value = find(response) { return value }
            }
        }
        return nil
    }
}
