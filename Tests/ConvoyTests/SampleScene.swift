import Convoy
import Synchronization
import Testing

/// What a sample printed: in the tests of the samples `print` writes here.
final class Printed: Sendable {
    @TaskLocal static var current: Printed?
    private let state = Mutex<[String]>([])

    /// The lines, in order.
    static var lines: [String] { current?.state.withLock { $0 } ?? [] }

    fileprivate func append(_ line: String) { state.withLock { $0.append(line) } }
}

/// Hides Swift's own `print`, whose declaration it repeats, so that tests can look at what a sample says.
func print(_ items: Any..., separator: String = " ", terminator: String = "\n") {
    Printed.current?.append(items.map { String(describing: $0) }.joined(separator: separator))
}

/// Gives each test of a suite a `Printed` of its own.
struct SampleTrait: SuiteTrait, TestTrait, TestScoping {
    var isRecursive: Bool { true }

    func provideScope(for test: Test, testCase: Test.Case?, performing body: @Sendable () async throws -> Void)
        async throws
    {
        try await Printed.$current.withValue(Printed()) { try await body() }
    }
}

extension Trait where Self == SampleTrait {
    /// For suites of samples.
    static var samples: Self { SampleTrait() }
}

// What the samples of the documentation take for granted.

struct User: Codable, Equatable, Sendable {
    var id: Int
    var name: String
}

struct Note: Codable, Equatable, Sendable {
    var id: Int?
    var text: String
}

/// Gives out tokens.
actor Tokens {
    private(set) var count = 0

    func current() -> String {
        count += 1
        return "token-\(count)"
    }
}
