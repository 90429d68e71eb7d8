/// The colours of the tool's output: ANSI sequences, or nothing.
struct Palette: Sendable, Equatable {
    var isColoured: Bool

    enum Style: String, Sendable {
        case key = "34;1"
        case string = "32"
        case number = "36"
        case literal = "35"
        case good = "32;1"
        case warning = "33;1"
        case bad = "31;1"
        case title = "1"
        case dim = "2"
        case code = "36;1"
    }

    func start(_ style: Style) -> String { isColoured ? "\u{1B}[\(style.rawValue)m" : "" }

    var end: String { isColoured ? "\u{1B}[0m" : "" }

    func paint(_ text: String, _ style: Style) -> String { start(style) + text + end }
}
