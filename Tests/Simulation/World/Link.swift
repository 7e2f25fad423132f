import FolioServer

/// A connection between a device and the server, and the bytes that are on their way.
///
/// Each side may be gone while bytes of the other are still on their way.
final class Link {
  /// The server's number of it, and which run of the server it belongs to.
  let id: ConnectionID
  let run: Int
  /// Bytes that the device sent and the server has not got.
  var up: [UInt8] = []
  /// Bytes that the server sent and the device has not got.
  var down: [UInt8] = []
  /// Whether the device has closed it; what is on its way up may still arrive.
  var isLeftByDevice = false
  /// Whether the server has closed it; what is on its way down may still arrive.
  var isLeftByServer = false
  /// Whether nothing more arrives on either side, and nobody says so.
  var isSilent = false
  /// Whether a line was given to the server twice.
  var isDoubled = false

  init(_ id: ConnectionID, run: Int) {
    self.id = id
    self.run = run
  }
}
