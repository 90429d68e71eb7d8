/// One stop of the tour: what it shows, the Swift that does it, and the same as a closure that checks what came of it.
struct DemoStep: Sendable {
    /// What it shows, in one line.
    let title: String
    /// The Swift that the closure corresponds to.
    let code: String
    /// Does it. Throws if something is not as it should be.
    let run: @Sendable (DemoStage) async throws -> Void

    init(_ title: String, code: String, _ run: @escaping @Sendable (DemoStage) async throws -> Void) {
        self.title = title
        self.code = code
        self.run = run
    }

    /// The whole tour, in order. A later feature adds its steps here.
    static let all: [DemoStep] = requests + bodies + failures + plugins + connections
}

/// Something in the tour was not as it should be.
struct DemoFailure: Error, CustomStringConvertible {
    let description: String
}
