/// A value that is kept elsewhere, so that whatever holds it stays small and is cheap to hand on; copied when one of
/// several holders changes it.
struct Boxed<Value: Sendable>: Sendable {
    /// Sendable although it can be changed: `value` below changes it only where nobody else holds it, and to read that
    /// same holder meanwhile is what the compiler forbids already.
    private final class Box: @unchecked Sendable {
        var value: Value
        init(_ value: Value) { self.value = value }
    }

    private var box: Box

    init(_ value: Value) { box = Box(value) }

    /// Whether both are one, and so equal without a look.
    func isSame(as other: Boxed) -> Bool { box === other.box }

    var value: Value {
        get { box.value }
        _modify {
            if !isKnownUniquelyReferenced(&box) { box = Box(box.value) }
            yield &box.value
        }
    }
}
