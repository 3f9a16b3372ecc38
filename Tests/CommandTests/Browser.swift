import Foundation

/// Headless Chromium: what a page is to somebody who opens it.
enum Browser {
    struct View {
        /// The page after its scripts have run.
        var document: String
        /// What the page wrote to the console: errors, above all.
        var console: [String]
        var picture: Data
        var call: String

        /// What a script has written into the data attributes of the page's body.
        var told: [String: String] {
            let body = document.firstMatch(of: /<body([^>]*)>/)?.output.1 ?? ""
            return body.matches(of: /data-([a-z]+)="([^"]*)"/).reduce(into: [:]) {
                $0[String($1.output.1)] = String($1.output.2)
            }
        }
    }

    static let program = "/usr/bin/chromium"

    static var isInstalled: Bool { FileManager.default.isExecutableFile(atPath: program) }

    static func open(
        _ page: URL, withScripts: Bool, width: Int = 1200, arguments: [String] = []
    ) throws -> View {
        let files = try TemporaryFolder()
        let profile = files.url.appending(path: "profile/Default")
        try FileManager.default.createDirectory(at: profile, withIntermediateDirectories: true)
        if !withScripts {
            // There is a flag that looks as if it did this, and it does nothing.
            let rule = #"{"profile":{"default_content_setting_values":{"javascript":2}}}"#
            try Data(rule.utf8).write(to: profile.appending(path: "Preferences"))
        }
        let picture = files.url.appending(path: "picture.png")
        let answer = try Program.run(
            [
                "--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars",
                "--user-data-dir=\(profile.deletingLastPathComponent().path)",
                "--window-size=\(width),3000", "--screenshot=\(picture.path)",
                "--enable-logging=stderr", "--v=0", "--dump-dom",
            ] + arguments + [page.absoluteString], of: program, in: files.url, environment: [:])
        return View(
            document: answer.output,
            console: answer.errors.split(separator: "\n").map(String.init)
                .filter { $0.contains("CONSOLE") },
            picture: try Data(contentsOf: picture), call: answer.call)
    }
}
