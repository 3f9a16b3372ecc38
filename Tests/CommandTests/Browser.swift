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
    }

    static let program = "/usr/bin/chromium"

    static var isInstalled: Bool { FileManager.default.isExecutableFile(atPath: program) }

    static func open(_ page: URL, withScripts: Bool) throws -> View {
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
                "--window-size=1200,3000", "--screenshot=\(picture.path)",
                "--enable-logging=stderr", "--v=0", "--dump-dom", page.absoluteString,
            ], of: program, in: files.url, environment: [:])
        return View(
            document: answer.output,
            console: answer.errors.split(separator: "\n").map(String.init)
                .filter { $0.contains("CONSOLE") },
            picture: try Data(contentsOf: picture), call: answer.call)
    }
}
