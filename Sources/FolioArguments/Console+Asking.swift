internal import FolioSystem

extension Console {
  /// Asks a person to choose, on a terminal; nil where there is none, or they choose nothing.
  ///
  /// - Parameters:
  ///   - question: What is to be decided.
  ///   - choices: What can be chosen; the answer is the number of one, from 1.
  /// - Returns: The place of the choice in `choices`.
  public func ask(_ question: String, _ choices: [String]) -> Int? {
    guard asks else { return nil }
    let lines = choices.enumerated().map { "  \($0 + 1)  \($1)" }
    note(
      ([question] + lines + ["1 to \(choices.count), anything else for none:"])
        .joined(separator: "\n"))
    guard let number = Int(line()), choices.indices.contains(number - 1) else { return nil }
    return number - 1
  }

  /// A line that is typed, without its end and the spaces around it; empty at the end of the input.
  private func line() -> String {
    var bytes: [UInt8] = []
    var byte: UInt8 = 0
    while bytes.count < 256 {
      let count = withUnsafeMutableBytes(of: &byte) { buffer in
        (try? FileDescriptor.standardInput.read(into: buffer)) ?? 0
      }
      if count == 0 || byte == UInt8(ascii: "\n") { break }
      bytes.append(byte)
    }
    return String(decoding: bytes.filter { $0 > 0x20 }, as: UTF8.self)
  }
}
