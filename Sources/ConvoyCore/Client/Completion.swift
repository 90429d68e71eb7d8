#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The steps by which a request is completed before it is sent.
extension Request {
    /// Turns a body that is a value into bytes.
    mutating func encodeBody() throws {
        guard case .value(let value) = body.storage else { return }
        let encoder = encoder ?? JSONBodyEncoder.standard
        do { body = .bytes(try encoder.encode(value, request: self), contentType: body.contentType) } catch {
            throw ConvoyError(
                .encodingFailed, "cannot encode the body of type \(type(of: value)): \(error)", underlying: error)
        }
    }

    /// Whether its own base URL is of this origin.
    func hasBaseURL(of origin: String) -> Bool {
        guard let baseURL, let uri = try? URI(baseURL) else { return false }
        return uri.origin == origin
    }

    /// The form that parameters go into; nil if they go into the query.
    var formForParameters: Data? {
        let isQuery =
            switch parameterOptions?.destination ?? .byMethod {
            case .byMethod: method.placesParametersInQuery
            case .query: true
            case .body: false
            }
        guard !isQuery, body.isNone || body.contentType == Body.formType else { return nil }
        return body.data
    }

    /// Puts query and parameters where they belong: into the address, or a form body.
    mutating func place(into uri: inout URI) {
        let options = parameterOptions ?? ParameterOptions()
        var added = query
        query = Parameters()
        if !parameters.isEmpty {
            if let form = formForParameters {
                let fields = [String(decoding: form, as: UTF8.self), parameters.encoded(.form, options)].filter {
                    !$0.isEmpty
                }
                body = .bytes(Data(fields.joined(separator: "&").utf8), contentType: Body.formType)
            } else {
                added.items += parameters.items
            }
            parameters = Parameters()
        }
        if !added.isEmpty { uri.appendQuery(added.encoded(options.spaces == .plus ? .plusValue : .value, options)) }
    }

    /// Turns a user and password of the address into Basic authentication (RFC 7617), and takes them out of it.
    mutating func authenticate(from uri: inout URI) throws {
        guard uri.user != nil || uri.password != nil else { return }
        if !headers.contains(.authorization) {
            // The server would take what is behind the colon for the password.
            guard uri.user?.utf8.contains(0x3A) != true else {
                throw ConvoyError(.invalidURL, "the user in the address has a colon, which Basic cannot carry")
            }
            let pair = Data("\(uri.user ?? ""):\(uri.password ?? "")".utf8)
            headers.append(.authorization, "Basic \(pair.base64EncodedString())")
        }
        uri.user = nil
        uri.password = nil
    }

    /// Throws for what must not go on a wire.
    ///
    /// - Parameter isKnown: whether its header fields have been looked at before.
    func validateForSending(isKnown: Bool = false) throws {
        guard method.rawValue.isToken else {
            throw ConvoyError(.invalidRequest, "the method \(method.rawValue.quotedForMessage) is not a token")
        }
        guard method != .connect else {
            throw ConvoyError(.invalidRequest, "CONNECT opens a tunnel and is no request; set network.proxy instead")
        }
        guard body.isNone || (method != .head && method != .trace) else {
            throw ConvoyError(.invalidRequest, "a \(method) request has no content (RFC 9110 §9.3)")
        }
        if !isKnown { try headers.validateForSending() }
    }
}

extension Headers {
    /// Throws for fields that must not go on a wire.
    func validateForSending() throws {
        for name in [Name.contentLength, .transferEncoding] where contains(name) {
            throw ConvoyError(.invalidHeader, "\(name) is set by the engine from the body, not by hand")
        }
        try validate()
    }
}

/// Who sends: for `User-Agent`.
package enum Product {
    /// The version of Convoy.
    package static let version = "0.1.0"

    /// The program's name, as a token.
    static let ofProcess: String = {
        let name = CommandLine.arguments.first?.split(separator: "/").last.map(String.init) ?? ""
        let token = String(decoding: name.utf8.filter { $0.isTokenByte && $0 < 0x80 }, as: UTF8.self)
        return token.isEmpty ? "swift" : token
    }()
}
