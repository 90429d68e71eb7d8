import ConvoyCore
import Foundation
import Testing

struct EnvelopeTests {
    @Test func codesAreComparedByTheirText() {
        let zero: Envelope.Code = 0
        #expect(zero == "0" && zero == Envelope.Code("0") && zero.number == 0)
        #expect(Envelope.Code(booleanLiteral: true) == "true")
        #expect(zero != "00" && zero != "0.0")
        let word: Envelope.Code = "E_TOKEN"
        #expect(word.text == "E_TOKEN" && word.number == nil && "\(word)" == "E_TOKEN")
    }

    @Test func aPluginMayMakeOne() async throws {
        let plugin = Around(call: { request, _, next in
            var response = try await next(request)
            response.envelope = Envelope(code: 7, message: "made", payload: Data("[1]".utf8))
            return response
        })
        let client = Client(transport: FakeTransport { _, _ in Response(status: 200, body: .text("<odd/>")) }) {
            $0.plugins = [plugin]
        }
        let response = try await client.get("http://h/")
        #expect(response.envelope == Envelope(code: 7, message: "made", payload: Data("[1]".utf8)))
        #expect(try response.decode([Int].self) == [1])
        #expect(try response.text() == "<odd/>")
    }

    @Test func settingTheBodyDropsIt() {
        var response = Response(status: 200, body: .text("{}"))
        response.envelope = Envelope(code: 0)
        response.body = .text("[]")
        #expect(response.envelope == nil)
    }

    @Test func anErrorHasThatOfItsResponse() {
        var error = ConvoyError(.unacceptableStatus, "no")
        #expect(error.envelope == nil)
        var response = Response(status: 400)
        response.envelope = Envelope(code: 1)
        error.response = response
        #expect(error.envelope?.code == 1)
    }
}
