import ConvoyCore
import Testing

/// Published cases are in Tests/Conformance.
@Suite struct PublicSuffixTests {
    @Test(
        arguments: [
            ("www.example.com", "example.com"), ("example.co.uk", "example.co.uk"), ("co.uk", nil), ("com", nil),
            ("a.b.github.io", "b.github.io"), ("localhost", nil), ("", nil), (".", nil), ("..", nil), (".com", nil),
            ("a.食狮.公司.cn", "食狮.公司.cn"), ("a.xn--85x722f.xn--55qx5d.cn", "xn--85x722f.xn--55qx5d.cn"),
        ] as [(String, String?)])
    func registrable(_ host: String, _ domain: String?) {
        #expect(PublicSuffix.registrableDomain(of: host) == domain)
    }

    @Test func aVeryLongName() {
        let long = String(repeating: "a.", count: 50_000) + "com"
        #expect(PublicSuffix.registrableDomain(of: long) == "a.com")
    }
}
