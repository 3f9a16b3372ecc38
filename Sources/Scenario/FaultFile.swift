package import DocrootServer

/// A script of faults in a file of its own: for a server that stands alone.
package enum FaultFile {
    /// All mistakes in it come in one error.
    package static func read(_ bytes: [UInt8], path: String) throws(ScenarioError) -> [FaultRule] {
        try ScenarioReader.read(bytes, path: path, by: FaultKeys.file).faults
    }
}
