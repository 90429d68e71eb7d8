/// A value that is kept elsewhere, so that whatever holds it stays small; copied when one of several holders changes it.
struct Boxed<Value: Sendable>: Sendable {
    /// Changed only by its one holder: that makes it Sendable.
    private final class Box: @unchecked Sendable {
        var value: Value
        init(_ value: Value) { self.value = value }
    }

    private var box: Box

    init(_ value: Value) { box = Box(value) }

    var value: Value {
        get { box.value }
        _modify {
            if !isKnownUniquelyReferenced(&box) { box = Box(box.value) }
            yield &box.value
        }
    }
}
