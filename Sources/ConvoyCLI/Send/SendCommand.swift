extension Command {
    static let send = Command(
        name: "send",
        summary: "send a request and print its answer",
        operands: "[METHOD] URL [ITEM…]",
        details: """
            The word send may be left out. The method is POST with a body, else GET. Before the URL's host, http:// may be
            left out; :8080/x is http://localhost:8080/x.

            Items
              name=value       a field of the body: a JSON string, or of the form with --form
              name:=json       a field that is JSON already: count:=3, tags:='["a","b"]'
              name==value      a parameter of the query
              Name:value       a header;  Name: removes one that is sent by default;  Name; sends it empty
              name=@file  name:=@file  name==@file  Name:@file     the same with the value from a file
              A backslash before : ; = or @ takes its meaning away. The separator that comes first counts.

            The body goes to standard output, everything else to standard error. On a terminal, JSON is laid out and
            coloured, and control characters are shown as �; a pipe gets the bytes untouched. Standard input is read only
            when asked for, by --stdin or the word -. With -o, the answer goes to the file only if it counts as success.
            A body from --raw or --stdin is called application/json, unless a header or --form says otherwise.
            """,
        options: [
            .json, .form, .raw, .stdin, .userAgent, .print, .verbose, .output, .stream, .pretty, .checkStatus,
            .noCheckStatus, .noDecode, .timeout, .connectTimeout, .follow, .maxRedirects, .retry, .http1, .http2,
            .proxy, .unixSocket, .cacert,
        ],
        examples: [
            Example("convoy https://example.com/users page==2 Accept-Language:en", "GET with a parameter and a header"),
            Example("convoy POST :8080/users name=Ada age:=36", "POST {\"name\":\"Ada\",\"age\":36} to this machine"),
            Example("convoy --form example.com/login user=ada password=@secret.txt", "a form, one field from a file"),
            Example("gzip -c log | convoy PUT example.com/logs - Content-Type:application/gzip", "send standard input"),
            Example("convoy -v --http2 https://example.com", "show what goes over the wire, and how long it took"),
            Example("convoy --stream example.com/events | grep --line-buffered error", "read an answer while it comes"),
            Example("convoy --timeout 5 -o a.png example.com/a.png || echo \"failed: $?\"", "a file, within 5 s"),
        ],
        run: { arguments, console in
            let isInteractive = console.output.isTerminal && console.errors.isTerminal
            let options = try SendOptions(arguments, isInteractive: isInteractive)
            return try await Sending(options: options, console: console).run(RequestBuilder.build(arguments))
        })
}
