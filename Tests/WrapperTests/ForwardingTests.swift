import Foundation
import Testing

@Suite struct ForwardingTests {
    @Test func `arguments, folder and exit code pass through unchanged`() throws {
        let house = try StandInHouse()
        let held = try house.lab("run", "a b", "*", "", "--seeds", "1...3")
        #expect(held.output == "in \(house.folder.path)\nrun\na b\n*\n\n--seeds\n1...3\n")
        #expect(held.status == 0)
        #expect(try house.lab("fail").status == 1)
    }

    @Test func `it works through links, relative ones too, and from any folder`() throws {
        let house = try StandInHouse()
        let places = try ["first link", "second link"].map { name in
            let place = house.folder.appending(path: name)
            try FileManager.default.createSymbolicLink(
                atPath: place.path,
                withDestinationPath: name == "first link" ? "the house/lab" : "first link")
            return place
        }
        for place in places {
            let answer = try house.lab("run", by: place, from: URL(filePath: "/"))
            #expect(answer.output == "in /\nrun\n", "\(answer.errors)")
        }
    }

    @Test func `help belongs to transferlab`() throws {
        let house = try StandInHouse()
        let answer = try house.lab("help", "run")
        #expect(answer.output.hasSuffix("help\nrun\n"))
    }

    @Test func `setup builds and forwards nothing`() throws {
        let house = try StandInHouse()
        let answer = try house.lab("setup")
        #expect(answer.status == 0)
        #expect(answer.output == "TransferLab is ready: ./lab run Scenarios\n")
        #expect(house.compilerCalls.count == 1)
    }
}
