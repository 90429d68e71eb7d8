import Foundation

/// The published test vectors: a folder each, read from where `CONVOY_SUITES` says, or from `shared/suites` beside the
/// checkout. They are not part of the project; without them these tests are skipped with one line each.
enum Suites {
    /// The folder of all suites; nil where there is none.
    static let root: URL? = {
        let beside = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../../shared/suites")
        let named = ProcessInfo.processInfo.environment["CONVOY_SUITES"].map { URL(filePath: $0) }
        let folder = (named ?? beside).standardizedFileURL
        var isDirectory: ObjCBool = false
        return FileManager.default.fileExists(atPath: folder.path, isDirectory: &isDirectory) && isDirectory.boolValue
            ? folder : nil
    }()

    /// What a skipped test says.
    static let skipped = "no published vectors here: set CONVOY_SUITES to their folder"

    /// The vectors of one file, such as `wpt-forms/forms.json`.
    static func read<Vectors: Decodable>(_ path: String, as type: Vectors.Type = Vectors.self) throws -> Vectors {
        guard let root else { throw CocoaError(.fileNoSuchFile) }
        return try JSONDecoder().decode(type, from: Data(contentsOf: root.appending(path: path)))
    }
}
