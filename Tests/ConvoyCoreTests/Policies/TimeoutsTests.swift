import ConvoyCore
import Testing

struct TimeoutsTests {
    /// B056.
    @Test func theDocumentedDefaults() {
        for timeouts in [Timeouts(), .standard, Configuration().timeouts] {
            #expect(timeouts.connect == .seconds(10))
            #expect(timeouts.firstByte == nil)
            #expect(timeouts.idle == .seconds(60))
            #expect(timeouts.total == nil)
        }
    }

    @Test func theRequestsOwnWinAsAWhole() async throws {
        let transport = FakeTransport()
        let client = Client(transport: transport) { $0.timeouts = Timeouts(connect: .seconds(3), total: .seconds(90)) }
        _ = try await client.get("http://h/")
        var request = Request(.get, "http://h/")
        request.timeouts = Timeouts(idle: nil)
        _ = try await client.send(request)
        #expect(
            transport.requests.map(\.timeouts) == [
                Timeouts(connect: .seconds(3), total: .seconds(90)), Timeouts(idle: nil),
            ])
        #expect(transport.requests.map { $0.deadline == nil } == [false, true])
    }

    @Test(arguments: [
        (Duration.zero, "0 ms"), (.microseconds(1500), "1.5 ms"), (.milliseconds(250), "250 ms"),
        (.milliseconds(1500), "1.5 s"), (.seconds(2), "2 s"), (.seconds(120), "2 min"), (.seconds(90), "90 s"),
        (.seconds(5400), "90 min"), (.milliseconds(-5), "-5 ms"),
    ])
    func durationsForPeople(duration: Duration, text: String) {
        #expect(duration.forPeople == text)
    }
}
