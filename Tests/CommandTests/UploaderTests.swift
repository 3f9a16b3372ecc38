import Foundation
import Testing

/// The program of the README: a file goes up, whatever ends the process that sends it.
@Suite struct UploaderTests {
    private static let kills = 100

    @Test func `a file arrives whole although its process is killed a hundred times`() throws {
        let folder = try TemporaryFolder()
        try Data(Self.script.utf8).write(to: folder.url.appending(path: "kills.py"))
        let answer = try Program.shell(
            "mkdir docroot && python3 kills.py \"$lab\" \"$uploader\" \(Self.kills)",
            in: folder.url, environment: ["uploader": Self.path])
        #expect(answer.code == 0, "\(answer.errors)")
        #expect(answer.output == "\(Self.kills) kills\n")
    }

    @Test func `a folder that is not there is an error with a remedy`() throws {
        let folder = try TemporaryFolder()
        let answer = try Program.run(
            ["nowhere", "film.mov", "80"], of: Self.path, in: folder.url, environment: [:])
        #expect(answer.code != 0)
        #expect(answer.errors.contains("/nowhere: make it first"), "\(answer.errors)")
    }

    @Test func `the README has it as it is`() throws {
        let program = try Program.page("Tests/Uploader/Uploader.swift")
        let readme = try Program.page("README.md")
        #expect(readme.contains("```swift\n\(program)```"))
        #expect(program.split(separator: "\n").count <= 30)
    }

    /// Beside the tests, like the program itself.
    private static let path = URL(filePath: Program.path).deletingLastPathComponent()
        .appending(path: "Uploader").path

    private static let script = #"""
        import json, os, random, subprocess, sys

        lab, uploader, rounds = sys.argv[1], sys.argv[2], int(sys.argv[3])
        chance = random.Random(1)
        server = subprocess.Popen(
            [lab, 'serve', '--docroot', 'docroot'], stdout=open('log', 'w'), stderr=subprocess.PIPE)

        def log():
            """What the server wrote in whole lines so far."""
            lines = open('log').read().split('\n')[:-1]
            return [json.loads(line)['server'] for line in lines]

        while not log(): assert server.poll() is None, server.stderr.read()
        port = str(log()[0]['listening']['port'])

        def launch(folder, name):
            return subprocess.Popen(
                [uploader, folder, name, port], stdout=subprocess.PIPE, text=True)

        def kill(process):
            """Whether it was killed before it came to its end."""
            try:
                process.wait(chance.uniform(0, 0.2))
                return False
            except subprocess.TimeoutExpired:
                process.kill()
                return process.wait() != 0

        def resources(name):
            """Those of a file that the server received any bytes for."""
            made = [event['created'] for event in log() if 'created' in event]
            begun = {event['appendBegan']['resource'] for event in log() if 'appendBegan' in event}
            return {x['resource'] for x in made if x['object'] == f'in/{name}'} & begun

        kills, files = 0, 0
        while kills < rounds:
            files += 1
            name, folder = f'{files}.mov', f'app-{files}'
            os.mkdir(folder)
            content = chance.randbytes(40_000_000)
            open(f'{folder}/{name}', 'wb').write(content)
            while kills < rounds:
                process = launch(folder, name)
                if not kill(process): break
                kills += 1
            else:
                process = launch(folder, name)
            said = process.communicate(timeout=60)[0]
            assert said == 'completed\n', said
            assert open(f'docroot/in/{name}', 'rb').read() == content, name
            assert process.returncode == 0
            # Whoever loses what a launch has stored begins the file again.
            assert len(resources(name)) == 1, resources(name)
        server.kill()
        print(kills, 'kills')
        """#
}
