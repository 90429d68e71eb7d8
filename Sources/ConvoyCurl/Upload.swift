import ConvoyCore
import FoundationEssentials

/// The body of a request on its way out, as the loop reads it.
final class Upload {
    private enum Source {
        case bytes(Data)
        case file(FileReader)
        case feed(UploadFeed)
    }

    private let source: Source
    private let pump: Task<Void, Never>?
    /// The number of bytes that were announced; nil if the body is sent chunked.
    let length: Int64?
    private(set) var sent: Int64 = 0
    /// Whether the last byte was handed to libcurl.
    private(set) var isComplete: Bool
    /// Whether the transfer waits for the stream: no fault of the server's.
    private(set) var isWaiting = false

    /// What libcurl's read callback gives back.
    enum Step {
        case bytes(Int)
        case pause
        case failure(ConvoyError)
    }

    init(bytes: Data) {
        source = .bytes(bytes)
        length = Int64(bytes.count)
        isComplete = bytes.isEmpty
        pump = nil
    }

    init(file: FileReader) {
        source = .file(file)
        length = file.size
        isComplete = file.size == 0
        pump = nil
    }

    /// Starts to read the stream; `resume` asks the loop to ask again.
    init(stream: Body, length: Int64?, resume: @escaping @Sendable () -> Void) {
        let feed = UploadFeed(resume: resume)
        source = .feed(feed)
        self.length = length
        isComplete = length == 0
        pump = Task { await feed.pump(stream, length: length) }
    }

    /// The body went out together with the header.
    func markSent() {
        sent = length ?? 0
        isComplete = true
    }

    /// The transfer has ended, however it did.
    func close() {
        pump?.cancel()
        if case .feed(let feed) = source { feed.close() }
    }

    func read(into whole: UnsafeMutableRawBufferPointer) -> Step {
        isWaiting = false
        if let length, sent == length {
            isComplete = true
            return .bytes(0)
        }
        let room = length.map { min(Int64(whole.count), $0 - sent) } ?? Int64(whole.count)
        let step = fill(UnsafeMutableRawBufferPointer(rebasing: whole[..<Int(room)]))
        guard case .bytes(let count) = step else { return step }
        if count == 0, let length {
            return .failure(
                ConvoyError(.bodyUnreadable, "the body ended after \(sent) of \(length) bytes", phase: .sending))
        }
        sent += Int64(count)
        isComplete = count == 0 || sent == length
        return step
    }

    private func fill(_ buffer: UnsafeMutableRawBufferPointer) -> Step {
        switch source {
        case .bytes(let data):
            let start = data.startIndex + Int(sent)
            data[start..<start + buffer.count].withUnsafeBytes { buffer.copyMemory(from: $0) }
            return .bytes(buffer.count)
        case .file(let file):
            do { return .bytes(try file.read(into: buffer)) } catch let error as ConvoyError {
                return .failure(error)
            } catch {
                return .failure(ConvoyError(.bodyUnreadable, "\(error)"))
            }
        case .feed(let feed):
            switch feed.take(into: buffer) {
            case .bytes(let count): return .bytes(count)
            case .end: return .bytes(0)
            case .failure(let error): return .failure(error)
            case .wait:
                isWaiting = true
                return .pause
            }
        }
    }
}
