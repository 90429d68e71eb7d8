import Glibc

/// What the process has used up to a moment.
struct Usage {
    /// Seconds since some fixed moment.
    let time: Double
    /// Seconds of processor time, in the program and in the system for it.
    let cpu: Double
    /// How often a thread gave up the processor or lost it.
    let switches: Int

    static var now: Usage {
        var clock = timespec()
        clock_gettime(CLOCK_MONOTONIC, &clock)
        var usage = rusage()
        getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
        return Usage(
            time: Double(clock.tv_sec) + Double(clock.tv_nsec) * 1e-9,
            cpu: seconds(usage.ru_utime) + seconds(usage.ru_stime),
            switches: usage.ru_nvcsw + usage.ru_nivcsw)
    }

    private static func seconds(_ time: timeval) -> Double { Double(time.tv_sec) + Double(time.tv_usec) * 1e-6 }
}

/// The process's memory in KiB, as the kernel counts it.
enum Memory {
    static var resident: Int { field("VmRSS:") }
    static var peak: Int { field("VmHWM:") }

    private static func field(_ name: String) -> Int {
        var buffer = [UInt8](repeating: 0, count: 8192)
        let descriptor = open("/proc/self/status", O_RDONLY)
        let count = read(descriptor, &buffer, buffer.count)
        close(descriptor)
        let text = String(decoding: buffer.prefix(max(0, count)), as: UTF8.self)
        for line in text.split(separator: "\n") where line.hasPrefix(name) {
            return line.split(whereSeparator: { $0 == " " || $0 == "\t" }).dropFirst().first.flatMap { Int($0) } ?? 0
        }
        return 0
    }
}
