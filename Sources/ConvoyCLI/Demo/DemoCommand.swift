extension Command {
    static let demo = Command(
        name: "demo",
        summary: "walk through what the library does, on a server of its own",
        operands: "",
        details: """
            Starts the embedded server on a free port of this machine, and shows step by step what the library does: the
            Swift for it, what went over the wire, and how long it took. Every step checks its result; the exit code is 1
            if one is not as it should be.
            """,
        options: [.pretty],
        examples: [
            Example("convoy demo", "take the tour, a few seconds"),
            Example("convoy demo --pretty all | less -R", "the same with its colours, page by page"),
        ],
        run: { arguments, console in
            let look = console.look(on: console.output, asked: arguments.value(.pretty).map { Look(named: $0) })
            guard arguments.words.isEmpty else { throw UsageError("demo takes no words") }
            let tour = DemoTour(steps: DemoStep.all, palette: Palette(isColoured: look.isColoured))
            return try await tour.run(on: DemoStage(), console.output)
        })
}
