import Convoy

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Makes a request of the words of `convoy send [METHOD] URL [ITEM…]`.
struct RequestBuilder {
    /// The request, and the headers that are sent by default and must not be.
    struct Result: Sendable {
        var request: Request
        var removedHeaders: [Headers.Name] = []
    }

    private let arguments: Arguments
    private var headers = Headers()
    private var removed: [Headers.Name] = []
    private var query = Parameters()
    private var object = JSONObjectText()
    private var form = Parameters()
    private var readsStandardInput: Bool

    private init(_ arguments: Arguments) {
        self.arguments = arguments
        readsStandardInput = arguments.has(.stdin)
    }

    static func build(_ arguments: Arguments) throws -> Result {
        var words = arguments.words[...]
        var method: Convoy.Method?
        if words.count > 1, let word = words.first.flatMap({ MethodWord($0) }) {
            method = word.method
            words.removeFirst()
        }
        guard let address = words.popFirst(), method != nil || !MethodWord.isUnmistakable(address) else {
            throw UsageError("no URL given: convoy send [METHOD] URL [ITEM…]")
        }
        var builder = RequestBuilder(arguments)
        for word in words {
            if word == "-" { builder.readsStandardInput = true } else { try builder.add(RequestItem(parsing: word)) }
        }
        return try builder.result(method, address)
    }

    private mutating func add(_ item: RequestItem) throws {
        switch item.kind {
        case .header:
            let name = Headers.Name(item.name)
            if item.value.isEmpty { removed.append(name) } else { headers.append(name, String(item.value.trimmingOWS)) }
        case .emptyHeader: headers.append(Headers.Name(item.name), "")
        case .headerFromFile: headers.append(Headers.Name(item.name), try LocalFile.text(item).withoutLineEnd)
        case .query: query.append(item.name, .init(item.value))
        case .queryFromFile: query.append(item.name, .init(try LocalFile.text(item).withoutLineEnd))
        case .field: addField(item.name, item.value)
        case .fieldFromFile: addField(item.name, try LocalFile.text(item))
        case .json: try addJSON(item.name, item.value)
        case .jsonFromFile: try addJSON(item.name, try LocalFile.text(item))
        case .file:
            throw UsageError(
                "\(item.description.quotedForMessage) uploads a file, which needs multipart bodies: they come "
                    + "in a later version; \(item.name)=@\(item.value) sends its text, and --stdin a file as the body")
        }
    }

    private mutating func addField(_ name: String, _ text: String) {
        if arguments.has(.form) { form.append(name, .init(text)) } else { object.append(name, string: text) }
    }

    private mutating func addJSON(_ name: String, _ text: String) throws {
        guard arguments.has(.form) else { return try object.append(name, json: text) }
        // A form knows only text: a number or literal is its own, a string is what it says.
        var checked = JSONObjectText()
        try checked.append(name, json: text)
        let value = String(text.trimmingOWS)
        if value.hasPrefix("{") || value.hasPrefix("[") {
            throw UsageError("a form has no objects or lists: \(name.quotedForMessage) cannot be sent with --form")
        }
        guard value.hasPrefix("\"") else { return form.append(name, .init(value)) }
        guard let plain = try? JSONDecoder().decode(String.self, from: Data(value.utf8)) else {
            throw UsageError("the string of \(name.quotedForMessage) is no text: \(value.quotedForMessage)")
        }
        form.append(name, .init(plain))
    }

    private func result(_ method: Convoy.Method?, _ address: String) throws -> Result {
        let (body, isJSON) = try body()
        var request = Request(method ?? (body.isNone ? .get : .post), Address(AddressWord.expanded(address)))
        request.query = query
        request.headers = headers
        request.body = body
        // A body that is called something else by hand is no JSON, and its answer need not be.
        let isOther = headers.contains(.contentType)
        if (isJSON && !isOther) || arguments.has(.json), !headers.contains(.accept) {
            request.headers.append(.accept, "application/json, */*;q=0.5")
        }
        if let agent = arguments.value(.userAgent) { request.headers[.userAgent] = agent }
        request.decodesContent = !arguments.has(.noDecode)
        // What is set by another item is meant, whichever came first.
        return Result(request: request, removedHeaders: removed.filter { !headers.contains($0) })
    }

    private func body() throws -> (Body, isJSON: Bool) {
        let isForm = arguments.has(.form)
        let hasFields = !object.isEmpty || !form.isEmpty
        let sources = [
            hasFields ? "fields" : nil, arguments.value(.raw) == nil ? nil : "--raw",
            readsStandardInput ? "--stdin" : nil,
        ].compactMap { $0 }
        guard sources.count < 2 else {
            throw UsageError("the body can come from only one of \(sources.joined(separator: " and "))")
        }
        let type = isForm ? "application/x-www-form-urlencoded" : "application/json"
        if let raw = arguments.value(.raw) { return (.bytes(raw.utf8, contentType: type), !isForm) }
        if readsStandardInput { return (.once(StandardInput(), contentType: type), !isForm) }
        if !form.isEmpty { return (.form(form), false) }
        return object.isEmpty ? (.none, false) : (.bytes(object.text.utf8, contentType: type), true)
    }
}

extension String {
    /// Without the line end that editors put behind the last line.
    fileprivate var withoutLineEnd: String {
        var text = self
        while let last = text.last, last.isNewline { text.removeLast() }
        return text
    }
}
