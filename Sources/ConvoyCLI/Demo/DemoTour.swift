import Convoy

/// Goes through the steps and shows each.
struct DemoTour {
    let steps: [DemoStep]
    let palette: Palette

    /// Fails with `.local` if a step did.
    func run(on stage: DemoStage, _ output: OutputStream) async throws -> ExitCode {
        let started = ContinuousClock.now
        do {
            try output.write("A tour of Convoy \(Product.version), on \(stage.server.url)\n")
            var failures = 0
            for (index, step) in steps.enumerated() {
                let (text, isRight) = await show(step, number: index + 1, stage)
                try Task.checkCancellation()
                try output.write(text)
                if !isRight { failures += 1 }
            }
            try output.write(summary(failures: failures, took: started.duration(to: .now)))
            await stage.close()
            return failures == 0 ? .success : .local
        } catch {
            await stage.close()
            throw error
        }
    }

    private func show(_ step: DemoStep, number: Int, _ stage: DemoStage) async -> (String, isRight: Bool) {
        let started = ContinuousClock.now
        var problem: String?
        do { try await step.run(stage) } catch { problem = "\(error)" }
        let took = started.duration(to: .now)

        var lines = ["", palette.paint("\(number). \(step.title)", .title)]
        lines += step.code.split(separator: "\n").map { "   " + palette.paint(String($0), .code) }
        let entries = stage.wire.take()
        for entry in entries.prefix(4) {
            lines.append("   → " + palette.paint(entry.request, .dim))
            lines.append("   ← " + palette.paint(entry.answer, .dim))
        }
        if entries.count > 4 { lines.append("   … and \(entries.count - 4) more exchanges") }
        lines += stage.takeRemarks().map { "   \($0)" }
        if let problem {
            lines.append("   " + palette.paint("✗ not as it should be: \(problem)", .bad))
        } else {
            lines.append("   " + palette.paint("✓ \(took.forPeople)", .good))
        }
        let text = lines.map { ControlCharacters.visible($0) }.joined(separator: "\n")
        return (palette.isColoured ? lines.joined(separator: "\n") + "\n" : text + "\n", problem == nil)
    }

    private func summary(failures: Int, took: Duration) -> String {
        let text =
            failures == 0
            ? palette.paint("\(steps.count) steps, all as they should be", .good)
            : palette.paint("\(failures) of \(steps.count) steps were not as they should be", .bad)
        return "\n\(text), in \(took.forPeople)\n"
    }
}
