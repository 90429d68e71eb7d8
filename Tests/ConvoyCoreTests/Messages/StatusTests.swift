import ConvoyCore
import Testing

struct StatusTests {
    @Test(arguments: [
        (100, Status.Kind.informational), (200, .successful), (299, .successful), (304, .redirection),
        (404, .clientError), (599, .serverError),
    ])
    func kindIsTheFirstDigit(code: Int, kind: Status.Kind) { #expect(Status(code).kind == kind) }

    @Test(arguments: [0, 99, 600, 999, -1, -200, .max, .min])
    func anyIntegerIsAStatusOfNoKind(code: Int) {
        #expect(Status(code).kind == nil)
        #expect(Status(code).code == code)
        #expect(Status(code).description == "\(code)")
    }

    @Test func descriptionHasTheRegisteredReason() {
        #expect(Status.notFound.description == "404 Not Found")
        #expect(Status(418).description == "418")
        #expect(Status.ok.standardReason == "OK")
        #expect(Status(299).standardReason == "")
    }

    @Test func statusesWithoutContent() {
        let all: [Status] = [100, 103, 200, 204, 205, 304, 404]
        #expect(all.filter(\.forbidsContent) == [100, 103, 204, 304])
    }

    @Test func orderIsByCode() {
        #expect(Status.ok < .notFound)
        #expect([500, 200, 404].map(Status.init(_:)).sorted() == [200, 404, 500])
        #expect(Status(rawValue: 200) == .ok)
    }

    @Test func versionsAreOrderedAndReadAsOnTheWire() {
        #expect(HTTPVersion.http10 < .http11)
        #expect(HTTPVersion.http11 < .http2)
        #expect(HTTPVersion.http2 < .http3)
        #expect(
            [HTTPVersion.http10, .http11, .http2, .http3].map(\.description) == [
                "HTTP/1.0", "HTTP/1.1", "HTTP/2", "HTTP/3",
            ])
    }
}
