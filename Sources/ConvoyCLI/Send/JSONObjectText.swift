import Convoy

/// A JSON object put together as text, so that the digits of numbers, the order of keys and duplicates stay as given.
struct JSONObjectText {
    private var members: [String] = []

    var isEmpty: Bool { members.isEmpty }

    mutating func append(_ name: String, string: String) {
        members.append("\(Self.quoted(name)):\(Self.quoted(string))")
    }

    /// Adds a value that is JSON already. Throws if it is not.
    mutating func append(_ name: String, json: String) throws {
        let value = Self.trimmed(json)
        guard JSONScanner.isValid(Array(value.utf8)) else {
            throw UsageError(
                "the value of \(name.quotedForMessage) is no JSON: \(json.quotedForMessage); for text write \(name)=…")
        }
        members.append("\(Self.quoted(name)):\(value)")
    }

    var text: String { "{" + members.joined(separator: ",") + "}" }

    private static func trimmed(_ json: String) -> Substring {
        let isSpace: (Character) -> Bool = { $0 == " " || $0 == "\n" || $0 == "\r" || $0 == "\t" || $0 == "\r\n" }
        var rest = json.drop(while: isSpace)
        while let last = rest.last, isSpace(last) { rest.removeLast() }
        return rest
    }

    /// A JSON string (RFC 8259 §7) with only the escapes that it must have.
    static func quoted(_ text: String) -> String {
        var output = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": output += "\\\""
            case "\\": output += "\\\\"
            case "\n": output += "\\n"
            case "\r": output += "\\r"
            case "\t": output += "\\t"
            default:
                if scalar.value < 0x20 {
                    let digits = String(scalar.value, radix: 16)
                    output += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
                } else {
                    output.unicodeScalars.append(scalar)
                }
            }
        }
        return output + "\""
    }
}
