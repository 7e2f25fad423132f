import FolioCrypto
import FolioDomain
import FolioStore
import FolioWire
import LMDB

extension World {
  /// Holds what everybody has at rest against what was promised.
  func judge() throws {
    let entries = try server.entries()
    try judgeLog(entries)
    let reference = Reference(entries)
    for device in devices { try judge(device, reference) }
    try judgeEquality()
  }

  private func demand(_ isTrue: Bool, _ message: @autoclosure () -> String) throws {
    if !isTrue { throw Failure(message: message()) }
  }

  // MARK: The log

  /// Every transaction that was saved is there, once, as it was saved.
  private func judgeLog(_ entries: [WireEntry]) throws {
    var found: Set<TransactionID> = []
    for entry in entries.map({ $0.logEntry(using: SHA256.self) }) where entry.kind == .accepted {
      let id = entry.transaction.id
      try demand(found.insert(id).inserted, "\(id.text) is in the log twice")
      guard let operations = saved[id] else {
        throw Failure(message: "\(id.text) is in the log and was never saved")
      }
      let body = try TransactionBody(decoding: entry.transaction.body)
      try demand(body.operations == operations, "\(id.text) is not what was saved")
    }
    let lost = saved.keys.filter { !found.contains($0) }
    try demand(
      lost.isEmpty, "lost: \(lost.map(\.text).sorted().joined(separator: ", "))")
  }

  // MARK: A device

  private func judge(_ device: SimulatedDevice, _ reference: Reference) throws {
    let name = "device \(device.number)"
    let problems = try device.store.verify().problems
    try demand(problems.isEmpty, "\(name) is not sound: \(problems)")
    try device.store.read { state in
      try demand(try state.status().outbox.count == 0, "\(name) has something pending")
      for (asset, units) in reference.amounts {
        let holding = try state.holding(of: asset)
        try demand(
          holding.amount.amount?.units == units,
          "\(name) holds \(holding.amount.decimalText) of \(asset)")
        let category = reference.categories[asset]?.category ?? Category(defaultFor: asset.type)
        try demand(
          holding.category == category, "\(name) has \(asset) in \(holding.category.key)")
        try demand(
          try units == 0 || state.holding(asset) != nil, "\(name) does not list \(asset)")
      }
      for held in try state.holdings(includesHidden: true) {
        try demand(
          reference.amounts[held.holding.asset] != nil,
          "\(name) lists \(held.holding.asset), which nobody had")
      }
      for (key, paper) in reference.papers {
        try judge(try state.document(key), key, paper, name)
      }
      try demand(
        try state.status().documentCount == reference.papers.count, "\(name) has other documents")
    }
  }

  private func judge(
    _ document: Document?, _ key: DocumentKey, _ paper: Reference.Paper, _ name: String
  ) throws {
    guard let document else { throw Failure(message: "\(name) lacks \(key)") }
    try demand(
      document.createdAt == paper.created && document.updatedAt == paper.updated,
      "\(name) has other times of \(key)")
    try demand(
      document.isDeleted == (paper.deletion?.isDeleted ?? false),
      "\(name) takes \(key) for deleted, or not")
    try demand(
      document.values
        == DocumentFields(
          paper.fields.compactMap { path, field in field.value.map { DocumentField(path, $0) } }),
      "\(name) has another \(key)")
  }

  // MARK: All devices

  /// The spaces that are the same on all devices that have read the same, to the byte.
  static let commonSpaces = [
    "domain.portfolio/assets", "domain.portfolio/categories", "domain.portfolio/history",
    "domain.portfolio/history.assets", "domain.portfolio/snapshots", "domain.market/assets",
    "domain.documents", "domain.documents.order", "gate.sync/devices",
  ]

  /// Those of them that prices have a part in: what a server that went back unawares has told of a
  /// market may be another thing to each device.
  private static let pricedSpaces: Set = [
    "domain.portfolio/assets", "domain.portfolio/categories", "domain.portfolio/snapshots",
  ]

  private func judgeEquality() throws {
    guard let first = devices.first else { return }
    let expected = try Likeness(first)
    for device in devices.dropFirst() {
      let found = try Likeness(device)
      try demand(
        wasSetBackUnawares || found.basis == expected.basis,
        "devices 0 and \(device.number) rest on \(expected.basis) and \(found.basis)")
      try demand(
        found.digest == expected.digest, "devices 0 and \(device.number) differ in their digests")
      try demand(
        found.holdings == expected.holdings,
        "devices 0 and \(device.number) differ in what is held")
      for (name, (rows, others)) in zip(Self.commonSpaces, zip(found.spaces, expected.spaces)) {
        if wasSetBackUnawares, Self.pricedSpaces.contains(name) { continue }
        try demand(rows == others, "devices 0 and \(device.number) differ in \(name)")
      }
    }
  }
}

/// What is the same on all devices at rest.
private struct Likeness {
  let digest: Hash256
  let basis: DigestBasis
  /// Without their prices.
  let holdings: [Holding]
  let spaces: [[[UInt8]]]

  init(_ device: SimulatedDevice) throws {
    digest = try device.status().stateDigest
    (basis, holdings) = try device.store.read { state in
      (
        try state.digestBasis(),
        try state.holdings(.all, includesHidden: true).map(\.holding)
      )
    }
    var options = Environment.Options(databases: World.commonSpaces)
    options.readOnly = true
    let environment = try Environment.inMemory(on: device.disk.copied(), options)
    spaces = try environment.read { state in
      try World.commonSpaces.map { name in
        var rows: [[UInt8]] = []
        try state.scan(environment.database(name), .all) { key, value in
          rows.append(key.copied)
          rows.append(value.copied)
          return .next
        }
        return rows
      }
    }
  }
}
