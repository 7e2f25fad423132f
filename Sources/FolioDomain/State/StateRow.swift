/// A row of accepted state, as the state digest covers it.
public protocol StateRow {
  /// Appends the row's canonical bytes.
  func appendCanonicalBytes(to bytes: inout CanonicalBytes)
}

extension StateRow {
  /// The row's hash, which the state digest adds up.
  ///
  /// - Complexity: O(bytes of the row).
  public func digest<H: HashFunction>(using function: H.Type) -> Hash256 {
    var bytes = CanonicalBytes(capacity: 192)
    appendCanonicalBytes(to: &bytes)
    return bytes.hash(using: function)
  }
}

/// The kinds of rows; the first byte of each row after the label.
enum RowKind {
  static let history: UInt8 = 1
  static let document: UInt8 = 2
  static let device: UInt8 = 3
  static let label = "folio state 1\n"
}

extension CanonicalBytes {
  mutating func begin(_ kind: UInt8) {
    append(RowKind.label)
    append(kind)
  }

  /// Appends a stamp's members in the order in which they are compared.
  public mutating func append(_ stamp: Stamp) {
    append(stamp.effectiveAt.milliseconds)
    append(stamp.device.value)
    append(stamp.deviceSequence)
    append(stamp.index)
  }
}

/// What happened to an asset in a slot, as a row of accepted state.
public struct HistoryRow: StateRow, Hashable, Sendable {
  /// The asset and the slot.
  public var key: AssetSlot
  /// What happened.
  public var state: AssetSlotState

  /// `state` at `key`.
  public init(_ key: AssetSlot, _ state: AssetSlotState) {
    self.key = key
    self.state = state
  }

  /// Appends label, kind, type, id, slot, sum, and the category with its spelling and stamp.
  public func appendCanonicalBytes(to bytes: inout CanonicalBytes) {
    bytes.begin(RowKind.history)
    bytes.append(key.asset.type.text)
    bytes.append(key.asset.id.text)
    bytes.append(key.slot.index)
    bytes.append(state.adjustment)
    bytes.append(UInt8(state.category == nil ? 0 : 1))
    if let category = state.category {
      bytes.append(category.category.key.text)
      bytes.append(category.category.spelling.text)
      bytes.append(category.stamp)
    }
  }
}

/// A device's last entry, as a row of accepted state.
public struct DeviceRow: StateRow, Hashable, Sendable {
  /// The device.
  public var device: DeviceID
  /// What is kept of it.
  public var state: DeviceState

  /// `state` of `device`.
  public init(_ device: DeviceID, _ state: DeviceState) {
    self.device = device
    self.state = state
  }

  /// Appends label, kind, device, sequence, hash and effective time.
  public func appendCanonicalBytes(to bytes: inout CanonicalBytes) {
    bytes.begin(RowKind.device)
    bytes.append(device.value)
    bytes.append(state.sequence)
    bytes.append(state.hash)
    bytes.append(state.effectiveAt.milliseconds)
  }
}
