import CLinux
import Foundation

/// The memory of this process.
package enum ProcessMemory {
    /// The largest resident size so far, or 0 if unknown. `ru_maxrss` is no substitute: it begins
    /// with the parent's size.
    package static var peakBytes: UInt64 {
        let status = FileManager.default.contents(atPath: "/proc/self/status") ?? Data()
        let line = String(decoding: status, as: UTF8.self).split(separator: "\n")
            .first { $0.hasPrefix("VmHWM:") }
        let kibibytes = line?.split { !$0.isNumber }.first.flatMap { UInt64($0) }
        return (kibibytes ?? 0) * 1024
    }

    /// The bytes allocated on the heap.
    package static var heapBytes: UInt64 {
        let heap = mallinfo2()
        return UInt64(heap.uordblks + heap.hblkhd)
    }
}
