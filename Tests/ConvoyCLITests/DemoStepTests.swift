import Foundation
import Testing

@testable import ConvoyCLI

@Suite struct DemoStepTests {
    @Test func eachStepHasATitleAndItsCode() {
        #expect(DemoStep.all.count >= 12)
        for step in DemoStep.all {
            #expect(!step.title.isEmpty && !step.code.isEmpty)
            #expect(step.code.split(separator: "\n").allSatisfy { $0.count <= 116 }, "\(step.title)")
        }
        #expect(Set(DemoStep.all.map(\.title)).count == DemoStep.all.count)
    }

    @Test func aStepThatFailsFailsTheTour() async throws {
        let folder = try TemporaryFolder()
        let path = try folder.file("output", "")
        let descriptor = open(path, O_WRONLY)
        defer { close(descriptor) }
        let steps = [
            DemoStep("right", code: "1 == 1") { try $0.check(1, is: 1) },
            DemoStep("wrong", code: "1 == 2") { try $0.check(1, is: 2) },
            DemoStep("after it", code: "…") { $0.remark("went on") },
        ]
        let tour = DemoTour(steps: steps, palette: Palette(isColoured: false))
        let code = try await tour.run(on: DemoStage(), OutputStream(descriptor: descriptor, isTerminal: false))
        #expect(code == .local)
        let text = try String(contentsOfFile: path, encoding: .utf8)
        #expect(text.contains("✗ not as it should be: 1 came where 2 was expected"))
        #expect(text.contains("went on") && text.contains("1 of 3 steps were not"))
    }

    @Test func theTourEndsWhenItIsCancelled() async throws {
        let steps = [DemoStep("endless", code: "…") { _ in try await Task.sleep(for: .seconds(60)) }]
        let tour = DemoTour(steps: steps, palette: Palette(isColoured: false))
        let descriptor = open("/dev/null", O_WRONLY)
        defer { close(descriptor) }
        let task = Task { try await tour.run(on: DemoStage(), OutputStream(descriptor: descriptor, isTerminal: false)) }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
    }
}
