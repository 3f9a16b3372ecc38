import Foundation
import Testing

@Suite struct InstallingTests {
    /// Notes how it was called; an installation brings pkg-config after a moment.
    private static let installer = """
        #!/bin/sh
        echo "$*" >>"$STAND_IN/installer-calls"
        [ "$1" = install ] || exit 0
        sleep 0.1
        printf '#!/bin/sh\\n' >"$STAND_IN/tools/pkg-config"
        chmod +x "$STAND_IN/tools/pkg-config"
        """

    @Test func `without the right to install it prints the exact command and stops`() throws {
        let house = try houseWithoutPkgConfig(user: 1000)
        let answer = try house.lab("run")
        #expect(answer.status == 2)
        let command = "sudo apt-get update && sudo apt-get install -y --no-install-recommends"
        #expect(answer.errors.contains("\n    \(command) pkg-config\n"))
        #expect(house.compilerCalls.isEmpty)
        #expect(throws: (any Error).self) { try house.text(of: "installer-calls") }
    }

    @Test func `root installs what is missing, and two at a time do it once`() throws {
        let house = try houseWithoutPkgConfig(user: 0)
        let calls = try (1...2).map { _ in try house.start(["run"]) }
        for call in calls { #expect(try call.answer().status == 0) }
        #expect(
            try house.text(of: "installer-calls")
                == "update -q\ninstall -q -y --no-install-recommends pkg-config\n")
    }

    @Test func `who may use sudo without a password installs by it`() throws {
        let house = try houseWithoutPkgConfig(user: 1000)
        let sudo = """
            #!/bin/sh
            [ "$1" != -n ] || exit 0
            echo sudo >>"$STAND_IN/sudo-calls"
            exec "$@"
            """
        try house.installTool("sudo", sudo)
        #expect(try house.lab("run").status == 0)
        #expect(try house.text(of: "sudo-calls") == "sudo\nsudo\n")
    }

    @Test func `an installation that fails shows why`() throws {
        let house = try houseWithoutPkgConfig(user: 0)
        try house.installTool("apt-get", "#!/bin/sh\necho 'E: no network'\nexit 100\n")
        let answer = try house.lab("run")
        #expect(answer.status == 2)
        #expect(answer.errors.contains("E: no network\n"))
    }

    @Test func `where there is no apt-get it names what is missing`() throws {
        let house = try houseWithoutPkgConfig(user: 0)
        try house.removeTool("apt-get")
        let answer = try house.lab("run")
        #expect(answer.status == 2)
        #expect(answer.errors.contains("pkg-config\n"))
    }

    @Test func `only the tests ask for the outsiders they use`() throws {
        let house = try StandInHouse()
        try house.removeTool("tshark")
        try house.installTool("id", "#!/bin/sh\necho 1000\n")
        try house.installTool("apt-get", Self.installer)
        #expect(try house.lab("run").status == 0)
        let answer = try house.lab("test")
        #expect(answer.status == 2)
        #expect(answer.errors.contains("--no-install-recommends tshark\n"))
    }

    @Test func `what comes from PyPI is installed once, beside the system's Python`() throws {
        let house = try StandInHouse()
        for name in [
            "digests-debug", "digests-release", "test-status", "baselines-status",
            "crashes-status",
        ] {
            let text = name.hasPrefix("digests") ? "a 1\n" : "0"
            try Data(text.utf8).write(to: house.folder.appending(path: name))
        }
        for _ in 1...2 { #expect(try house.lab("test").status == 0) }
        let calls = try house.text(of: "pip-calls").split(separator: "\n")
        #expect(calls.count == 1)
        #expect(calls.first?.hasPrefix("-m pip install -q tuspy==1.1.0 jsonschema-rs==") == true)
    }

    @Test func `what PyPI refuses stops the tests with pip's words`() throws {
        let house = try StandInHouse()
        try house.installTool(
            "python3", "#!/bin/sh\n[ $1 = -c ] && exit 0\necho no route to PyPI\nexit 1\n")
        let answer = try house.lab("test")
        #expect(answer.status == 2)
        #expect(answer.errors.contains("no route to PyPI\nlab: that could not be installed"))
    }

    @Test func `without a compiler it says what to install`() throws {
        let house = try StandInHouse()
        try house.removeTool("swift")
        let answer = try house.lab("run")
        #expect(answer.status == 2)
        #expect(answer.errors.contains("no swift in PATH"))
    }

    private func houseWithoutPkgConfig(user: Int) throws -> StandInHouse {
        let house = try StandInHouse()
        try house.removeTool("pkg-config")
        try house.installTool("id", "#!/bin/sh\necho \(user)\n")
        try house.installTool("apt-get", Self.installer)
        return house
    }
}
