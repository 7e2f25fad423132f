import FolioSystem

/// Whether a fault is planted, to see that the program finds it.
private let isPlanted = ProcessEnvironment.value(of: "FOLIO_FUZZ_PLANT") != nil

/// What a program for libFuzzer does with an input: ends where the law does not hold.
public func fuzz(_ law: Law, _ start: UnsafePointer<UInt8>?, _ count: Int) -> Int32 {
  do {
    try law.check(
      Array(UnsafeBufferPointer(start: start, count: count)), withFault: isPlanted)
  } catch {
    fatalError("the law of the \(law.name) does not hold: \(error)")
  }
  return 0
}
