import ConvoyCore
import Dispatch
import Testing

struct ProgressTests {
    @Test func reportsComeInOrderOnTheQueue() async {
        let (journal, done) = (Journal(), Gate())
        let queue = DispatchQueue(label: "progress")
        let handler = ProgressHandler(on: queue) {
            dispatchPrecondition(condition: .onQueue(queue))
            journal.note("\($0.received)")
            if $0.received == 99 { done.open() }
        }
        for count in 0..<100 { handler.report(ConvoyCore.Progress(received: Int64(count))) }
        try? await done.wait()
        #expect(journal.all == (0..<100).map(String.init))
    }

    @Test @MainActor func reportsComeInOrderOnTheMainActor() async {
        let (journal, done) = (Journal(), Gate())
        let handler = ProgressHandler { progress in
            MainActor.assertIsolated()
            journal.note("\(progress.sent)")
            if progress.sent == 99 { done.open() }
        }
        for count in 0..<100 { handler.report(ConvoyCore.Progress(sent: Int64(count))) }
        try? await done.wait()
        #expect(journal.all == (0..<100).map(String.init))
    }

    @Test(
        arguments: [
            (0, nil, nil), (5, nil, nil), (0, 10, 0), (5, 10, 0.5), (10, 10, 1), (300, 100, 1), (0, 0, 1), (7, 0, 1),
        ] as [(Int64, Int64?, Double?)])
    func theFractionIsNeverAboveOne(part: Int64, total: Int64?, expected: Double?) {
        #expect(ConvoyCore.Progress(received: part, receiveTotal: total).fractionReceived == expected)
        #expect(ConvoyCore.Progress(sent: part, sendTotal: total).fractionSent == expected)
    }
}
