import ConvoyCore
import Testing

@testable import ConvoyCLI

@Suite struct ExitCodeTests {
    @Test(
        arguments: [
            (.invalidURL, 1), (.invalidHeader, 1), (.invalidRequest, 1), (.cookieFileFailed, 1), (.unsupported, 1),
            (.encodingFailed, 1),
            (.bodyUnreadable, 1), (.bodyNotReplayable, 1), (.bodyTooLarge, 1), (.fileNotWritable, 1),
            (.unacceptableContentType, 1), (.decodingFailed, 1), (.clientClosed, 1), (.tooManyExchanges, 1),
            (.pluginFailed, 1), (.init(rawValue: "something new"), 1),
            (.connectTimeout, 2), (.firstByteTimeout, 2), (.idleTimeout, 2), (.totalTimeout, 2), (.attemptTimeout, 2),
            (.redirectFailed, 6),
            (.hostNotFound, 7), (.cannotConnect, 7), (.connectionLost, 7), (.proxyFailed, 7), (.invalidResponse, 7),
            (.responseHeaderTooLarge, 7), (.incompleteBody, 7), (.corruptContent, 7), (.truncatedContent, 7),
            (.contentLimitExceeded, 7), (.engineFailed, 7),
            (.tlsFailed, 8), (.certificateExpired, 8), (.certificateHostMismatch, 8), (.certificateUntrusted, 8),
            (.certificateSelfSigned, 8), (.certificateInvalid, 8), (.init(rawValue: "certificateNotPinned"), 8),
            (.cancelled, 130),
        ] as [(ConvoyError.Code, Int32)])
    func everyErrorHasItsCode(code: ConvoyError.Code, expected: Int32) {
        #expect(ExitCode(ConvoyError(code, "x")).rawValue == expected)
    }

    @Test(
        arguments: [
            (200, 0), (204, 0), (301, 3), (304, 3), (399, 3), (400, 4), (499, 4), (500, 5), (599, 5), (600, 0),
            (999, 0), (0, 0),
        ] as [(Int, Int32)])
    func everyStatusHasItsCode(status: Int, expected: Int32) {
        #expect(ExitCode(Status(status)).rawValue == expected)
    }

    @Test(arguments: [(302, 3), (404, 4), (503, 5), (200, 1), (nil, 1)] as [(Int?, Int32)])
    func aRefusedStatusIsAlwaysAFailure(status: Int?, expected: Int32) {
        var error = ConvoyError(.unacceptableStatus, "x")
        error.response = status.map { Response(status: Status($0)) }
        #expect(ExitCode(error).rawValue == expected)
    }

    @Test func theVersionIsTheLibrarys() async throws {
        struct Echo: Transport {
            let capabilities = TransportCapabilities(name: "echo")
            func exchange(_ request: Request) async throws -> Response {
                Response(status: .ok, headers: ["X-Agent": request.headers[.userAgent] ?? ""])
            }
            func shutdown() async {}
        }
        let response = try await Client(transport: Echo()).get("http://a.example")
        #expect(response.headers["X-Agent"]?.hasSuffix("Convoy/\(Product.version)") == true)
    }
}
