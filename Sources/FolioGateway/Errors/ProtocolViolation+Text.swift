import FolioWire

extension ProtocolViolation {
  /// A stable name of the violation.
  public var code: String {
    switch self {
    case .unreadableLine(let error): error.code.text
    case .unexpectedMessage: "unexpectedMessage"
    case .brokenPage: "brokenPage"
    case .versionNotOffered: "versionNotOffered"
    case .impossibleFacts: "impossibleFacts"
    case .gapInLog: "gapInLog"
    case .wrongHash: "wrongHash"
    case .anotherLog: "anotherLog"
    case .gapInDevice: "gapInDevice"
    case .bodyLeftOut: "bodyLeftOut"
    case .moreWithoutProgress: "moreWithoutProgress"
    case .twoLogs: "twoLogs"
    case .entryWithheld: "entryWithheld"
    case .wrongResults: "wrongResults"
    case .wrongHead: "wrongHead"
    case .wrongTables: "wrongTables"
    case .tooManyPrices: "tooManyPrices"
    case .wrongAssets: "wrongAssets"
    }
  }

  /// What was found, and where.
  public var message: String {
    switch self {
    case .unreadableLine(let error): "a line is no message: \(error.description)"
    case .unexpectedMessage(let type): "a message '\(type)' came where it has no place"
    case .brokenPage: "a page does not follow the place that was asked for"
    case .versionNotOffered(let version): "it chose version \(version), which was not offered"
    case .impossibleFacts: "what it says of its log cannot be"
    case .gapInLog(let expected, let got): "entry \(got) came where \(expected) was to come"
    case .wrongHash(let seq): "the hash after entry \(seq) is not that of the chain"
    case .anotherLog(let seq):
      "the entries from \(seq) on are of another log, such as another account's"
    case .gapInDevice(let seq, let expected, let got):
      "entry \(seq) is transaction \(got) of its device, where \(expected) was to come"
    case .bodyLeftOut(let seq): "the body of entry \(seq) was left out"
    case .moreWithoutProgress: "it said that there is more and sent nothing"
    case .twoLogs(let seq):
      "the writer of entry \(seq) was shown other entries of this log than this store"
    case .entryWithheld(let sequence):
      "it acknowledged transaction \(sequence) of this device and does not have it in the log"
    case .wrongResults: "its results do not answer what was pushed"
    case .wrongHead: "the head that it acknowledged does not follow from what was sent"
    case .wrongTables: "its price tables do not follow one another"
    case .tooManyPrices(let limit):
      "a page of its price tables comes to more than \(limit) prices"
    case .wrongAssets: "the pages of its asset table do not follow one another"
    }
  }

  /// What a person may do about it.
  public var hint: String {
    switch self {
    case .twoLogs:
      "ask whoever runs the server whether it was rolled back; status lists the entries"
    default: "nothing of it was stored; check that the address is that of your server"
    }
  }
}
