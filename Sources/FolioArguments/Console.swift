public import FolioJSON
internal import FolioSystem
internal import Synchronization

/// Where a command says what came of it: text for a person, or JSON for a program.
public struct Console: Sendable {
  /// Whether answers are JSON.
  public let isJSON: Bool
  /// Whether only errors are said.
  public let isQuiet: Bool
  /// Whether text may be coloured.
  public let usesColor: Bool
  /// How many columns text has; nil where nothing tells.
  public let width: Int?
  private let showsProgress: Bool
  let asks: Bool
  private let pace = ProgressPace()

  /// The console that a command line asks for.
  public init(_ invocation: Invocation) {
    self.init(
      isJSON: invocation.flag("json"), isQuiet: invocation.flag("quiet"),
      noColor: invocation.flag("no-color"))
  }

  init(isJSON: Bool, isQuiet: Bool, noColor: Bool) {
    self.isJSON = isJSON
    self.isQuiet = isQuiet
    let forbidden = noColor || ProcessEnvironment.value(of: "NO_COLOR").map { !$0.isEmpty } == true
    usesColor = !isJSON && !forbidden && Terminal.isTerminal(.standardOutput)
    width = Terminal.width(of: .standardOutput)
    showsProgress = !isJSON && !isQuiet && Terminal.isTerminal(.standardError)
    asks = showsProgress && Terminal.isTerminal(.standardInput)
  }

  /// Says one thing: an object to a program, text to a person.
  ///
  /// - Throws: ``ConsoleClosed`` where nobody reads any more, ``Failure`` where writing fails.
  public func say(_ value: @autoclosure () -> JSONValue, text: @autoclosure () -> String) throws {
    if isJSON {
      try write(value().canonicalBytes + [UInt8(ascii: "\n")])
    } else if !isQuiet {
      let text = text()
      try write(
        Array(text.utf8) + (text.hasSuffix("\n") || text.isEmpty ? [] : [UInt8(ascii: "\n")]))
    }
  }

  /// Says many things: a line of JSON each, or one table.
  public func say(
    rows: @autoclosure () -> [JSONValue], text: @autoclosure () -> String
  ) throws {
    if isJSON {
      var bytes: [UInt8] = []
      for row in rows() {
        bytes += try row.canonicalBytes
        bytes.append(UInt8(ascii: "\n"))
      }
      try write(bytes)
    } else {
      try say(.null, text: text())
    }
  }

  /// Says what `body` says and ends with an error, whether or not anybody reads what is said.
  ///
  /// For a command whose exit code tells something: it does so where a pipe's reader has enough, too.
  public func end(with error: any Error, _ body: () throws -> Void) throws -> Never {
    do { try body() } catch is ConsoleClosed {}
    throw error
  }

  /// Text for a person that is no answer: shown on standard error, and to nobody in JSON.
  public func note(_ text: String) {
    if isJSON || isQuiet { return }
    Self.complain(text + "\n")
  }

  /// How far long work is, on a terminal only; nil for the total where it is not known.
  public func progress(_ what: String, _ done: Int, of total: Int?) {
    guard showsProgress, pace.isDue(what, isLast: done == total) else { return }
    Self.complain("\r\u{1B}[K" + ProgressBar.text(what, done, of: total))
  }

  /// Takes the line of progress away.
  public func endProgress() {
    if showsProgress { Self.complain("\r\u{1B}[K") }
  }

  /// Text in bold, where colours may be used.
  public func bold(_ text: String) -> String { usesColor ? Color.bold.around(text) : text }

  /// A failure, as a person or a program is told.
  func tell(_ failure: Failure) {
    guard isJSON else {
      let message = TerminalText.plain(failure.message)
      return Self.complain("error: \(message)\nhint: \(TerminalText.plain(failure.hint))\n")
    }
    var writer = JSONWriter()
    writer.beginObject()
    for (name, text) in [
      ("code", failure.code), ("hint", failure.hint), ("message", failure.message),
    ] {
      writer.name(text: name)
      writer.string(text)
    }
    writer.endObject()
    Self.complain(String(decoding: writer.bytes, as: UTF8.self) + "\n")
  }

  func write(_ bytes: [UInt8]) throws {
    do {
      try FileDescriptor.standardOutput.writeAll(bytes)
    } catch .brokenPipe {
      throw ConsoleClosed()
    } catch {
      throw Failure(
        code: "outputFailed", message: "standard output: \(error)",
        hint: "see where the output goes", exit: .io)
    }
  }

  /// Writes to standard error, where a failure has nobody left to be told to.
  private static func complain(_ text: String) {
    do { try FileDescriptor.standardError.writeAll(Array(text.utf8)) } catch {}
  }
}

/// How often progress is shown: a terminal takes longer to show it than most work takes to be done.
private final class ProgressPace: Sendable {
  private let shown = Mutex<(what: String, at: MonotonicTime)?>(nil)

  /// Whether a tenth of a second is over since it was shown, or it is of something else.
  func isDue(_ what: String, isLast: Bool) -> Bool {
    let now = SystemMonotonicClock().now()
    return shown.withLock { shown in
      if !isLast, let shown, shown.what == what, now < shown.at + .milliseconds(100) {
        return false
      }
      shown = (what, now)
      return true
    }
  }
}

/// Nobody reads standard output any more, as when a pipe's reader has enough.
///
/// What was asked for is done, and nobody is left to be told: the program ends with 0, without a word.
/// A command that has something to say by its exit code says it by ``Console/end(with:_:)``.
public struct ConsoleClosed: Error {
  /// The one there is.
  public init() {}
}

extension Program {
  /// Reads a command line, runs what it asks for and says how the program ends.
  ///
  /// - Parameters:
  ///   - words: The command line without the program's own name.
  ///   - failure: The failure that an error of a command is told as.
  public func main(_ words: [String], failure: (any Error) -> Failure) -> ExitCode {
    Signal.ignoreBrokenPipe()
    let console = Console(
      isJSON: wantsJSON(words), isQuiet: words.contains("--quiet"), noColor: true)
    do {
      switch try read(words) {
      case .show(let text): try console.write(Array(text.utf8))
      case .run(let command, let invocation): try command.run?(invocation)
      }
      return .done
    } catch is ConsoleClosed {
      return .done
    } catch let error as ExitRequest {
      return error.code
    } catch {
      let told = error as? Failure ?? failure(error)
      console.tell(told)
      return told.exit
    }
  }
}

/// The end of a command that has said what there is to say, with another code than done.
public struct ExitRequest: Error {
  /// How the program ends.
  public let code: ExitCode
  /// The end with that code.
  public init(_ code: ExitCode) { self.code = code }
}
