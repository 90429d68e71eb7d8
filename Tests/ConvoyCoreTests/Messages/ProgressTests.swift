import ConvoyCore
import Dispatch
import Testing

struct ProgressTests {
    @Test(
        arguments: [
            (0, nil, nil), (5, nil, nil), (0, 10, 0), (5, 10, 0.5), (10, 10, 1), (300, 100, 1), (0, 0, 1), (7, 0, 1),
        ] as [(Int64, Int64?, Double?)])
    func theFractionIsNeverAboveOne(part: Int64, total: Int64?, expected: Double?) {
        #expect(ConvoyCore.Progress(received: part, receiveTotal: total).fractionReceived == expected)
        #expect(ConvoyCore.Progress(sent: part, sendTotal: total).fractionSent == expected)
    }
}
