package import DocrootServer

/// A script of faults in its own file, for a standalone server.
package enum FaultFile {
    /// Reads a script; all mistakes come in one error.
    package static func read(_ bytes: [UInt8], path: String) throws(ScenarioError) -> [FaultRule] {
        try ScenarioReader.read(bytes, path: path, by: FaultKeys.file).faults
    }
}
