/** Marks prototypes; the same symbol in every copy of the package. */
const KIND = Symbol.for('@tms/client error')

/**
 * Makes `instanceof` work across copies of this package: a process has two copies if one module imports the package and
 * another requires it, as a test and its bot may.
 */
export function shareAcrossCopies(type: abstract new (...args: never[]) => Error, kind: string): void {
  Object.defineProperty(type.prototype, KIND, { value: kind })
  Object.defineProperty(type, Symbol.hasInstance, {
    value(this: unknown, value: unknown): boolean {
      // Subclasses inherit this method and are checked as usual.
      if (this !== type) return Function.prototype[Symbol.hasInstance].call(this as typeof type, value)
      return typeof value === 'object' && value !== null && Reflect.get(value, KIND) === kind
    },
  })
}
