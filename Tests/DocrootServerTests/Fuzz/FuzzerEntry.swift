import Foundation

// What libFuzzer calls; `./lab test --long fuzz-http` builds a program of it and of a room's
// targets, and tells by its environment which target is meant and where the seeds are to lie.

@_cdecl("LLVMFuzzerTestOneInput")
func fuzzOneInput(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> Int32 {
    fuzzTarget.run(Array(UnsafeBufferPointer(start: bytes, count: count)))
    return 0
}

@_cdecl("LLVMFuzzerInitialize")
func fuzzInitialize(_ count: UnsafeMutablePointer<Int32>?, _ words: UnsafeMutableRawPointer?)
    -> Int32
{
    guard let folder = ProcessInfo.processInfo.environment["TRANSFERLAB_FUZZ_SEEDS"] else {
        return 0
    }
    for (index, seed) in fuzzTarget.seeds.enumerated() {
        let place = URL(filePath: folder).appending(path: "\(fuzzTarget.rawValue)-\(index)")
        try? Data(seed).write(to: place)
    }
    return 0
}

private let fuzzTarget =
    ProcessInfo.processInfo.environment["TRANSFERLAB_FUZZ_TARGET"]
    .flatMap(FuzzTarget.init) ?? FuzzTarget.allCases[0]
