import CrashInterposer

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// A way in which calls of the system fail.
struct Fault {
  /// The kind of call.
  var call: Int
  /// How it fails.
  var action = crash_act_fail
  /// With which error.
  var error: Int32
  /// How often, once it has begun.
  var times: Int

  /// All ways: each kind of call, with each error that it is likely to give, once and from then on.
  static let all: [Fault] = {
    let errors: [(Int, [Int32])] = [
      (crash_call_open, [EIO, ENOSPC, EMFILE, EINTR]),
      (crash_call_write, [EIO, ENOSPC, EINTR]), (crash_call_sync, [EIO, ENOSPC, EINTR]),
      (crash_call_rename, [EIO, ENOSPC]), (crash_call_truncate, [EIO, ENOSPC]),
      (crash_call_unlink, [EIO]), (crash_call_make_folder, [EIO, ENOSPC]),
    ]
    var faults: [Fault] = []
    for (call, numbers) in errors {
      for error in numbers {
        // No call is interrupted for ever.
        for times in [1, error == EINTR ? 3 : Int.max] {
          faults.append(Fault(call: call, error: error, times: times))
        }
      }
    }
    for times in [1, Int.max] {
      faults.append(
        Fault(call: crash_call_write, action: crash_act_short, error: ENOSPC, times: times))
    }
    for call in [crash_call_write, crash_call_sync, crash_call_rename] {
      faults.append(Fault(call: call, action: crash_act_fail_late, error: EIO, times: 1))
    }
    return faults
  }()

  /// Makes calls fail from the given one on; 1 is the next.
  func arm(at number: Int) {
    crash_arm(Int32(call), number, Int32(action), error, times)
  }

  /// Lets all calls through; says whether one failed.
  static func disarm() -> Bool { crash_disarm() > 0 }

  /// In words.
  var text: String {
    let calls = ["open", "write", "sync", "rename", "truncate", "unlink", "mkdir"]
    let how =
      switch action {
      case crash_act_short: "short"
      case crash_act_fail_late: "late: " + String(cString: strerror(error))
      default: String(cString: strerror(error))
      }
    let often = times == 1 ? "once" : times < 9 ? "\(times) times" : "from then on"
    return "\(calls[call]) (\(how), \(often))"
  }
}
