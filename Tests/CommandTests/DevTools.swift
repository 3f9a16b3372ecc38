import Foundation
import Glibc

/// Headless Chromium under the DevTools protocol, over its pipe: a page that is measured, printed
/// and used by the keyboard.
final class DevTools {
    private let process = Process()
    private let (requests, answers) = (Pipe(), Pipe())
    private let files: TemporaryFolder
    private var received = Data()
    private var count = 0
    private var session: String?

    struct Failure: Error, CustomStringConvertible { var description: String }

    private static let ended = Failure(
        description: "the browser has ended; it is killed after \(Program.longestSeconds) s")

    init() throws {
        // A write to a browser that has ended is an error, and not the end of all tests. What the
        // tests start gets the usual signal, as a handler does not outlive the start of a program.
        signal(SIGPIPE) { _ in }
        files = try TemporaryFolder()
        process.executableURL = URL(filePath: "/usr/bin/timeout")
        // The protocol is spoken over the descriptors 3 and 4.
        process.arguments = [
            "--signal=KILL", "\(Program.longestSeconds)", "/bin/sh", "-c",
            "exec \"$0\" \"$@\" 3<&0 4>&1 </dev/null >/dev/null 2>&1", Browser.program,
            "--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars",
            "--remote-debugging-pipe", "--user-data-dir=\(files.url.path)/profile", "about:blank",
        ]
        process.environment = ["PATH": "/usr/bin:/bin", "HOME": files.url.path]
        (process.standardInput, process.standardOutput) = (requests, answers)
        try process.run()
        let target = try call("Target.createTarget", ["url": "about:blank"])
        session =
            try call(
                "Target.attachToTarget",
                ["targetId": target["targetId"] ?? "", "flatten": true])["sessionId"] as? String
        _ = try call("Page.enable")
    }

    deinit {
        session = nil
        _ = try? call("Browser.close")
        process.waitUntilExit()
    }

    /// Ends the browser as its time limit does.
    func kill() {
        Glibc.kill(-process.processIdentifier, SIGKILL)
        process.waitUntilExit()
    }

    /// Opens a page and waits until it is loaded. `script` runs before those of the page.
    func open(_ page: URL, width: Int = 1200, script: String = "") throws {
        try resize(to: width)
        _ = try call("Page.addScriptToEvaluateOnNewDocument", ["source": script])
        _ = try call("Page.navigate", ["url": page.absoluteString])
        while try receive()["method"] as? String != "Page.loadEventFired" {}
    }

    func resize(to width: Int) throws {
        _ = try call(
            "Emulation.setDeviceMetricsOverride",
            ["width": width, "height": 900, "deviceScaleFactor": 1, "mobile": false])
    }

    func showAsPrinted() throws {
        _ = try call("Emulation.setEmulatedMedia", ["media": "print"])
    }

    func showAsOnScreen() throws { _ = try call("Emulation.setEmulatedMedia", ["media": ""]) }

    /// Takes the side of those who want dark pages, or light ones.
    func prefers(dark: Bool) throws {
        let scheme = ["name": "prefers-color-scheme", "value": dark ? "dark" : "light"]
        _ = try call("Emulation.setEmulatedMedia", ["features": [scheme]])
    }

    /// Returns what an expression, or its promise, comes to.
    @discardableResult
    func evaluate<Value>(_ script: String, as: Value.Type = Any.self) throws -> Value {
        let answer = try call(
            "Runtime.evaluate",
            ["expression": script, "awaitPromise": true, "returnByValue": true])
        let result = answer["result"] as? [String: Any]
        guard answer["exceptionDetails"] == nil, let value = result?["value"] as? Value else {
            throw Failure(description: "\(script): \(answer)")
        }
        return value
    }

    /// Presses and releases a key: one of these, or a character.
    func press(_ key: String) throws {
        let known = [
            "Tab": (9, ""), "Enter": (13, "\r"), "Space": (32, " "), "ArrowUp": (38, ""),
            "ArrowDown": (40, ""),
        ]
        let (code, text) = known[key] ?? (0, key)
        let values: [String: Any] = [
            "key": key == "Space" ? " " : key, "code": key, "windowsVirtualKeyCode": code,
        ]
        _ = try call(
            "Input.dispatchKeyEvent",
            values.merging(["type": "keyDown", "text": text]) { $1 })
        _ = try call("Input.dispatchKeyEvent", values.merging(["type": "keyUp"]) { $1 })
    }

    /// Returns the page as a PDF, on paper of this width in inches.
    func printed(width: Double) throws -> Data {
        let answer = try call("Page.printToPDF", ["paperWidth": width, "paperHeight": 11.7])
        guard let data = (answer["data"] as? String).flatMap({ Data(base64Encoded: $0) }) else {
            throw Failure(description: "no PDF: \(answer)")
        }
        return data
    }

    private func call(
        _ method: String, _ parameters: [String: Any] = [:]
    ) throws -> [String: Any] {
        count += 1
        var message: [String: Any] = ["id": count, "method": method, "params": parameters]
        if let session { message["sessionId"] = session }
        let line = try JSONSerialization.data(withJSONObject: message) + [0]
        do {
            try requests.fileHandleForWriting.write(contentsOf: line)
        } catch {
            throw Self.ended
        }
        while true {
            let answer = try receive()
            guard answer["id"] as? Int == count else { continue }
            if let error = answer["error"] {
                throw Failure(description: "\(method): \(error)")
            }
            return answer["result"] as? [String: Any] ?? [:]
        }
    }

    /// Returns the next message of the browser; each ends with a zero.
    private func receive() throws -> [String: Any] {
        while true {
            if let end = received.firstIndex(of: 0) {
                let message = received[..<end]
                received = Data(received[(end + 1)...])
                return try JSONSerialization.jsonObject(with: message) as? [String: Any] ?? [:]
            }
            let more = answers.fileHandleForReading.availableData
            guard !more.isEmpty else { throw Self.ended }
            received += more
        }
    }
}
