import Foundation

/// A TCP counter of the kernel for one network.
package struct KernelCounter: Hashable, Sendable {
    package var name: String
    package var value: UInt64

    /// The nonzero counters of `TcpExt` in this thread's network.
    static func all() -> [KernelCounter] {
        let lines = text("netstat").split(separator: "\n")
            .filter { $0.hasPrefix("TcpExt:") }.map { $0.split(separator: " ").dropFirst() }
        guard lines.count == 2 else { return [] }
        return zip(lines[0], lines[1]).compactMap { name, value in
            UInt64(value).flatMap { $0 > 0 ? KernelCounter(name: String(name), value: $0) : nil }
        }
    }

    /// The number of packets that devices of this thread's network dropped for lack of room.
    static func devicesDropped() -> UInt64 {
        text("dev").split(separator: "\n").dropFirst(2).reduce(0) { sum, line in
            let words = line.split(whereSeparator: { $0 == " " || $0 == ":" })
            return sum + (words.count > 12 ? UInt64(words[12]) ?? 0 : 0)
        }
    }

    private static func text(_ name: String) -> String {
        (try? String(contentsOfFile: "/proc/thread-self/net/\(name)", encoding: .utf8)) ?? ""
    }
}
