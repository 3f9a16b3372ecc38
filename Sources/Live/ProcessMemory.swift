import CLinux
import Foundation

/// How much memory this process holds, as the system and the allocator say.
package enum ProcessMemory {
    /// The most that it has held at any time; 0 where nobody knows. Not `ru_maxrss`, which begins
    /// with what the parent had.
    package static var peakBytes: UInt64 {
        let status = FileManager.default.contents(atPath: "/proc/self/status") ?? Data()
        let line = String(decoding: status, as: UTF8.self).split(separator: "\n")
            .first { $0.hasPrefix("VmHWM:") }
        let kibibytes = line?.split { !$0.isNumber }.first.flatMap { UInt64($0) }
        return (kibibytes ?? 0) * 1024
    }

    /// What is allocated on the heap now.
    package static var heapBytes: UInt64 {
        let heap = mallinfo2()
        return UInt64(heap.uordblks + heap.hblkhd)
    }
}
