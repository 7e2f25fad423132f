extension RawSpan {
  /// A copy of the bytes.
  public var copied: [UInt8] {
    unsafe withUnsafeBytes { unsafe [UInt8]($0) }
  }
}

extension Array where Element == UInt8 {
  /// A view of the bytes.
  var raw: RawSpan {
    @_lifetime(borrow self)
    get { unsafe span.bytes }
  }
}
