/// What something holds of the system: all zero when it has been shut down. Leak checks look at it.
public struct Resources: Sendable, Hashable {
    /// Threads.
    public var threads = 0
    /// Descriptors, sockets among them.
    public var descriptors = 0
    /// Handles of a C library.
    public var handles = 0
    /// Exchanges that are under way or have not been given back.
    public var exchanges = 0
    /// Tasks that run beside the callers' own.
    public var tasks = 0

    /// Nothing.
    public init() {}

    /// Whether nothing is held.
    public var isEmpty: Bool { self == Resources() }
}

extension Resources: CustomStringConvertible {
    /// What is held, in words: `1 threads, 3 descriptors`; `nothing`.
    public var description: String {
        let counts = [
            (threads, "threads"), (descriptors, "descriptors"), (handles, "handles"), (exchanges, "exchanges"),
            (tasks, "tasks"),
        ]
        let held = counts.filter { $0.0 != 0 }.map { "\($0.0) \($0.1)" }
        return held.isEmpty ? "nothing" : held.joined(separator: ", ")
    }
}
