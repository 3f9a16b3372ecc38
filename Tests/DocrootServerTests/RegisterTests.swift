import Quantities
import Testing

@testable import DocrootServer

@Suite struct RegisterTests {
    @Test func `what is changed is changed, and nothing is made by it`() {
        var register = Register<Int, String>()
        register[1] = "a"
        #expect(register.change(1) { $0 += "b" } != nil)
        #expect(register.change(1) { $0.count } == 2)
        #expect(register.change(2) { $0 += "b" } == nil)
        #expect(register[1] == "ab" && register[2] == nil)
    }

    @Test func `who was asked for last and is gone is not changed`() {
        var register = Register<Int, String>()
        register[1] = "a"
        register[2] = "b"
        _ = register.change(1) { $0 }
        #expect(register.removeValue(forKey: 1) == "a")
        #expect(register.change(1) { $0 } == nil)
        _ = register.change(2) { $0 }
        register[2] = nil
        #expect(register.change(2) { $0 } == nil)
        #expect(register.isEmpty)
    }

    @Test(arguments: 0..<20 as Range<UInt64>)
    func `it is a dictionary, however it grows and shrinks`(seed: UInt64) {
        var random = RandomStream(seed: seed, name: "register")
        var register = Register<UInt64, UInt64>()
        var model: [UInt64: UInt64] = [:]
        for step in 0..<500 as Range<UInt64> {
            let key = random.below(40)
            switch random.below(4) {
            case 0:
                register[key] = step
                model[key] = step
            case 1: #expect(register.removeValue(forKey: key) == model.removeValue(forKey: key))
            default:
                let changed = register.change(key) { value in
                    value += 1
                    return value
                }
                if let old = model[key] { model[key] = old + 1 }
                #expect(changed == model[key])
            }
            #expect(register[key] == model[key] && register.count == model.count)
        }
    }
}
