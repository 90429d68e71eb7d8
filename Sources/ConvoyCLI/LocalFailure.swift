/// Something on this machine failed, and the command line was right: exit code 1.
struct LocalFailure: Error, Equatable {
    /// What failed and why.
    let message: String
    init(_ message: String) { self.message = message }
}
