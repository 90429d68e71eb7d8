/// What a command writes to: the answer to standard output, everything else to standard error.
struct Console: Sendable {
    let output: OutputStream
    let errors: OutputStream
    /// Whether the environment asks for no colours: `NO_COLOR`, or a terminal that has none.
    let refusesColours: Bool

    init(output: OutputStream, errors: OutputStream, environment: [String: String]) {
        self.output = output
        self.errors = errors
        // https://no-color.org: any value but an empty one.
        refusesColours = environment["NO_COLOR", default: ""] != "" || environment["TERM"] == "dumb"
    }

    /// How to write to a stream; where nothing was asked for, a terminal gets everything and a pipe nothing.
    func look(on stream: OutputStream, asked: Look? = nil) -> Look {
        if let asked { return asked }
        guard stream.isTerminal else { return .plain }
        return Look(indents: true, isColoured: !refusesColours)
    }

    /// One line to standard error. That it cannot be written is nothing to say anywhere.
    func note(_ line: String) { try? errors.write(safe(line) + "\n") }

    /// An error, as its one line.
    func complain(_ message: String) {
        let palette = Palette(isColoured: look(on: errors).isColoured)
        try? errors.write(palette.paint("convoy:", .bad) + " " + safe(message) + "\n")
    }

    private func safe(_ text: String) -> String { errors.isTerminal ? ControlCharacters.visible(text) : text }
}

/// What `--pretty` says.
struct Look: Sendable, Equatable {
    var indents: Bool
    var isColoured: Bool

    static let plain = Look(indents: false, isColoured: false)
    static let names = ["all", "colors", "format", "none"]

    init(indents: Bool, isColoured: Bool) {
        self.indents = indents
        self.isColoured = isColoured
    }

    init(named name: String) {
        self.init(indents: name == "all" || name == "format", isColoured: name == "all" || name == "colors")
    }
}
