package import Foundation
package import Reports

/// Where the tables of crash points go.
package struct CrashFolder {
    private let url: URL

    package init(creating url: URL) throws(RunFailure) {
        self.url = url
        try url.createFolder()
    }

    package func write(_ tables: [CrashTable]) throws(RunFailure) {
        try CrashJSON.data(for: tables).write(into: url, as: "crashes.json")
        try Data(CrashPage.document(for: tables).utf8).write(into: url, as: "index.html")
    }
}
