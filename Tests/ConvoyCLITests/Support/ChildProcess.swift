import CLinux
import Foundation

/// A program run as a child, by `posix_spawn`. Foundation's `Process` lists the descriptors that it has to close while
/// other tests open and close theirs, and crashes now and then.
final class ChildProcess: Sendable {
    let identifier: pid_t

    /// Starts a program with three descriptors for its own; it inherits no others.
    init(
        _ path: String, _ arguments: [String], environment: [String: String], input: Int32, output: Int32, errors: Int32
    ) throws {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        for (own, target) in [(input, 0), (output, 1), (errors, 2)] as [(Int32, Int32)] {
            posix_spawn_file_actions_adddup2(&actions, own, target)
        }
        posix_spawn_file_actions_addclosefrom_np(&actions, 3)
        var argv = ([path] + arguments).map { strdup($0) } + [nil]
        var variables = environment.map { strdup("\($0)=\($1)") } + [nil]
        defer { for text in argv + variables { free(text) } }
        var identifier: pid_t = 0
        let code = posix_spawn(&identifier, path, &actions, nil, &argv, &variables)
        guard code == 0 else {
            throw CocoaError(
                .fileNoSuchFile, userInfo: [NSFilePathErrorKey: path, "reason": String(cString: strerror(code))])
        }
        self.identifier = identifier
    }

    /// Its exit code, or the number of the signal that ended it, once it has ended; nil before. Asked by one owner only.
    func status() -> Int32? {
        var status: Int32 = 0
        guard waitpid(identifier, &status, WNOHANG) == identifier else { return nil }
        return status & 0x7F == 0 ? status >> 8 & 0xFF : status & 0x7F
    }

    /// Waits for its end.
    func wait() -> Int32 {
        var status: Int32 = 0
        while waitpid(identifier, &status, 0) == -1, errno == EINTR {}
        return status & 0x7F == 0 ? status >> 8 & 0xFF : status & 0x7F
    }

    /// Runs a program to its end and gives what it wrote to standard output.
    static func output(of path: String, _ arguments: [String], environment: [String: String]) throws -> Data {
        let pipe = Pipe()
        let child = try ChildProcess(
            path, arguments, environment: environment, input: FileHandle.nullDevice.fileDescriptor,
            output: pipe.fileHandleForWriting.fileDescriptor, errors: FileHandle.standardError.fileDescriptor)
        try pipe.fileHandleForWriting.close()
        let data = try pipe.fileHandleForReading.readToEnd() ?? Data()
        _ = child.wait()
        return data
    }
}
