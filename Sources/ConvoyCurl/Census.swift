import ConvoyCore

/// Keeps count of what a transport holds.
final class Census: Sendable {
    private let counts = Locked(Resources())

    var resources: Resources { counts.withLock { $0 } }

    func change(_ body: (inout Resources) -> Void) { counts.withLock { body(&$0) } }
}
