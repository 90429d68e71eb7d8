import ConvoyCore

/// Serves the requests of one connection after the other, on the connection's thread.
struct ConnectionServer: Sendable {
    let configuration: Server.Configuration
    let tls: TLSContext?
    let handler: Server.Handler
    /// What is done with a connection before anything is read from it.
    let accepted: (@Sendable (Connection) throws -> Void)?

    func serve(_ connection: Connection) {
        do {
            try accepted?(connection)
            if connection.isClosed { return }
            if let tls { try connection.secure(tls) }
            var index = 0
            while let head = try nextHead(connection) {
                guard try answer(head, on: connection, index: index) else { break }
                index += 1
            }
            connection.closeGracefully()
        } catch let rejection as Rejection {
            refuse(connection, rejection)
        } catch let error as ConvoyError where error.code == .tlsFailed {
            // So that the alert, which says why, reaches the client.
            connection.closeGracefully()
        } catch {
            connection.close()
        }
    }

    /// The head of the next request; nil if the peer has no more, or waits too long to begin one.
    private func nextHead(_ connection: Connection) throws -> RequestHead? {
        var parser = RequestHeadParser(limit: configuration.headLimit)
        let deadline = connection.patience
        do {
            while try connection.fill(until: deadline) {
                let head = try connection.take { bytes in
                    let step = try parser.take(bytes)
                    return (step.taken, step.head)
                }
                if let head { return head }
            }
        } catch let error as ConvoyError where error.code == .totalTimeout {
            if parser.hasBegun { throw Rejection(.requestTimeout, "the request did not come to its end in time") }
            return nil
        }
        if parser.hasBegun { throw Rejection.bad("the request ends in the middle of its head") }
        return nil
    }

    /// Answers a request; false if the connection ends with it.
    private func answer(_ head: RequestHead, on connection: Connection, index: Int) throws -> Bool {
        let exchange = try Exchange(head, on: connection, index: index, configuration: configuration)
        do {
            try handler(exchange)
        } catch let rejection as Rejection {
            if exchange.hasAnswered { return false }
            throw rejection
        } catch let error as ConvoyError where error.endsConnection {
            throw error
        } catch {
            if exchange.hasAnswered { return false }
            try exchange.respond(.text("the handler failed: \(error)\n", status: .internalServerError))
        }
        try exchange.finish()
        return exchange.keepsAlive && !connection.isClosed
    }

    private func refuse(_ connection: Connection, _ rejection: Rejection) {
        let text = "\(rejection.reason)\n"
        let head = "HTTP/1.1 \(rejection.status)\r\nContent-Type: text/plain\r\nContent-Length: \(text.utf8.count)\r\n"
        let bytes = Array("\(head)Date: \(HTTPDate.now)\r\nConnection: close\r\n\r\n\(text)".utf8)
        try? bytes.withUnsafeBytes { try connection.send($0) }
        connection.closeGracefully()
    }
}

extension ConvoyError {
    /// Whether it is one of those that waits on a connection throw: there is nobody left to answer.
    fileprivate var endsConnection: Bool {
        code == .connectionLost || code == .cancelled || code == .totalTimeout || code == .tlsFailed
    }
}
