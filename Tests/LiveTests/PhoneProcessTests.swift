import Foundation
import Glibc
import Quantities
import RunLog
import Testing
import TransferHost

@testable import Live

/// Set where nothing but a number may be touched.
nonisolated(unsafe) private var brokenPipes: Int32 = 0

/// A shell plays the app: the parent's handle knows nothing of what it starts.
@Suite struct PhoneProcessTests {
    private let clock = MachineClock()

    @Test func `events are heard while the process lives`() throws {
        var process = try shell("echo one; read line; echo two")
        let early = try hear(&process) { $0.lines.count == 1 }
        #expect(early.lines == [Array("one".utf8)])
        #expect(!early.isOver)
        #expect(process.kill() == .signal(SIGKILL))
    }

    @Test func `a line that a kill has cut off is dropped, the whole ones before it stay`() throws {
        var process = try shell("echo one; echo two; printf thr; exec sleep 60")
        let heard = try hear(&process) { $0.lines.count == 2 }
        _ = process.kill()
        let rest = process.hear()
        #expect(heard.lines + rest.lines == [Array("one".utf8), Array("two".utf8)])
        #expect(rest.isOver)
    }

    @Test func `telling a process that is gone hurts nobody`() throws {
        // The program itself leaves this signal as it is by nature, which is deadly.
        let before = signal(SIGPIPE) { _ in brokenPipes += 1 }
        defer { signal(SIGPIPE, before) }
        var process = try shell("exit 0")
        _ = try hear(&process) { $0.isOver }
        process.tell(PhoneMessage.enteredBackground.line)
        #expect(brokenPipes == 0)
    }

    @Test func `a process that is stopped says nothing until it goes on`() throws {
        var process = try shell("while :; do echo on; sleep 0.01; done")
        _ = try hear(&process) { $0.lines.count > 2 }
        process.stop()
        _ = process.hear()
        usleep(100_000)
        #expect(process.hear().lines.isEmpty)
        process.goOn()
        _ = try hear(&process) { $0.lines.count > 2 }
        process.stop()
        #expect(process.kill() == .signal(SIGKILL))
    }

    @Test func `a process hears what it is told`() throws {
        var process = try shell("read line; echo $line; read line; echo $line")
        process.tell(PhoneMessage.enteredBackground.line)
        process.tell(PhoneMessage.backgroundTimeExpires(7).line)
        let heard = try hear(&process) { $0.lines.count == 2 }
        #expect(
            heard.lines.map(PhoneMessage.init) == [.enteredBackground, .backgroundTimeExpires(7)])
    }

    @Test func `a process that ends by itself tells how, and its last words`() throws {
        var process = try shell("echo one; echo the disk is on fire >&2; exit 3")
        let heard = try hear(&process) { $0.isOver }
        #expect(heard.lines == [Array("one".utf8)])
        #expect(process.kill() == .status(3))
        #expect(process.hearErrors() == false)
        #expect(process.complaint == "the disk is on fire")
    }

    @Test func `a process that dies of a signal tells which`() throws {
        var process = try shell("kill -SEGV $$")
        _ = try hear(&process) { $0.isOver }
        #expect(process.kill() == .signal(SIGSEGV))
    }

    @Test func `of a long complaint the end is kept`() throws {
        var process = try shell("i=0; while [ $i -lt 3000 ]; do echo line $i >&2; i=$((i+1)); done")
        while process.hearErrors() { try wait(for: process.errors.number) }
        #expect(process.complaint.hasSuffix("line 2999"))
        #expect(process.complaint.utf8.count == 4095)
    }

    @Test func `a process inherits its three descriptors and no other`() throws {
        let pipe = try DescriptorPipe()
        #expect(fcntl(pipe.reading.number, F_SETFD, 0) == 0)
        var process = try shell(
            "i=0; while [ $i -lt 200 ]; do [ -e /proc/$$/fd/$i ] && echo $i; i=$((i+1)); done")
        let heard = try hear(&process) { $0.isOver }
        let numbers = heard.lines.map { String(decoding: $0, as: UTF8.self) }
        #expect(numbers == ["0", "1", "2"])
        #expect(pipe.reading.number < 200)
    }

    @Test func `a process that watches its lifeline ends when its handle goes`() throws {
        let events = try { () throws -> Int32 in
            let process = try shell("read line; echo never")
            let copy = dup(process.events.number)
            return copy
        }()
        defer { close(events) }
        // The handle is gone: the process, too, and with it the other end of its pipe.
        try wait(for: events)
        var byte: UInt8 = 0
        #expect(read(events, &byte, 1) == 0)
    }

    @Test func `whoever hears nothing holds nobody up, and hears all of it later`() throws {
        var process = try shell("read go; wc -l")
        process.stop()
        let line = String(repeating: "x", count: 1_023) + "\n"
        for _ in 0..<1_000 { process.tell(line) }
        let (isHeldUp, told) = (process.isHeldUp, process.told)
        #expect(isHeldUp)
        #expect(told == 1_000)
        process.goOn()
        let deadline = ContinuousClock.now + .seconds(20)
        while process.isHeldUp, ContinuousClock.now < deadline {
            process.sayOn()
            usleep(1_000)
        }
        let isHeldUpStill = process.isHeldUp
        #expect(!isHeldUpStill)
        #expect(process.kill() == .signal(SIGKILL))
    }

    @Test func `a program that is not there is an error with its name`() {
        do throws(SystemError) {
            _ = try PhoneProcess(
                ProcessCommand(program: "/nowhere/app", arguments: []), orders: "")
            Issue.record("it was started")
        } catch {
            #expect(error.description.contains("/nowhere/app"))
        }
    }

    private func shell(_ script: String) throws -> PhoneProcess {
        try PhoneProcess(
            ProcessCommand(program: "/bin/sh", arguments: ["-c", script]),
            orders: "orders")
    }

    /// Hears until everything heard is enough.
    private func hear(
        _ process: inout PhoneProcess, until isEnough: (PhoneProcess.Hearing) -> Bool
    ) throws -> PhoneProcess.Hearing {
        var all = PhoneProcess.Hearing(lines: [], isOver: false)
        while !isEnough(all) {
            try wait(for: process.events.number)
            let more = process.hear()
            all.lines += more.lines
            all.isOver = more.isOver
            try #require(!all.isOver || isEnough(all))
        }
        return all
    }

    private func wait(for descriptor: Int32) throws {
        var poll = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        try #require(Glibc.poll(&poll, 1, 10_000) == 1)
    }
}
