/// Every option of the tool.
extension Option {
    static let help = Option("help", short: "h", "show what there is to know, with examples")
    static let version = Option("version", "show the version")

    // What is sent.
    static let json = Option("json", short: "j", "send fields as a JSON object and ask for JSON (default with fields)")
    static let form = Option("form", short: "f", "send fields as a form (application/x-www-form-urlencoded)")
    static let raw = Option("raw", value: "TEXT", "send this text as the body")
    static let stdin = Option("stdin", "send standard input as the body, as it comes (the word - says the same)")
    static let userAgent = Option("user-agent", short: "A", value: "TEXT", "the User-Agent header")

    // What is shown.
    static let print = Option(
        "print", short: "p", value: "HhBbm", "what to show: H and B request head and body, h and b response, m metrics")
    static let verbose = Option("verbose", short: "v", "show everything: the same as --print HBhbm")
    static let output = Option("output", short: "o", value: "FILE", "write the body to a file")
    static let stream = Option("stream", "write the body as it comes, not laid out")
    static let pretty = Option("pretty", choices: Look.names, "colours and layout (default: all on a terminal)")
    static let checkStatus = Option("check-status", "exit with 3, 4 or 5 for such a status (default)")
    static let noCheckStatus = Option("no-check-status", "exit with 0 whatever the status")
    static let noDecode = Option("no-decode", "ask for no content coding, and keep one that comes")

    // How it is sent.
    static let timeout = Option("timeout", value: "SECONDS", "the limit for the whole call (default: none)")
    static let connectTimeout = Option("connect-timeout", value: "SECONDS", "the limit for connecting (default: 10)")
    static let follow = Option("follow", short: "F", "follow redirects, up to 20")
    static let maxRedirects = Option("max-redirects", value: "N", "follow so many redirects at most")
    static let retry = Option("retry", value: "N", "try again so many times where that does no harm (default: 0)")
    static let http1 = Option("http1", "HTTP/1.1 only")
    static let http2 = Option("http2", "HTTP/2 only, without TLS too")
    static let proxy = Option("proxy", value: "URL", "go through this proxy; none for no proxy (default: environment)")
    static let unixSocket = Option("unix-socket", value: "PATH", "connect to a Unix socket in place of the URL's host")
    static let cacert = Option("cacert", value: "FILE", "trust only the authorities in this PEM file")

    // The server.
    static let port = Option("port", value: "N", "the port to listen on (default: 8080; 0 for any free one)")
    static let host = Option("host", value: "ADDRESS", "the address to listen on (default: 127.0.0.1)")
}
