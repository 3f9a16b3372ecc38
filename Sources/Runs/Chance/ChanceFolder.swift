package import Foundation
package import Reports

/// Where what came of random scenarios goes: `chance.json`, and each red one as a file.
package struct ChanceFolder {
    private let url: URL

    package init(creating url: URL) throws(RunFailure) {
        self.url = url
        try url.createFolder()
    }

    package func write(_ table: ChanceTable) throws(RunFailure) {
        try ChanceJSON.data(for: table).write(into: url, as: "chance.json")
    }

    package func write(_ scenario: String, as name: String) throws(RunFailure) {
        try Data(scenario.utf8).write(into: url, as: name)
    }
}
