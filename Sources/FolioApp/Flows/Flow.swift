public import FolioDomain
internal import FolioJSON
public import FolioStore

/// The kinds of flows that keep a state in the store between their steps.
public enum FlowKind: String, Hashable, Sendable, CaseIterable {
  /// Edits that are staged one by one and saved together.
  case edit
  /// An asset that goes from one category to another.
  case transfer

  /// The kind in a sentence.
  var text: String { self == .edit ? "an edit" : "a transfer" }
}

/// The flow that is under way on a store, and what it holds.
///
/// It is application data: it survives a crash, since every step is on disk when it returns, and it
/// can be dropped without loss, since nothing of it has happened before it is saved. A store has one
/// at a time.
public enum Flow: Hashable, Sendable {
  /// Edits that are staged.
  case edit(EditFlow)
  /// A transfer, as far as it has come.
  case transfer(TransferFlow)

  /// What kind it is of.
  public var kind: FlowKind {
    switch self {
    case .edit: .edit
    case .transfer: .transfer
    }
  }

  /// When it was begun, by this device's clock.
  public var begunAt: Timestamp {
    switch self {
    case .edit(let flow): flow.begunAt
    case .transfer(let flow): flow.begunAt
    }
  }
}

extension StoreReadTransaction {
  /// The flow that is under way; nil where none is.
  ///
  /// - Throws: `AppError.flowUnreadable`.
  public func flow() throws -> Flow? {
    try unsavedEdit().map { try Flow(decoding: $0) }
  }

  /// The edit that is under way.
  ///
  /// - Throws: `AppError.noFlow`, or `AppError.flowUnderWay` where another flow is.
  func editFlow() throws -> EditFlow {
    switch try flow() {
    case .edit(let flow)?: return flow
    case .transfer(let flow)?: throw AppError.flowUnderWay(.transfer, since: flow.begunAt)
    case nil: throw AppError.noFlow(.edit)
    }
  }

  /// The transfer that is under way.
  ///
  /// - Throws: `AppError.noFlow`, or `AppError.flowUnderWay` where another flow is.
  func transferFlow() throws -> TransferFlow {
    switch try flow() {
    case .transfer(let flow)?: return flow
    case .edit(let flow)?: throw AppError.flowUnderWay(.edit, since: flow.begunAt)
    case nil: throw AppError.noFlow(.transfer)
    }
  }
}

extension StoreWriteTransaction {
  /// Begins a flow where none is under way.
  ///
  /// - Throws: `AppError.flowUnderWay`.
  mutating func begin(_ flow: Flow) throws {
    if let present = try reading.flow() {
      throw AppError.flowUnderWay(present.kind, since: present.begunAt)
    }
    try keep(flow)
  }

  /// Keeps a flow as it is now; nil ends it.
  mutating func keep(_ flow: Flow?) throws {
    try setUnsavedEdit(try flow?.encoded())
  }
}
