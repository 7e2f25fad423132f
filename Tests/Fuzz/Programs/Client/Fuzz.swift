import SessionLaws
import WireLaws

/// What libFuzzer calls with each input.
@c(LLVMFuzzerTestOneInput)
func testOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> Int32 {
  fuzz(.client, start, count)
}
