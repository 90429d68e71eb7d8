/// The table of commands: parsing, help and hints all go by it.
extension Command {
    static let all: [Command] = [.send, .serve, .demo]
}
